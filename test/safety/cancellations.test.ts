/** A cancellation that is refused denies neither itself, nor a payment of the same order whose answer was lost. */

import { describe, expect, test } from 'vitest'
import { succeeds } from '../kit/program.ts'
import {
  broken,
  chargeCard,
  createWallet,
  finalizeWallet,
  foreignOrder,
  handDesk,
  handOrder,
  type Said,
} from '../kit/service.ts'
import { mustBeUnknown, orderIn, reset } from '../kit/verdict.ts'
import { memoryDesk } from './memory-desk.ts'

const charge = chargeCard()
const cancelOrder = ['order', 'cancel', handOrder, '--yes']
const cancelWallet = ['wallet', 'cancel', handOrder, '--yes']
const finalOrAbsent: Said = { code: 6006, group: 2 }
const unknownOrder: Said = { code: 6005, group: 5 }
const wallet = (status: string): Said => ({ value: { uniqueId: handOrder, status, receiverName: 'Nino', amount: 25 } })

/** The same answer to each request of an operation, which a test may change. */
async function service(answers: Record<string, Said>) {
  const desk = await memoryDesk(({ name }) => answers[name] ?? broken)
  const isUnknown = async (line: readonly string[]) => {
    const ended = await desk.run(...line)
    mustBeUnknown(ended)
    return ended.error
  }
  return { ...desk, isUnknown }
}

test.each([
  ['order cancel', 'order.status', 6006, 'INITIAL', 'CANCELED'],
  ['wallet cancel', 'wallet.details', 6110, 'REGISTERED', 'FAILED'],
] as const)('%s refused beside a lagging read (%s, %i, %s): unknown (9), done (0) once %s is read', async (...row) => {
  const [command, read, code, before, after] = row
  const answers = { [command.replace(' ', '.')]: { code, group: 2 }, [read]: orderIn(before) }
  const { run, isUnknown } = await service(answers)
  const line = [...command.split(' '), handOrder, '--yes']
  await isUnknown(line)
  answers[read] = orderIn(after)
  await succeeds(run(...line))
})

test.each([
  ['6006, beside 6005', finalOrAbsent, unknownOrder],
  ['6005, beside 6005', unknownOrder, unknownOrder],
  ['6006, beside PROCESSING', finalOrAbsent, orderIn('PROCESSING')],
  ['6006, beside SUCCESS', finalOrAbsent, orderIn('SUCCESS')],
] as const)('order cancel of an order whose charge was lost, answered %s: unknown (9)', async (_, said, read) => {
  const answers: Record<string, Said> = { 'order.create': reset, 'order.cancel': said, 'order.status': unknownOrder }
  const { isUnknown } = await service(answers)
  await isUnknown(charge)
  answers['order.status'] = read
  const { message } = await isUnknown(cancelOrder)
  expect(message).toMatch(/it is unknown whether its order\.create \(j-\w+\) was executed/)
})

test('order cancel lost, of an order whose charge was lost: resume --all ends both once the service knows none (5)', async () => {
  const desk = await service({ 'order.create': reset, 'order.cancel': reset, 'order.status': unknownOrder })
  await desk.isUnknown(charge)
  await desk.isUnknown(cancelOrder)
  desk.skip(20 * 60_000)
  await desk.isUnknown(cancelOrder)
  const all = await desk.run('resume', '--all', '--yes')
  expect(all.code, all.stderr).toBe(5)
  expect((await desk.run('journal', 'list', '--state', 'unknown')).json).toEqual([])
})

test.each([
  ['6045', { code: 6045, group: 5 }, { code: 6045, group: 5 }],
  ['6110, beside REGISTERED', { code: 6110, group: 1 }, wallet('REGISTERED')],
] as const)('wallet cancel, the finalization lost, answered %s: unknown (9)', async (_, said, read) => {
  const { run, isUnknown } = await service({
    ...{ 'wallet.create': wallet('REGISTERED'), 'wallet.finalize': reset },
    ...{ 'wallet.cancel': said, 'wallet.details': read },
  })
  expect((await run(...createWallet)).code).toBe(0)
  await isUnknown(finalizeWallet)
  await isUnknown(cancelWallet)
})

test.each([
  ['6005, beside 6005', unknownOrder, unknownOrder, 6],
  ['6006, beside PROCESSING', finalOrAbsent, orderIn('PROCESSING'), 5],
  ['6006, beside EXPIRED', finalOrAbsent, orderIn('EXPIRED'), 5],
] as const)('order cancel of an order about which nothing is open, answered %s: no money moved', async (...row) => {
  const [, said, read, code] = row
  const { run } = await service({ 'order.cancel': said, 'order.status': read })
  expect(await run(...cancelOrder)).toMatchObject({ code, error: { moneyMoved: 'no' } })
})

const writes = {
  'order cancel': { operation: 'order.cancel', read: 'order.status', id: 'integratorOrderId', absent: 6005 },
  'wallet cancel': { operation: 'wallet.cancel', read: 'wallet.details', id: 'uniqueId', absent: 6045 },
} as const

describe.each(Object.entries(writes))('%s, done and asked for again', (command, { operation, read, id, absent }) => {
  const line = [...command.split(' '), handOrder, '--yes']

  async function done(shows: Said, make: typeof memoryDesk | typeof handDesk = memoryDesk) {
    const desk = await make(({ name }) => (name === operation ? orderIn('CANCELED') : shows))
    const first = await succeeds(desk.run(...line))
    return { desk, first, again: () => desk.run(...line) }
  }

  const cancelled = operation === 'order.cancel' ? ['CANCELED', 'CANCELLED'] : ['FAILED', 'CANCELED']
  test.each(cancelled)(`${command} that was done and reads %s: replayed (0), not sent again`, async (now) => {
    const { desk, first, again } = await done(orderIn(now))
    const second = await again()
    expect(second.json, second.stderr).toEqual({ ...first.json, replayed: true })
    expect([desk.count(operation), desk.count(read)]).toEqual([1, 1])
  })

  test(`${command}, the real command, that was done and reads SUCCESS: refused (5), money moved`, async () => {
    const { desk, first, again } = await done(orderIn('SUCCESS'), handDesk)
    const { journalId } = first.json
    const second = await again()
    expect(second, second.stdout).toMatchObject({ code: 5, stdout: '' })
    expect(second.error).toMatchObject({ operation, journalId, status: 'SUCCESS', moneyMoved: 'yes', retry: 'never' })
    expect(second.error.message).toContain(`${read} reads SUCCESS`)
    expect(desk.count(operation)).toBe(1)
  })

  const open = operation === 'order.cancel' ? 'INITIAL' : 'REGISTERED'
  test.each([open, 'nonsense'])(`${command} that was done and reads %s: unknown (9)`, async (now) => {
    const second = await (await done(orderIn(now))).again()
    expect(second, second.stdout).toMatchObject({
      code: 9,
      stdout: '',
      error: { status: now, moneyMoved: 'unknown' },
    })
    expect(second.error.message).toContain(`${read} reads ${now}`)
  })

  test(`${command} that was done and that the service does not know: not found (6), the money unknown`, async () => {
    const { again } = await done({ code: absent, group: 5 })
    expect(await again()).toMatchObject({ code: 6, stdout: '', error: { moneyMoved: 'unknown' } })
  })

  test.each([
    ['HTTP 502', broken],
    ['another id', { value: { [id]: foreignOrder, status: 'CANCELED' } }],
    ['no status', { value: { [id]: handOrder } }],
  ] as const)(`${command} that was done, and whose read is %s: unknown (9)`, async (_why, shows) => {
    const { again } = await done(shows)
    expect(await again()).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  })

  test(`${command} that was done, while the service cannot be reached: unsent (11), the money unknown`, async () => {
    const { desk, again } = await done(broken)
    await desk.stop()
    expect(await again()).toMatchObject({ code: 11, stdout: '', error: { moneyMoved: 'unknown' } })
  })
})

test('subscription revoke that was done, and is asked for again: replayed, with a warning that no read shows it', async () => {
  const desk = await memoryDesk(({ name }) => (name === 'subscription.revoke' ? { value: {} } : broken))
  const revoke = () => desk.run('subscription', 'revoke', handOrder, '--yes')
  await succeeds(revoke())
  const warnings = expect.arrayContaining([expect.stringMatching(/cannot be asked/)])
  expect((await revoke()).json).toMatchObject({ replayed: true, warnings })
  expect(desk.calls).toHaveLength(1)
})

test.each([
  ['refund', ['--amount', '5', '--key', 'r-1'], 'REFUND_REQUESTED'],
  ['complete', ['--amount', '5'], 'SUCCESS'],
] as const)('order %s, done and asked for again: replayed, not sent', async (command, more, status) => {
  const desk = await memoryDesk(({ name }) => (name === `order.${command}` ? orderIn(status) : broken))
  const run = () => desk.run('order', command, handOrder, ...more, '--yes')
  const first = await succeeds(run())
  const calls = desk.calls.length
  expect((await run()).json).toEqual({ ...first.json, replayed: true })
  expect(desk.calls).toHaveLength(calls)
  expect(desk.count(`order.${command}`)).toBe(1)
})
