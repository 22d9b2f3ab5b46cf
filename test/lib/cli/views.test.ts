import { Chalk } from 'chalk'
import { expect, test } from 'vitest'
import { drawView } from '../../../src/lib/cli/output/view.ts'
import { payoutView, receiptView } from '../../../src/lib/cli/views.ts'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import type { PayoutRead } from '../../../src/lib/desk/payouts.ts'
import { inSandbox, order, ordered, place, play } from '../../kit/order/scene.ts'
import { paydesk } from '../../kit/program/paydesk.ts'

const plain = new Chalk({ level: 0 })

const read: PayoutRead = {
  transactionId: '9007199254740993',
  status: 'PENDING',
  statusDescription: 'To be Signed',
  amount: new JsonNumber('12.50'),
  toIban: 'GE29NB0000000101904917',
  currency: 'GEL',
  paymentDescription: 'Salary',
  uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
  createdAt: '2026-11-20T10:00:00.123456',
  commissionAmount: new JsonNumber('0.10'),
  journalId: 'j-1',
  profile: 'box',
  environment: 'sandbox',
  warnings: [],
}

function lines(more: Record<string, unknown> = {}): string[] {
  return drawView(payoutView({ ...read, ...more }), 100, plain).split('\n')
}

test('a payout that was read shows its ten fields in the order of the specification', () => {
  expect(lines().map((line) => line.split(/\s{2,}/))).toEqual([
    ['transactionId', '9007199254740993'],
    ['status', 'PENDING (with the bank, not yet executed)'],
    ['statusDescription', 'To be Signed'],
    ['amount', '12.50'],
    ['toIban', 'GE29NB0000000101904917'],
    ['currency', 'GEL'],
    ['paymentDescription', 'Salary'],
    ['uniqueId', '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'],
    ['createdAt', '2026-11-20T10:00:00.123456 (zone unknown)'],
    ['commissionAmount', '0.10'],
    ['journal', 'j-1'],
    ['profile', 'box (sandbox)'],
  ])
})

test('members that the contract does not know are shown with the digits they came with', () => {
  const more = {
    fee: new JsonNumber('0.50'),
    flow: 'STANDARD',
    deep: { n: new JsonNumber('1.0') },
    none: null,
    yes: true,
  }
  const text = lines(more).join('\n')
  expect(text).toMatch(/^fee +0\.50$/m)
  expect(text).toMatch(/^flow +STANDARD$/m)
  expect(text).toMatch(/^deep +\{"n":1\.0\}$/m)
  expect(text).toMatch(/^yes +true$/m)
})

test('an unknown status is shown as it came', () => {
  expect(lines({ status: 'toString' })[1]).toMatch(/^status +toString$/)
  expect(lines({ status: 'SIGNED' })[1]).toMatch(/^status +SIGNED$/)
})

test('the name of a member that the service made up does not act upon the terminal', () => {
  const text = lines({ 'a\u001b[2Kb': 'x' }).join('\n')
  expect(text).toContain('a<U+001B>[2Kb')
})

test('a receipt shows the IBAN in groups of four and says what is still open', () => {
  const receipt = {
    outcome: 'exists',
    transactionId: null,
    status: null,
    statusDescription: null,
    uniqueId: read.uniqueId,
    createdAt: null,
    amount: new JsonNumber('12.50'),
    currency: 'GEL',
    payee: 'GE29NB0000000101904917',
    journalId: 'j-1',
    journalHead: '7-0123456789abcdef01234567',
    profile: 'box',
    environment: 'sandbox',
    idUnknown: true,
    sumConfirmed: false,
    replayed: false,
    warnings: [],
  } as const
  const text = drawView(receiptView(receipt), 100, plain)
  expect(text).toContain('Payout resolved as executed')
  expect(text).toMatch(/^to +GE29 NB00 0000 0101 9049 17$/m)
  expect(text).toMatch(/^amount +GEL 12\.50$/m)
  expect(text).toMatch(/^journal head +7-0123456789abcdef01234567$/m)
  expect(text).not.toContain('transactionId')
  expect(drawView(receiptView({ ...receipt, outcome: 'accepted', replayed: true }), 100, plain)).toContain(
    'Payout accepted (sent by an earlier run; nothing was sent now)',
  )
})

test('receipts of orders are titled like those of payouts', async () => {
  const around = place()
  const titled = async (argv: readonly string[]) => (await paydesk(argv, around)).stdout.split('\n')[0]
  expect(await titled(order())).toBe('Order accepted')
  const paid = await ordered(around)
  await play(around, paid)
  const more = ['--yes', ...inSandbox]
  expect(await titled(['order', 'refund', paid, '--amount', '1', ...more])).toBe('Refund accepted')
  expect(await titled(['order', 'cancel', await ordered(around), ...more])).toBe('Cancellation accepted')
})
