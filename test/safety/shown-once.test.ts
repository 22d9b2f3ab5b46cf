/** What one read has shown of a payment, or one answer has told, is not denied by a later one, whichever command asks. */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { beneficiaryIban } from '../kit/payment.ts'
import type { Ended } from '../kit/program/paydesk.ts'
import { foreignOrder, type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { chargeCard, createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'
import { type HandPayout, handPayout } from '../kit/service/hand-payout.ts'
import { cardToken } from '../kit/service/hand-writes.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

const charge = chargeCard()
const refund = ['order', 'refund', handOrder, '--amount', '5', '--key', 'R', '--yes']
const complete = ['order', 'complete', handOrder, '--amount', '5', '--yes']
const finalize = [...finalizeWallet, '--no-local-check']

function unknown(ended: Ended) {
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
}

/** Neither done nor denied. */
function undecided(ended: Ended) {
  expect([7, 9], ended.stdout + ended.stderr).toContain(ended.code)
  expect(ended.error.moneyMoved, ended.stderr).toBe('unknown')
}

const order = (status: string, more: object = {}): Said => ({
  value: { integratorOrderId: handOrder, uniqueId: handOrder, status, ...more },
})

const unknownOrder: Said = { code: 6005, group: 5 }

/** Answers to `operation` are lost; every read shows what `desk.shown` is. */
async function losing(operation: string): Promise<HandDesk & { shown: Said }> {
  const service: { shown: Said } = { shown: { plain: 'reset' } }
  const desk = await handDesk(({ name }) => (name === operation ? { plain: 'reset' } : service.shown))
  return Object.assign(service, desk)
}

describe('a refund whose trace was read by', () => {
  test.each([
    ['the command itself', () => [] as const],
    ['`resume`', ({ journalId }: { journalId: string }) => ['resume', journalId, '--yes'] as const],
    ['`order status`, with another sum', () => ['order', 'status', handOrder] as const],
    ['`order diff`', () => ['order', 'diff', handOrder] as const],
  ])('%s is not sent again for a read that shows no trace', async (who, reading) => {
    const desk = await losing('order.refund')
    desk.shown = order('SUCCESS')
    expect((await desk.run(...charge)).code).toBe(0)
    const traced = order('REFUND_REQUESTED', who.includes('sum') ? { amount: new JsonNumber('7.50') } : {})
    if (who === 'the command itself') desk.shown = traced
    const lost = await desk.run(...refund)
    unknown(lost)
    desk.shown = traced
    const argv = reading({ journalId: String(lost.error.journalId) })
    if (argv.length > 0) await desk.run(...argv)
    for (const later of [order('SUCCESS'), unknownOrder]) {
      desk.shown = later
      desk.skip(20 * 60_000)
      unknown(await desk.run('resume', String(lost.error.journalId), '--yes'))
      unknown(await desk.run(...refund))
    }
    expect(desk.count('order.refund')).toBe(1)
  })
})

test.each([
  ['behind a read', order('SUCCESS')],
  ['behind none', { plain: 'reset' }],
] as const)(
  'a refund that left %s is open while a copy does not know its order, which was read before',
  async (_how, shown) => {
    const desk = await losing('order.refund')
    desk.shown = shown
    unknown(await desk.run(...refund))
    desk.shown = order('SUCCESS')
    expect((await desk.run('order', 'status', handOrder)).code).toBe(0)
    desk.shown = unknownOrder
    desk.skip(20 * 60_000)
    unknown(await desk.run(...refund))
    expect(desk.count('order.refund')).toBe(1)
  },
)

test.each([
  ['this journal', true],
  ['another machine', false],
])(
  'a refund of an order of %s is not denied by a slow read, while another process reads its trace',
  async (_whose, isOwn) => {
    let isSlow = false
    const desk: HandDesk = await handDesk(async ({ name }): Promise<Said> => {
      if (name === 'order.create') return order('SUCCESS')
      if (name === 'order.refund') return { plain: 'reset' }
      if (!isSlow) return shown
      isSlow = false
      shown = order('REFUND_REQUESTED')
      await desk.run('order', 'status', handOrder)
      return order('SUCCESS')
    })
    let shown: Said = { plain: 'reset' }
    if (isOwn) expect((await desk.run(...charge)).code).toBe(0)
    const lost = await desk.run(...refund)
    unknown(lost)
    desk.skip(20 * 60_000)
    isSlow = true
    const ended = await desk.run('resume', String(lost.error.journalId), '--yes')
    expect(ended.error.moneyMoved, ended.stderr).toBe('unknown')
  },
)

test('a refund is not denied where its trace was read by a question that was asked before it was sent', async () => {
  let shown: Said = order('SUCCESS')
  const desk: HandDesk = await handDesk(async ({ name, count }): Promise<Said> => {
    if (name === 'order.create') return order('SUCCESS')
    if (name === 'order.refund') return { plain: 'reset' }
    if (count > 1) return shown
    shown = { plain: 'reset' }
    unknown(await desk.run(...refund))
    return order('REFUND_REQUESTED')
  })
  expect((await desk.run(...charge)).code).toBe(0)
  expect((await desk.run('order', 'status', handOrder)).code).toBe(0)
  shown = order('SUCCESS')
  desk.skip(20 * 60_000)
  unknown(await desk.run(...refund))
  expect(desk.count('order.refund')).toBe(1)
})

test('a refund whose trace was read for another one is not denied', async () => {
  const desk = await losing('order.refund')
  desk.shown = order('SUCCESS')
  expect((await desk.run(...charge)).code).toBe(0)
  desk.shown = { plain: 'reset' }
  unknown(await desk.run(...refund))
  desk.shown = order('REFUND_REQUESTED')
  const other = await desk.run('order', 'refund', handOrder, '--amount', '7', '--key', 'S', '--yes')
  expect(other, other.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  desk.shown = order('SUCCESS')
  desk.skip(20 * 60_000)
  unknown(await desk.run(...refund))
  expect(desk.count('order.refund')).toBe(1)
})

test('a refund whose trace was read while it was on its way is not refused by its own answer', async () => {
  let shown = 'SUCCESS'
  const desk: HandDesk = await handDesk(async ({ name }): Promise<Said> => {
    if (name !== 'order.refund') return order(shown)
    shown = 'REFUND_REQUESTED'
    await desk.run('order', 'status', handOrder)
    shown = 'SUCCESS'
    return { code: 6130, group: 2 }
  })
  expect((await desk.run(...charge)).code).toBe(0)
  undecided(await desk.run(...refund))
  undecided(await desk.run(...refund))
  // Nothing recognises a refund: it is not sent again.
  expect(desk.count('order.refund')).toBe(1)
})

describe('a payment whose answer was lost, and that was read as paid, did not end unpaid', () => {
  test.each([
    ['a charge', 'order.create', charge, ['order', 'status', handOrder]],
    ['a wallet order', 'wallet.create', createWallet, ['wallet', 'details', handOrder]],
  ] as const)('%s', async (_what, operation, argv, read) => {
    const desk = await losing(operation)
    const lost = await desk.run(...argv)
    unknown(lost)
    desk.shown = order('SUCCESS')
    expect((await desk.run(...read)).code).toBe(0)
    desk.shown = order('FAILED')
    unknown(await desk.run('resume', String(lost.error.journalId), '--yes'))
    unknown(await desk.run(...argv))
    // The operator may settle it in either way.
    expect((await desk.run('journal', 'show', String(lost.error.journalId))).json).toMatchObject({ state: 'unknown' })
    expect(desk.count(operation)).toBeLessThanOrEqual(2)
  })

  test('nor was a finalization that was read with another sum', async () => {
    const desk = await losing('wallet.finalize')
    unknown(await desk.run(...finalize))
    desk.shown = order('SUCCESS', { amount: new JsonNumber('25.50') })
    unknown(await desk.run('wallet', 'details', handOrder))
    desk.shown = order('REGISTERED')
    desk.skip(20 * 60_000)
    unknown(await desk.run(...finalize))
  })
})

describe('`order wait` hears of what another process has done meanwhile', () => {
  test.each([
    ['a completion that was executed', order('SUCCESS'), complete],
    ['a completion whose answer was lost', { plain: 'reset' }, complete],
    ['a read that showed it as paid', order('SUCCESS'), ['order', 'status', handOrder]],
  ] as const)('%s', async (_what, told, argv) => {
    let reads = 0
    const desk: HandDesk = await handDesk(async ({ name }): Promise<Said> => {
      if (name === 'order.create') return order('INITIAL')
      if (name === 'order.complete') return told
      reads += 1
      const read = reads
      // While the one that waits asks for the second time, another process has done its own, reads and all.
      if (read === 2) await desk.run(...argv)
      return read === 1 ? order('PROCESSING') : read === 2 ? order('CANCELED') : order('SUCCESS')
    })
    expect((await desk.run(...charge)).code).toBe(0)
    undecided(await desk.run('order', 'wait', handOrder))
  })
})

test('a payment of which two ends were told is in doubt, too, while it is read on its way', async () => {
  const service = { shown: 'SUCCESS' }
  const desk = await handDesk(({ name }) => order(name === 'order.create' ? 'INITIAL' : service.shown))
  expect((await desk.run(...charge)).code).toBe(0)
  expect((await desk.run('order', 'wait', handOrder)).code).toBe(0)
  for (const shown of ['FAILED', 'PROCESSING']) {
    service.shown = shown
    unknown(await desk.run('order', 'wait', handOrder))
    unknown(await desk.run(...charge, '--wait'))
  }
})

test('a charge that waits for its own end is in doubt, too', async () => {
  const statuses = ['SUCCESS', 'PROCESSING']
  const desk = await handDesk(
    ({ name }): Said => order(name === 'order.create' ? 'SUCCESS' : (statuses.shift() ?? 'FAILED')),
  )
  expect((await desk.run('order', 'status', handOrder)).code).toBe(0)
  unknown(await desk.run(...charge, '--wait'))
})

test('a charge with a validUntil that was answered as paid and reads FAILED is in doubt', async () => {
  const desk = await handDesk(({ name }) => order(name === 'order.create' ? 'SUCCESS' : 'FAILED'))
  const soon = new Date(Date.now() + 5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const argv = [...charge, '--valid-until', soon]
  const first = await desk.run(...argv)
  expect(first.code, first.stderr).toBe(0)
  expect((await desk.run('order', 'status', handOrder)).json.warnings).toContainEqual(expect.stringContaining('FAILED'))
  unknown(await desk.run('order', 'wait', handOrder))
  unknown(await desk.run(...argv))
})

test('a charge that was declined, and is there as FAILED, is refused and may be followed by another one', async () => {
  const desk = await handDesk(
    ({ name }): Said => (name === 'order.create' ? { code: 6001, group: 1 } : order('FAILED')),
  )
  expect((await desk.run(...charge)).code).toBe(5)
  const read = await desk.run('order', 'status', handOrder)
  expect(read.json.warnings, read.stderr).toEqual([])
  expect(await desk.run('order', 'wait', handOrder)).toMatchObject({ code: 5 })
})

test('a charge that met a conflict is not sent again', async () => {
  const desk = await handDesk(
    ({ name }): Said => (name === 'order.create' ? { code: 6023, group: 2 } : order('SUCCESS')),
  )
  for (const _ of [1, 2, 3]) undecided(await desk.run(...charge))
  expect(desk.count('order.create')).toBe(1)
})

test('a cancellation that is answered warns of an order that was read as paid', async () => {
  const desk = await handDesk(({ name }): Said => {
    if (name === 'order.cancel') return order('CANCELED')
    return order(name === 'order.create' ? 'INITIAL' : 'SUCCESS')
  })
  expect((await desk.run(...charge)).code).toBe(0)
  expect((await desk.run('order', 'status', handOrder)).code).toBe(0)
  const ended = await desk.run('order', 'cancel', handOrder, '--yes')
  expect(ended.json.warnings, ended.stderr).toContainEqual(expect.stringContaining('SUCCESS, and shows CANCELED'))
})

describe('what is no trace denies nothing', () => {
  test.each([
    ['a completion', 'order.complete', complete, 'PROCESSING', 'WAITING_FOR_CONFIRM'],
    ['a completion whose order was cancelled', 'order.complete', complete, 'PROCESSING', 'CANCELED'],
    ['a refund', 'order.refund', refund, 'INITIAL', 'SUCCESS'],
  ])(
    '%s is not executed, though it was read before its order was paid',
    async (_what, operation, argv, first, then) => {
      const desk = await losing(operation)
      const lost = await desk.run(...argv)
      unknown(lost)
      desk.shown = order(first)
      await desk.run('resume', String(lost.error.journalId), '--yes')
      desk.shown = order(then)
      desk.skip(20 * 60_000)
      const ended = await desk.run('resume', String(lost.error.journalId), '--yes')
      expect(ended, ended.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
    },
  )

  test('an order that is gone is not found by its cancellation', async () => {
    const gone: Said = { code: 6045, group: 5 }
    const desk = await handDesk(({ name }) => (name === 'wallet.create' ? order('REGISTERED') : gone))
    expect((await desk.run(...createWallet)).code).toBe(0)
    expect((await desk.run('wallet', 'cancel', handOrder, '--yes')).code).toBe(6)
  })
})

test('a wallet order that was finalized elsewhere is neither finalized, made anew nor deleted', async () => {
  const service = { shown: 'SUCCESS' }
  const desk = await handDesk(({ name }): Said => {
    if (name === 'wallet.cancel') return { code: 6110, group: 3 }
    return order(name === 'wallet.create' ? 'REGISTERED' : service.shown)
  })
  expect((await desk.run(...createWallet)).code).toBe(0)
  expect((await desk.run('wallet', 'details', handOrder)).code).toBe(0)
  desk.skip(6 * 60_000)
  for (const argv of [finalizeWallet, createWallet]) {
    const ended = await desk.run(...argv)
    expect(ended.stdout + ended.stderr).toContain('elsewhere')
    expect(ended.stdout + ended.stderr).not.toContain('create it anew')
  }
  service.shown = 'FAILED'
  unknown(await desk.run('wallet', 'cancel', handOrder, '--yes'))
})

test('an order that was read as paid by its cancellation is not ended unpaid', async () => {
  const service = { shown: 'SUCCESS' }
  const desk = await handDesk(({ name }): Said => {
    if (name === 'order.cancel') return { code: 6006, group: 2 }
    return order(name === 'order.create' ? 'INITIAL' : service.shown)
  })
  expect((await desk.run(...charge)).code).toBe(0)
  expect((await desk.run('order', 'cancel', handOrder, '--yes')).code).toBe(5)
  service.shown = 'CANCELED'
  undecided(await desk.run('order', 'wait', handOrder))
  unknown(await desk.run('order', 'cancel', handOrder, '--yes'))
})

describe('a refusal beside a read that does not know the order of this journal is not "no"', () => {
  test.each([
    ['a refund', 'order.refund', refund, charge, 6006],
    ['a completion', 'order.complete', complete, charge, 6016],
    ['a finalization', 'wallet.finalize', finalize, createWallet, 6016],
  ] as const)('%s', async (_what, operation, argv, creation, code) => {
    const desk = await handDesk(({ name }): Said => {
      if (name === operation) return { code, group: 2 }
      if (name.endsWith('.create')) return order(name === 'wallet.create' ? 'REGISTERED' : 'SUCCESS')
      return operation === 'wallet.finalize' ? { code: 6045, group: 5 } : unknownOrder
    })
    expect((await desk.run(...creation)).code).toBe(0)
    undecided(await desk.run(...argv))
    undecided(await desk.run(...argv))
    // A finalization may be asked for once more: the service says that it has it.
    expect(desk.count(operation)).toBeLessThanOrEqual(operation === 'wallet.finalize' ? 2 : 1)
  })
})

test('a status that is refused for another reason does not say that there is no order', async () => {
  const desk = await losing('order.refund')
  unknown(await desk.run(...refund))
  for (const code of [6075, 6100, 6112]) {
    desk.shown = { code, group: 5 }
    desk.skip(20 * 60_000)
    unknown(await desk.run(...refund))
  }
  expect(desk.count('order.refund')).toBe(1)
})

describe('`order wait` and `order cancel` of a charge in doubt', () => {
  test.each([
    ['that was answered as paid with another sum', order('SUCCESS', { amount: new JsonNumber('99') })],
    ['that was answered with another sum', order('INITIAL', { amount: new JsonNumber('99') })],
    ['that met a conflict', { code: 6023, group: 2 }],
  ] as const)('%s are not "no"', async (_what, told) => {
    const desk = await handDesk(({ name }): Said => (name === 'order.create' ? told : order('FAILED')))
    undecided(await desk.run(...charge))
    undecided(await desk.run('order', 'wait', handOrder))
    undecided(await desk.run(...charge))
  })

  test('that was read as paid is not "cancelled already"', async () => {
    const service: { shown: Said } = { shown: { plain: 'reset' } }
    const desk = await handDesk(({ name }): Said => {
      if (name === 'order.create') return { plain: 'reset' }
      return name === 'order.cancel' ? { code: 6006, group: 2 } : service.shown
    })
    unknown(await desk.run(...charge))
    service.shown = order('SUCCESS')
    expect((await desk.run('order', 'wait', handOrder)).code).toBe(0)
    service.shown = order('CANCELED')
    unknown(await desk.run('order', 'cancel', handOrder, '--yes'))
  })

  test('that was read as paid with another sum is not ended unpaid', async () => {
    const service: { shown: Said } = { shown: order('SUCCESS', { amount: new JsonNumber('99') }) }
    const desk = await handDesk(({ name }): Said => (name === 'order.create' ? order('INITIAL') : service.shown))
    expect((await desk.run(...charge)).code).toBe(0)
    expect((await desk.run('order', 'status', handOrder)).code).toBe(7)
    service.shown = order('FAILED', { amount: new JsonNumber('12.50') })
    undecided(await desk.run('order', 'wait', handOrder))
    undecided(await desk.run(...charge))
  })
})

test.each([
  ['cardToken', { cardToken: cardToken.replace('4', '5') }],
  ['card_token', { card_token: cardToken.replace('4', '5') }],
  ['a card with a token', { card: { token: cardToken.replace('4', '5') } }],
  ['a list of cards', { cards: [{ token: cardToken.replace('4', '5') }] }],
  ['savedCardToken', { savedCardToken: cardToken.replace('4', '5') }],
  ['a card in a value', { card: { value: { token: cardToken.replace('4', '5') } } }],
])('a charge of another card (%s) is not made right by a read', async (_where, more) => {
  const desk = await handDesk(({ name }) => order('SUCCESS', name === 'order.create' ? more : {}))
  for (const ended of [await desk.run(...charge), await desk.run(...charge)]) {
    unknown(ended)
    expect(ended.error.message).toContain('another card')
    expect(ended.stdout + ended.stderr).not.toContain(cardToken.replace('4', '5'))
  }
  expect(desk.count('order.create')).toBe(1)
})

describe('a creation that was refused, and that is there', () => {
  test('is a conflict for every command behind the read', async () => {
    let isUp = true
    const desk = await handDesk(({ name }): Said => {
      if (name === 'order.create') return { code: 6001, group: 1 }
      return isUp ? order('SUCCESS') : { plain: 'reset' }
    })
    expect((await desk.run(...charge)).code).toBe(5)
    const read = await desk.run('order', 'status', handOrder)
    expect(read.json.warnings, read.stderr).toContainEqual(expect.stringContaining('a conflict'))
    isUp = false
    undecided(await desk.run('order', 'wait', handOrder))
    const again = await desk.run(...charge)
    expect(again.error.moneyMoved, again.stderr).toBe('unknown')
  })

  test('is one, too, where `order diff` read it', async () => {
    const desk = await handDesk(
      ({ name }): Said => (name === 'order.create' ? { code: 6001, group: 1 } : order('SUCCESS')),
    )
    expect((await desk.run(...charge)).code).toBe(5)
    await desk.run('order', 'diff', handOrder)
    undecided(await desk.run(...charge))
  })

  test('is one, too, where it was read as paid and as ended unpaid while its own answer was on its way', async () => {
    let shown = 'SUCCESS'
    const desk: HandDesk = await handDesk(async ({ name }): Promise<Said> => {
      if (name !== 'order.create') return order(shown)
      await desk.run('order', 'status', handOrder)
      shown = 'FAILED'
      await desk.run('order', 'status', handOrder)
      return { code: 6001, group: 1 }
    })
    undecided(await desk.run(...charge))
    undecided(await desk.run(...charge))
  })

  test('is one, too, where it was read while its own answer was on its way', async () => {
    const desk: HandDesk = await handDesk(async ({ name }): Promise<Said> => {
      if (name !== 'order.create') return order('SUCCESS')
      expect((await desk.run('order', 'status', handOrder)).code).toBe(0)
      return { code: 6001, group: 1 }
    })
    undecided(await desk.run(...charge))
    undecided(await desk.run(...charge))
  })
})

/** A payout service whose details are `shown`, and that answers creates with `told`. */
async function paying(
  told: (desk: HandPayout, count: number) => Promise<object | 'reset'>,
  before: () => Promise<void> = async () => undefined,
) {
  const service = { shown: 'SUCCESS', amount: 12.5, description: 'Salary, November' }
  const desk: HandPayout = await handPayout(async ({ path }, count) => {
    if (path === '/api/distributor') {
      const answer = await told(desk, count)
      return answer === 'reset' ? 'reset' : json(answer, 'statusCode' in answer ? 400 : 200)
    }
    if (path !== '/api/distributor/details') return undefined
    await before()
    const details = { transactionId: 4712, status: service.shown, statusDescription: 'x', amount: service.amount }
    const more = { toIban: beneficiaryIban, paymentDescription: service.description, uniqueId: handOrder }
    return json({ value: { ...details, ...more, currency: 'GEL', createdAt: '2026-11-25T10:00:00' } })
  })
  return Object.assign(service, desk)
}

const taken = async (_desk: HandPayout, count: number) =>
  count === 1 ? 'reset' : { message: 'Duplicate', statusCode: 5017 }
const reconcile = ['payout', 'reconcile', handOrder, '--transaction-id', '4712']

describe('a payout', () => {
  test('to a registered receiver has no confirmed sum by details that name an account', async () => {
    const desk = await paying(taken)
    const receiver = ['--receiver-id', foreignOrder, '--receiver-type', 'USER', '--unique-id', handOrder]
    const sum = ['--amount', '12.50', '--currency', 'GEL', '--description', 'Salary, November', '--yes']
    const paid = await desk.run('payout', 'create', ...receiver, ...sum)
    expect(paid.code, paid.stderr).toBe(0)
    const read = await desk.run('payout', 'get', '4712')
    expect(read.code, read.stderr).toBe(0)
    const row = (await desk.run('journal', 'show', handOrder)).json
    expect(row).toMatchObject({ sumConfirmed: false })
  })

  test('that was read as paid is not ended unpaid by a reconciliation', async () => {
    const desk = await paying(taken)
    expect((await desk.pay()).code).toBe(0)
    expect((await desk.run('payout', 'get', '4712')).code).toBe(0)
    desk.shown = 'FAILED'
    for (const argv of [reconcile, ['payout', 'wait', '4712'], reconcile]) unknown(await desk.run(...argv))
    unknown(await desk.pay())
    desk.shown = 'SUCCESS'
    expect((await desk.run(...reconcile)).code).toBe(0)
    expect((await desk.pay()).code).toBe(0)
  })

  test('that was read as paid before its own answer came is not ended unpaid by a later read', async () => {
    const desk = await paying(async (desk) => {
      expect((await desk.run('payout', 'get', '4712')).code).toBe(0)
      return { transactionId: 4712, status: 'INITIAL', createdAt: '2026-11-25T10:00:00', uniqueId: handOrder }
    })
    expect((await desk.pay()).code).toBe(0)
    desk.shown = 'FAILED'
    unknown(await desk.run('payout', 'wait', '4712'))
  })

  test('whose other sum was read before its own answer took it is a conflict', async () => {
    const desk = await paying(async (desk) => {
      await desk.run('payout', 'get', '4712')
      return { transactionId: 4712, status: 'INITIAL', createdAt: '2026-11-25T10:00:00', uniqueId: handOrder }
    })
    desk.amount = 99
    undecided(await desk.pay())
    undecided(await desk.pay())
  })

  test('that was read before its own answer refused it is a conflict', async () => {
    const desk = await paying(async (desk) => {
      expect((await desk.run('payout', 'get', '4712')).code).toBe(0)
      return { message: 'No', statusCode: 5023 }
    })
    undecided(await desk.pay())
    for (const argv of [
      ['payout', 'wait', handOrder],
      ['resume', handOrder],
    ])
      undecided(await desk.run(...argv))
    undecided(await desk.pay())
    // The same payment under another id is held against it.
    const beside = await desk.pay({ 'unique-id': foreignOrder, 'dry-run': true })
    expect(beside.stdout + beside.stderr).toContain('24 hours')
  })

  test.each(['SUCCESS', 'FAILED'])(
    'whose other sum was read as %s before its own answer refused it is a conflict',
    async (shown) => {
      const desk = await paying(async (desk) => {
        await desk.run('payout', 'get', '4712')
        return { message: 'No', statusCode: 5023 }
      })
      Object.assign(desk, { amount: 99, shown })
      undecided(await desk.pay())
      undecided(await desk.pay())
    },
  )

  test('that `payout diff` read as paid is not ended unpaid by a later read', async () => {
    const desk = await paying(async () => {
      return { transactionId: 4712, status: 'INITIAL', createdAt: '2026-11-25T10:00:00', uniqueId: handOrder }
    })
    expect((await desk.pay()).code).toBe(0)
    await desk.run('payout', 'diff', '4712')
    desk.shown = 'FAILED'
    unknown(await desk.run('payout', 'wait', '4712'))
    unknown(await desk.pay())
  })

  test('that a reconciliation found under another description is not refused later', async () => {
    let isCalm = false
    const desk = await paying(async () => (isCalm ? { message: 'No', statusCode: 5042 } : 'reset'))
    const lost = await desk.pay()
    unknown(lost)
    desk.description = 'Rewritten by the bank'
    expect((await desk.run(...reconcile)).code).toBe(7)
    isCalm = true
    undecided(await desk.run('resume', String(lost.error.journalId), '--yes'))
  })

  test('that two processes read at once is in doubt for the slower one', async () => {
    let isSlow = true
    const desk: HandPayout & { shown: string } = await paying(
      async () => ({ transactionId: 4712, status: 'INITIAL', createdAt: '2026-11-25T10:00:00', uniqueId: handOrder }),
      async () => {
        if (!isSlow) return
        isSlow = false
        await desk.run('payout', 'get', '4712')
        desk.shown = 'FAILED'
      },
    )
    expect((await desk.pay()).code).toBe(0)
    unknown(await desk.run('payout', 'wait', '4712'))
  })

  test('whose other sum was read is settled by a reconciliation', async () => {
    const desk = await paying(async () => {
      return { transactionId: 4712, status: 'INITIAL', createdAt: '2026-11-25T10:00:00', uniqueId: handOrder }
    })
    expect((await desk.pay()).code).toBe(0)
    desk.amount = 99
    expect((await desk.run('payout', 'get', '4712')).code).toBe(7)
    desk.amount = 12.5
    expect((await desk.run(...reconcile)).code).toBe(0)
    expect((await desk.pay()).code).toBe(0)
  })
})

test('of several that are resolved at once a conflict outweighs a refusal', async () => {
  const answers: Record<string, (object | 'reset')[]> = {
    // A conflict whose next attempt is lost, and a payout that is refused in the end.
    [handOrder]: [{ message: 'Duplicate', statusCode: 5017 }, 'reset', 'reset', 'reset', 'reset'],
    [foreignOrder]: ['reset', 'reset', 'reset', 'reset'],
  }
  let isCalm = false
  const desk = await handPayout(({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId } = JSON.parse(body) as { uniqueId: string }
    const calm = { message: 'No', statusCode: uniqueId === handOrder ? 5017 : 5023 }
    const answer = isCalm ? calm : (answers[uniqueId]?.shift() ?? 'reset')
    return answer === 'reset' ? 'reset' : json(answer, 400)
  })
  expect((await desk.pay()).code).toBe(7)
  unknown(await desk.pay())
  unknown(await desk.pay({ 'unique-id': foreignOrder, amount: '7.50' }))
  isCalm = true
  const ended = await desk.run('resume', '--all', '--yes')
  expect(ended, ended.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
})
