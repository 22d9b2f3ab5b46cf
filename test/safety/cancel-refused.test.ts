/** A cancellation that is refused denies neither itself, nor a payment of the same order whose answer was lost. */
import { describe, expect, test } from 'vitest'
import { type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { chargeCard, createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'

const charge = chargeCard()
const cancelOrder = ['order', 'cancel', handOrder, '--yes']
const cancelWallet = ['wallet', 'cancel', handOrder, '--yes']

const order = (status: string): Said => ({ value: { integratorOrderId: handOrder, uniqueId: handOrder, status } })
const wallet = (status: string): Said => ({ value: { uniqueId: handOrder, status, receiverName: 'Nino', amount: 25 } })
const refused = (code: number, group: number): Said => ({ code, group })
const reset: Said = { plain: 'reset' }

/** A service that says the same to each request of an operation; what is not named here is refused without a code. */
function saying(answers: Readonly<Record<string, Said>>): Promise<HandDesk> {
  return handDesk(({ name }) => answers[name] ?? { plain: { status: 502, body: '<html></html>' } })
}

async function isUnknown(desk: HandDesk, line: readonly string[]) {
  const { code, error, stdout, stderr } = await desk.run(...line)
  expect(code, stdout + stderr).toBe(9)
  expect(error.moneyMoved).toBe('unknown')
  return error
}

describe('by the second answer of a request that was sent twice, beside a read that lags behind', () => {
  test.each([
    ['an order', cancelOrder, 'order.cancel', 'order.status', refused(6006, 2), order, 'INITIAL', 'CANCELED'],
    [
      'a wallet order',
      cancelWallet,
      'wallet.cancel',
      'wallet.details',
      refused(6110, 1),
      wallet,
      'REGISTERED',
      'FAILED',
    ],
  ] as const)('%s', async (_, line, write, read, said, shows, before, after) => {
    let status: string = before
    const desk = await handDesk(({ name }) => {
      if (name === write) return said
      return name === read ? shows(status) : { plain: { status: 502, body: '' } }
    })
    await isUnknown(desk, line)
    status = after
    const again = await desk.run(...line)
    expect(again.code, again.stderr).toBe(0)
  })
})

describe('of an order whose charge was lost', () => {
  test.each([
    ['not found or final (6006), beside "not found"', refused(6006, 2), refused(6005, 5)],
    ['not found (6005), beside "not found"', refused(6005, 5), refused(6005, 5)],
    ['not found or final (6006), beside PROCESSING', refused(6006, 2), order('PROCESSING')],
    ['not found or final (6006), beside SUCCESS', refused(6006, 2), order('SUCCESS')],
  ])('as %s', async (_, said, read) => {
    const answers = { 'order.create': reset, 'order.cancel': said, 'order.status': refused(6005, 5) }
    const desk = await saying(answers)
    await isUnknown(desk, charge)
    answers['order.status'] = read
    const { message } = await isUnknown(desk, cancelOrder)
    expect(message).toMatch(/whether its order\.create \(j-\w+\) was executed is unknown/)
  })
})

test('of an order whose charge and whose cancellation were lost, and that nobody finds later', async () => {
  const answers = { 'order.create': reset, 'order.cancel': reset, 'order.status': refused(6005, 5) }
  const desk = await saying(answers)
  await isUnknown(desk, charge)
  await isUnknown(desk, cancelOrder)
  desk.skip(20 * 60_000)
  await isUnknown(desk, cancelOrder)
  const all = await desk.run('resume', '--all', '--yes')
  expect(all.code, all.stderr).toBe(5)
  expect((await desk.run('journal', 'list', '--state', 'unknown')).json).toEqual([])
})

test('of an order whose charge was lost, once its payment is known', async () => {
  const answers = { 'order.create': reset, 'order.cancel': refused(6006, 2), 'order.status': refused(6005, 5) }
  const desk = await saying(answers)
  await isUnknown(desk, charge)
  answers['order.status'] = order('SUCCESS')
  await isUnknown(desk, cancelOrder)
  await desk.run('resume', '--all', '--yes')
  const { code, error, stderr } = await desk.run(...cancelOrder)
  expect(code, stderr).toBe(5)
  expect(error.message).toContain('SUCCESS')
})

test.each([
  ['not found (6045)', refused(6045, 5), refused(6045, 5)],
  ['not any more (6110), beside REGISTERED', refused(6110, 1), wallet('REGISTERED')],
])('of a wallet order whose finalization was lost, as %s', async (_, said, read) => {
  const desk = await saying({
    ...{ 'wallet.create': wallet('REGISTERED'), 'wallet.finalize': reset },
    ...{ 'wallet.cancel': said, 'wallet.details': read },
  })
  expect((await desk.run(...createWallet)).code).toBe(0)
  await isUnknown(desk, finalizeWallet)
  await isUnknown(desk, cancelWallet)
})

describe('of an order about which nothing is open', () => {
  test.each([
    ['that the service does not know: 6', refused(6005, 5), refused(6005, 5), 6],
    ['that somebody is about to pay: 5', refused(6006, 2), order('PROCESSING'), 5],
    ['that was not paid in time: 5', refused(6006, 2), order('EXPIRED'), 5],
  ])('%s', async (_, said, read, code) => {
    const desk = await saying({ 'order.cancel': said, 'order.status': read })
    const ended = await desk.run(...cancelOrder)
    expect(ended.code, ended.stderr).toBe(code)
    expect(ended.error.moneyMoved).toBe('no')
  })
})
