/** A payment whose answer or read names another sum, currency or account than was sent is never told as done. The table of answers is in `verdict-accepted.test.ts`. */
import { expect, test } from 'vitest'
import { beneficiaryIban } from '../kit/payment.ts'
import { finalizeWallet as finalize, handDesk, handOrder, handPayout, json, type Said } from '../kit/service.ts'
import { number, sealedWrites } from '../kit/verdict.ts'

const order = { integratorOrderId: handOrder }
const created: Said = { value: { ...order, urlForQR: 'https://pay.example/1' } }
const create = sealedWrites['order create'].argv()
const complete = sealedWrites['order complete'].argv()
const finalized = { uniqueId: handOrder, status: 'SUCCESS' }
const unknown = { code: 9, stdout: '', error: { moneyMoved: 'unknown' } }

/** A wallet whose finalize is done, and whose details show more. */
const shownAs = (details: () => object) =>
  handDesk(({ name }) => ({ value: name === 'wallet.finalize' ? finalized : { ...finalized, ...details() } }))

test('order refund: an answer in another currency than the order was created with is unknown (9)', async () => {
  const desk = await handDesk(({ name }) => {
    if (name === 'order.create') return created
    return {
      value: {
        ...order,
        status: name === 'order.refund' ? 'REFUND_REQUESTED' : 'SUCCESS',
        currency: name === 'order.refund' ? 'USD' : 'GEL',
      },
    }
  })
  expect((await desk.run(...create)).code).toBe(0)
  const ended = await desk.run(...sealedWrites['order refund'].argv())
  expect(ended, ended.stdout).toMatchObject(unknown)
  expect(ended.error.message).toContain('currency is USD, not GEL')
})

test('wallet finalize: an answer with another sum stays unknown (9) though the details show the sum that was sent', async () => {
  const desk = await handDesk(({ name }) => ({
    value: { ...finalized, amount: number(name === 'wallet.finalize' ? '13' : '25') },
  }))
  for (const ended of [await desk.run(...finalize), await desk.run(...finalize)]) {
    expect(ended, ended.stdout).toMatchObject(unknown)
    expect(ended.error.message).toContain('amount is 13.00, not 25.00')
  }
  // It waits for a person.
  expect((await desk.run('journal', 'show', handOrder)).json).toMatchObject({ state: 'unknown' })
  expect(desk.count('wallet.finalize')).toBe(1)
})

test('wallet finalize: an answer in another currency than the QR code is unknown (9), and such details end with 7', async () => {
  const inDollars = { ...finalized, amount: number('25'), currency: 'USD' }
  const answers = (answer: object) => (name: string) => {
    if (name === 'wallet.create') return { ...sealedWrites['wallet create'].done }
    return name === 'wallet.finalize' ? answer : inDollars
  }
  const register = sealedWrites['wallet create'].argv()
  const desk = await handDesk(({ name }) => ({ value: answers(finalized)(name) }))
  for (const argv of [register, finalize]) expect((await desk.run(...argv)).code).toBe(0)
  const read = await desk.run('wallet', 'details', handOrder)
  expect(read, read.stdout).toMatchObject({ code: 7, stdout: '' })
  expect(read.error.message).toContain('currency is USD, not GEL')
  const other = await handDesk(({ name }) => ({ value: answers(inDollars)(name) }))
  expect((await other.run(...register)).code).toBe(0)
  expect(await other.run(...finalize)).toMatchObject(unknown)
})

test('wallet details: another sum than was finalized ends with 7, and so does the finalize until the sum is the same', async () => {
  let amount = number('99')
  const desk = await shownAs(() => ({ amount }))
  expect((await desk.run(...finalize)).code).toBe(0)
  for (const argv of [['wallet', 'details', handOrder], finalize, finalize]) {
    const ended = await desk.run(...argv)
    expect(ended, ended.stdout).toMatchObject({ code: 7, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(ended.error.message).toContain('amount is 99.00, not 25.00')
  }
  amount = number('25')
  expect((await desk.run('wallet', 'details', handOrder)).code).toBe(0)
  expect((await desk.run(...finalize)).json).toMatchObject({ outcome: 'accepted', sumConfirmed: true })
})

test('order status: another sum or currency than was created ends with 7, and so do order wait and order create', async () => {
  let more: object = {}
  const desk = await handDesk(({ name }) =>
    name === 'order.create' ? created : { value: { ...order, status: 'SUCCESS', ...more } },
  )
  expect((await desk.run(...create)).code).toBe(0)
  for (const [shown, told] of [
    [{ amount: number('99') }, 'amount is 99.00, not 12.50'],
    [{ initialCurrency: 'USD' }, 'initialCurrency is USD, not GEL'],
    [{ currency: 'USD' }, 'currency is USD, not GEL'],
    [{ amount: {} }, 'amount is {}, not 12.50'],
  ] as const) {
    more = shown
    const lines = [['order', 'status', handOrder], ['order', 'wait', handOrder], [...create, '--wait'], create]
    for (const argv of told.startsWith('amount is 99') ? lines : lines.slice(0, 1)) {
      const ended = await desk.run(...argv)
      expect(ended, argv.join(' ') + ended.stdout).toMatchObject({ code: 7, stdout: '' })
      expect(ended.error.message).toContain(told)
    }
  }
})

test('order status: what the card is charged, and a completion with less, are no other sum (0)', async () => {
  const desk = await handDesk(({ name }): Said => {
    if (name === 'order.create') return created
    const charged = { acquiringAmount: number('14'), acquiringCurrency: 'USD' }
    return { value: { ...order, status: 'SUCCESS', amount: number('5'), initialCurrency: 'GEL', ...charged } }
  })
  expect((await desk.run(...create, '--pay-with-pre-auth')).code).toBe(0)
  expect((await desk.run('order', 'status', handOrder)).code).toBe(0)
})

test.each([
  ['order create', 'amount', create, 'order.create', { amount: number('99') }, /99\.00/],
  ['order create', 'currency', create, 'order.create', { initialCurrency: 'USD' }, /USD/],
  ['order complete', 'amount', complete, 'order.complete', { amount: number('99') }, /99\.00/],
] as const)(
  '%s: a lost answer stays unknown (9) while a read shows another %s',
  async (_name, _member, argv, operation, more, told) => {
    const desk = await handDesk(({ name }) =>
      name === operation ? { plain: 'reset' } : { value: { ...order, status: 'SUCCESS', ...more } },
    )
    // Of a completion the read alone knows no sum.
    const read = operation === 'order.create' ? [['order', 'status', handOrder]] : []
    for (const line of [argv, argv, ...read]) {
      const ended = await desk.run(...line)
      expect(ended, ended.stdout).toMatchObject(unknown)
      expect(ended.error.message).toMatch(told)
    }
  },
)

const accepted = { transactionId: 4711, status: 'INITIAL', uniqueId: handOrder, createdAt: '2026-11-20T10:00:00' }
const isCreate = (path: string) => path === '/api/distributor'
const duplicate = json({ message: 'Duplicate', statusCode: 5017 }, 400)

test('payout create: an answer with another sum stays unknown (9) though the id is taken later, until a person settles it', async () => {
  const desk = await handPayout(({ path }, count) => {
    if (!isCreate(path)) return undefined
    return count === 1 ? json({ ...accepted, amount: 9999 }) : duplicate
  })
  for (const ended of [await desk.pay(), await desk.pay(), await desk.run('resume', handOrder)]) {
    expect(ended, ended.stdout).toMatchObject(unknown)
    expect(ended.error.message).toContain('amount is 9999.00, not 12.50')
  }
  expect(desk.creates()).toBe(1)
  const words = ['--settle', 'executed', '--because', 'the statement shows it', '--yes']
  expect((await desk.run('resume', handOrder, ...words)).code).toBe(0)
})

test('payout reconcile: details with the sum that was sent resolve an answer with another sum (0)', async () => {
  const asked = { amount: 12.5, currency: 'GEL', toIban: beneficiaryIban, paymentDescription: 'Salary, November' }
  const desk = await handPayout(({ path }) => {
    if (isCreate(path)) return json({ ...accepted, amount: 99 })
    return path === '/api/distributor/details' ? json({ value: { ...accepted, ...asked } }) : undefined
  })
  const told = await desk.pay()
  expect(told).toMatchObject({ code: 9, stdout: '' })
  expect(told.error.message).toContain('amount is 99.00, not 12.50 (transactionId 4711)')
  expect(told.stderr).toContain(`paydesk payout reconcile ${handOrder} --transaction-id`)
  const found = await desk.run('payout', 'reconcile', handOrder, '--transaction-id', '4711')
  expect(found.json, found.stderr).toMatchObject({ outcome: 'accepted', sumConfirmed: true })
  expect((await desk.pay()).json).toMatchObject({ outcome: 'accepted', replayed: true, sumConfirmed: true })
  expect(desk.creates()).toBe(1)
})
