/**
 * A command that reads an order, a saved card or a wallet order and fails, or is stopped, never denies what this
 * journal sent about it: a refund, a completion or a finalization counts as much as the creation does.
 */
import { describe, expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { answers, paydesk, type Step, succeeds } from '../kit/program.ts'
import {
  createWallet,
  finalizeWallet,
  foreignOrder,
  handDesk,
  handOrder,
  type Said,
  type SealedCall,
} from '../kit/service.ts'
import { signalLine, until } from '../kit/tools.ts'
import { mustBeUnknown, orderIn, reset } from '../kit/verdict.ts'
import { type MemoryDesk, memoryDesk } from './memory-desk.ts'

const refund = ['order', 'refund', handOrder, '--amount', '5', '--key', 'kr', '--yes']
const complete = ['order', 'complete', handOrder, '--amount', '5', '--yes']
const charge = [
  ...[
    ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder],
    ...['--integrator-order-id', handOrder, '--yes'],
  ],
]
const writes: Readonly<Record<string, string>> = {
  'order.refund': 'REFUND_REQUESTED',
  'order.complete': 'SUCCESS',
  'order.create': 'INITIAL',
  'wallet.create': 'REGISTERED',
  'wallet.finalize': 'SUCCESS',
}

/** Every write is done, or loses its answer; `desk.read` is the answer to every read. */
async function scene<Made extends Pick<MemoryDesk, 'run'>>(
  make: (answering: (call: SealedCall) => Said) => Promise<Made>,
  isLost = false,
) {
  const state = { read: { code: 6005, group: 5 } as Said }
  const desk = await make(({ name }): Said => {
    const status = writes[name]
    if (status === undefined) return state.read
    return isLost && name !== 'wallet.create' ? reset : orderIn(status)
  })
  return Object.assign(state, desk)
}

const done = async (desk: Pick<MemoryDesk, 'run'>, ...lines: readonly (readonly string[])[]) => {
  for (const line of lines) {
    await succeeds(desk.run(...line))
  }
}

/** Runs a read that is never answered, and stops it as soon as the service was asked. */
async function stopped(
  desk: Awaited<ReturnType<typeof handDesk>>,
  argv: readonly string[],
  signal: 'SIGINT' | 'SIGTERM',
) {
  const before = desk.calls.length
  const { send, signals } = signalLine()
  const around = { home: desk.home, clock: hurriedClock(), random: impatient, signals }
  const running = paydesk([...argv, '-p', 'hand', '--json'], around)
  await until('the service was asked', () => desk.calls.length > before)
  send(signal)
  return running
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

describe.each(signals)('%s while the service is asked', (signal, exit) => {
  test.each([
    ['order status by its id', ['order', 'status', handOrder]],
    ['order status by the key of the refund', ['order', 'status', 'kr']],
    ['order wait', ['order', 'wait', 'kr']],
    ['card get', ['card', 'get', handOrder]],
  ])(`%s stopped by ${signal} after a lost refund: the money is unknown (${exit})`, async (_name, argv) => {
    const desk = await scene(handDesk, true)
    mustBeUnknown(await desk.run(...refund))
    desk.read = { plain: 'hang' }
    const { code, error } = await stopped(desk, argv, signal)
    expect(code).toBe(exit)
    expect(error).toMatchObject({ moneyMoved: 'unknown', uniqueId: handOrder })
    expect(String(error.message)).not.toContain('before anything was sent')
  })
})

test('wallet finalize at a terminal: ^C behind the typed id of a lost finalization is unknown, before it "no"', async () => {
  const desk = await scene(handDesk, true)
  await done(desk, createWallet)
  const lost = await desk.run(...finalizeWallet, '--no-local-check')
  mustBeUnknown(lost)
  const atTerminal = (...steps: readonly Step[]) =>
    paydesk(['wallet', 'finalize', '-p', 'hand', '--json'], {
      ...{ home: desk.home, terminal: true, dialogue: answers(...steps) },
    })
  const after = await atTerminal([/Which wallet order\?/, `${handOrder}\r`], [/How much/, '\x03'])
  expect(after.code).toBe(130)
  expect(after.stderr).toContain('"moneyMoved":"unknown"')
  expect(after.stderr).toContain(String(lost.error.journalId))
  // Nothing was named: nothing is in doubt.
  const before = await atTerminal([/Which wallet order\?/, '\x03'])
  expect(before.stderr).toContain('"moneyMoved":"no"')
})

const refusals: readonly (readonly [string, Said, number])[] = [
  ['401', { plain: { status: 401, body: '{}' } }, 4],
  ['6006', { code: 6006, group: 2 }, 5],
]
const unknownOrder = ['6005', { code: 6005, group: 2 } as Said, 6] as const

const rows = (['refund', 'completion'] as const).flatMap((what) =>
  [...refusals, unknownOrder].map(([name, said, exit]) => [what, name, said, exit] as const),
)
test.each(rows)('order status, diff and wait after a %s, answered %s: never "no"', async (what, _name, said, exit) => {
  const desk = await scene(memoryDesk)
  const made = await succeeds(desk.run(...(what === 'refund' ? refund : complete)))
  desk.read = said
  const { journalId } = made.json
  for (const verb of ['status', 'diff', 'wait']) {
    for (const id of [handOrder, String(journalId)]) {
      const ended = await desk.run('order', verb, id)
      expect([exit, 6, 9], `${verb} ${id}`).toContain(ended.code)
      expect(ended.error.moneyMoved, `${verb} ${id}: ${ended.stderr}`).not.toBe('no')
    }
  }
})

test.each([
  ['refund', refund],
  ['completion', complete],
  ['charge', charge],
])('card get after a %s, while the service cannot be reached: unsent (11), never "no"', async (_what, write) => {
  const desk = await scene(memoryDesk)
  await done(desk, write)
  desk.stop()
  const ended = await desk.run('card', 'get', handOrder)
  expect(ended.code, ended.stderr).toBe(11)
  expect(ended.error.moneyMoved).not.toBe('no')
})

test.each([...refusals, ['6045', { code: 6045, group: 2 } as Said, 6] as const])(
  'wallet details after a finalization, answered %s: never "no"',
  async (_name, said, exit) => {
    const desk = await scene(memoryDesk)
    await done(desk, createWallet, [...finalizeWallet, '--no-local-check'])
    desk.read = said
    const ended = await desk.run('wallet', 'details', handOrder)
    expect(ended.code, ended.stderr).toBe(exit)
    expect(ended.error.moneyMoved).not.toBe('no')
  },
)
