/** Outputs of the commands of the wallet as JSON, for the test of their schemas. */

import { type Flags, flags } from '../kit/payment.ts'
import type { Surroundings } from '../kit/program.ts'
import { addFault, newTill, open, random, requested } from '../kit/world.ts'

type Print<Printed> = (
  argv: readonly string[],
  around: Surroundings,
  expected?: { readonly keeps?: readonly string[] },
) => Promise<Printed>

const inSandbox = ['-p', 'sandbox']
const sum = { keeps: ['"amount":25.00'] }

export function walletScenarios<Printed>(
  print: Print<Printed>,
): Readonly<Record<string, () => Promise<readonly Printed[]>>> {
  const begin = () => {
    const till = newTill()
    return { till, around: { home: till.home, clock: till.clock, random } }
  }
  /** The command for real, for show, and as curl. */
  const written = async (argv: readonly string[], around: Surroundings, expected = {}) => [
    await print([...argv, '--dry-run'], around),
    await print([...argv, '--curl'], around),
    await print(argv, around, expected),
  ]
  const create = (more: Flags = {}) => [
    ...['wallet', 'create', ...inSandbox],
    ...flags({ uri: requested, yes: true, ...more }),
  ]
  const finalize = (uniqueId: string) => {
    const given = { 'unique-id': uniqueId, amount: '25', 'final-status': 'SUCCESS', yes: true } as const
    return ['wallet', 'finalize', ...inSandbox, ...flags(given)]
  }
  return {
    'wallet-create.json': async () => {
      const { around } = begin()
      const fixed = await written(create({ key: 'till-3:812' }), around, sum)
      const range = await print(create({ uri: open }), around, { keeps: ['"minAmountAllowed":0.10'] })
      await addFault(around.home, { op: 'wallet.create', at: 'after', kind: 'reset' })
      return [...fixed, range, await print(create(), around)]
    },

    'wallet-finalize.json': async () => {
      const { till, around } = begin()
      const uniqueId = await till.created()
      const paid = await written(finalize(uniqueId), around, sum)
      const again = await print(finalize(uniqueId), around, sum)
      const lost = await till.created()
      await addFault(around.home, { op: 'wallet.finalize', at: 'after', kind: 'reset' })
      return [...paid, again, await print(finalize(lost), around, sum)]
    },

    'wallet-cancel.json': async () => {
      const { till, around } = begin()
      return written(['wallet', 'cancel', await till.created(), ...inSandbox, '--yes'], around)
    },

    'wallet-details.json': async () => {
      const { till, around } = begin()
      const details = async (id: string, expected = {}) =>
        print(['wallet', 'details', id, ...inSandbox], around, expected)
      const uniqueId = await till.created()
      const early = await details(uniqueId, sum)
      await till.finalize({ 'unique-id': uniqueId })
      const paid = await details(uniqueId, sum)
      const unknown = await till.created()
      await addFault(around.home, { op: 'wallet.finalize', at: 'after', kind: 'reset', times: 2 })
      await addFault(around.home, { op: 'wallet.details', at: 'before', kind: 'html502', times: 5 })
      await till.finalize({ 'unique-id': unknown })
      const unresolved = await details(unknown, { keeps: ['paydesk resume j-'] })
      const free = await till.created({ uri: open })
      till.forget()
      return [early, paid, unresolved, await details(free)]
    },
  }
}
