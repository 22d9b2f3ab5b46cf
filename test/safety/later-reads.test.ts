/**
 * A read never takes back what an earlier answer told. An answer without a definite meaning may tell a status of its thing all the same:
 * a later read from a copy that lags behind does not deny that status.
 */
import { describe, expect, test } from 'vitest'
import type { Ended } from '../kit/program/paydesk.ts'
import { foreignOrder, type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { chargeCard, createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import { plain, sealedWrites, type WriteName, writes } from '../kit/service/hand-writes.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'
import { verdictOn } from '../kit/service/verdict.ts'

const charge = chargeCard()
const refund = sealedWrites['order refund'].argv()
const complete = sealedWrites['order complete'].argv()
const newOrder = sealedWrites['order create'].argv()
const status = ['order', 'status', handOrder]
const readLater = 20 * 60_000

const told = (status: string, more: object = {}) => ({
  ...{ integratorOrderId: handOrder, uniqueId: handOrder, status },
  ...more,
})
const under = (http: number, status: string): Said => plain(told(status), http)

/** Neither done nor denied. */
function undecided(ended: Ended) {
  expect([7, 9], ended.stdout + ended.stderr).toContain(ended.code)
  expect(ended.error.moneyMoved, ended.stderr).toBe('unknown')
}

interface Told {
  readonly name: WriteName
  readonly argv: readonly string[]
  /** The status that its answer tells. */
  readonly status: string
  /** The status that a lagging copy of the service shows; null where it does not know the thing. */
  readonly before: string | null
}

const tellers: readonly Told[] = [
  { name: 'order refund', argv: refund, status: 'PARTIALLY_REFUNDED', before: 'SUCCESS' },
  { name: 'order complete', argv: complete, status: 'SUCCESS', before: 'WAITING_FOR_CONFIRM' },
  { name: 'order create with a card', argv: charge, status: 'SUCCESS', before: null },
]

/** Answers that prove nothing, and tell a status. */
const forms: Readonly<Record<string, (status: string) => Said>> = {
  'with an error': (status) => ({ value: told(status, { errorMessage: 'x' }) }),
  'without its id': (status) => ({ value: { status } }),
  'in small letters, without its id': (status) => ({ value: { status: status.toLowerCase() } }),
  'under HTTP 500': (status) => under(500, status),
  'under HTTP 401': (status) => under(401, status),
  'under HTTP 429': (status) => under(429, status),
  'under HTTP 503': (status) => under(503, status),
  'without an envelope': (status) => under(200, status),
  'beside another status in the clear': (status) => ({ value: told(status), clear: { status: 'SOMETHING' } }),
}

const rows = tellers.flatMap(({ name, status }) =>
  Object.entries(forms).map(([form, say]) => [name, status, form, say(status)] as const),
)
const finalized = [500, 503, 401, 429].map(
  (http) => ['wallet finalize', 'SUCCESS', `under HTTP ${http}`, under(http, 'SUCCESS')] as const,
)
const own = writes['payout create'].done
const paid = (
  [
    ['under HTTP 500', plain(own, 500)],
    ['under HTTP 503', plain(own, 503)],
    ['under HTTP 401', plain(own, 401)],
    ['beside an error', plain({ ...own, errorMessage: 'x' }, 200)],
    ['beside a refusal', plain({ ...own, statusCode: 5038, message: 'x' }, 400)],
  ] as const
).map(([form, said]) => ['payout create', 'INITIAL', form, said] as const)

test.each([...rows, ...finalized])('%s: the status %s %s is unknown, and kept', async (name, status, _form, said) => {
  expect(await verdictOn(name, said)).toMatchObject({ kind: 'unknown', told: status })
})

test.each(paid)('%s: the status %s %s is unknown', async (name, _status, _form, said) => {
  expect((await verdictOn(name, said)).kind).toBe('unknown')
})

test('order refund: a failed refund is unknown, and kept as REFUNDED_FAILED', async () => {
  const said = { value: told('REFUNDED_FAILED') }
  expect(await verdictOn('order refund', said)).toMatchObject({ kind: 'unknown', told: 'REFUNDED_FAILED' })
})

test.each([
  ['order create with a card', plain({ status: 'PROCESSING', message: 'busy' }, 502)],
  ['order create with a card', plain({ status: 'PROCESSING', message: 'busy' }, 503)],
  ['order refund', { value: { ...told('PARTIALLY_REFUNDED'), integratorOrderId: foreignOrder } }],
  ['order complete', under(500, `REFUNDED_BY_${'A'.repeat(2 ** 20)}`)],
] as const)('%s: an answer keeps no status that is not its own (%#)', async (name, said) => {
  const verdict = await verdictOn(name, said)
  expect(verdict.kind).toBe('unknown')
  expect((verdict as { told?: string | null }).told ?? null).toBeNull()
})

/** The service answers the write with `said` once, and later writes as done. It can be read once `mayBeRead` is called. */
async function answering({ name, before }: Told, said: Said): Promise<HandDesk & { mayBeRead: () => void }> {
  let isRead = false
  const { operation } = writes[name]
  const desk = await handDesk((call): Said => {
    if (call.name === operation) return call.count === 1 ? said : { value: told('SUCCESS') }
    if (call.name === 'order.create') return { value: told('SUCCESS') }
    if (!isRead) return { plain: 'reset' }
    return before === null ? { code: 6005, group: 2 } : { value: told(before) }
  })
  const mayBeRead = () => {
    isRead = true
  }
  return Object.assign(desk, { mayBeRead })
}

async function staysUndecided(teller: Told, said: Said, skipped = 0) {
  const desk = await answering(teller, said)
  undecided(await desk.run(...teller.argv))
  desk.mayBeRead()
  desk.skip(skipped)
  await desk.run(...status)
  for (const argv of [['resume', '--all'], teller.argv]) undecided(await desk.run(...argv))
  expect(desk.count(writes[teller.name].operation)).toBe(1)
}

describe.each(tellers)('$name', (teller) => {
  const { name, argv } = teller

  test.each([
    ['its status under HTTP 500', under(500, teller.status)],
    ['6016, while nothing can be read', { code: 6016, group: 2 }],
  ] as const)(
    `${name}: an answer with %s is not denied by a copy that lags behind, and not sent again`,
    async (_, said) => {
      await staysUndecided(teller, said, readLater)
    },
  )

  test(`${name}: a lost answer that no read shows within 15 minutes is not executed (5), and is sent again`, async () => {
    const desk = await answering(teller, { plain: 'reset' })
    undecided(await desk.run(...argv))
    desk.mayBeRead()
    desk.skip(readLater)
    expect((await desk.run('resume', '--all')).code).toBe(5)
    await desk.run(...argv)
    expect(desk.count(writes[name].operation)).toBe(2)
  })
})

const [refunding, completing, charging] = tellers as readonly [Told, Told, Told]

test.each([
  ['order refund', 'FAILED', refunding],
  ['order complete', 'CANCELED', completing],
  ['order create with a card', 'FAILED', charging],
  ['order create with a card', 'CANCELED', charging],
] as const)('%s: a status under HTTP 500 is not denied by a later %s', async (_name, before, teller) => {
  await staysUndecided({ ...teller, before }, under(500, teller.status))
})

test('order refund: an answer about another order is a lost answer, and is sent again', async () => {
  const desk = await answering(refunding, { value: told(refunding.status, { integratorOrderId: foreignOrder }) })
  undecided(await desk.run(...refund))
  desk.mayBeRead()
  desk.skip(readLater)
  expect((await desk.run('resume', '--all')).code).toBe(5)
  await desk.run(...refund)
  expect(desk.count('order.refund')).toBe(2)
})

test.each(['with an error', 'under HTTP 500'])(
  'order refund: a lost refund whose status is read %s is not sent again',
  async (form) => {
    let shown: Said = { plain: 'reset' }
    const desk = await handDesk(({ name }): Said => {
      if (name === 'order.create') return { value: told('SUCCESS') }
      return name === 'order.refund' ? { plain: 'reset' } : shown
    })
    expect((await desk.run(...charge)).code).toBe(0)
    undecided(await desk.run(...refund))
    shown = forms[form]?.('REFUND_REQUESTED') ?? shown
    expect((await desk.run(...status)).code).toBe(9)
    shown = { value: told('SUCCESS') }
    desk.skip(readLater)
    for (const argv of [['resume', '--all'], refund]) undecided(await desk.run(...argv))
    expect(desk.count('order.refund')).toBe(1)
  },
)

test('wallet finalize: SUCCESS under HTTP 500 is not denied by details that read FAILED', async () => {
  let shown: Said = { plain: 'reset' }
  const desk = await handDesk(({ name }): Said => {
    if (name === 'wallet.create') return { value: told('REGISTERED') }
    return name === 'wallet.finalize' ? under(500, 'SUCCESS') : shown
  })
  await desk.run(...createWallet)
  undecided(await desk.run(...finalizeWallet))
  shown = { value: told('FAILED') }
  await desk.run('wallet', 'details', handOrder)
  for (const argv of [['resume', '--all'], finalizeWallet]) undecided(await desk.run(...argv))
})

test('wallet finalize: a lost answer that was read as SUCCESS under HTTP 500 is not denied by REGISTERED', async () => {
  let read: Said = { plain: { status: 503, body: '{}' } }
  const desk = await handDesk(({ name }): Said => {
    if (name === 'wallet.create') return { value: told('REGISTERED') }
    return name === 'wallet.finalize' ? { plain: 'reset' } : read
  })
  await desk.run(...createWallet)
  undecided(await desk.run(...finalizeWallet))
  read = under(500, 'SUCCESS')
  undecided(await desk.run('wallet', 'details', handOrder))
  read = { value: told('REGISTERED') }
  desk.skip(2 * readLater)
  undecided(await desk.run('resume', '--all'))
})

test.each([5023, 5042])(
  'payout create: an acceptance under HTTP 500 is not denied by %d of a repeat',
  async (statusCode) => {
    const taken = { transactionId: 4712, status: 'INITIAL', createdAt: '2026-11-25T10:00:00', uniqueId: handOrder }
    const desk = await handPayout(({ path, method }, count) => {
      if (path !== '/api/distributor' || method !== 'POST') return undefined
      return count === 1 ? json(taken, 500) : json({ statusCode, message: 'No' }, 400)
    })
    for (let run = 0; run < 2; run += 1) undecided(await desk.pay({ key: null }))
    undecided(await desk.run('resume', handOrder))
  },
)

test('order create: a charge that was told as paid under HTTP 500 stays open until its order reads SUCCESS', async () => {
  let shown = 'PROCESSING'
  const desk = await handDesk(({ name, count }): Said => {
    if (name === 'order.create') return count === 1 ? under(500, 'SUCCESS') : { code: 6023, group: 2 }
    return { value: told(shown) }
  })
  undecided(await desk.run(...charge))
  shown = 'FAILED'
  undecided(await desk.run('order', 'wait', handOrder))
  undecided(await desk.run(...charge))
  shown = 'SUCCESS'
  expect((await desk.run('resume', handOrder)).json).toMatchObject({ outcome: 'exists', status: 'SUCCESS' })
  expect(desk.count('order.create')).toBe(1)
})

test('order create: of two statuses in one answer under HTTP 500 the paid one is kept', async () => {
  let shown = 'PROCESSING'
  const both = { ...told('PROCESSING'), payment: { status: 'SUCCESS' } }
  const desk = await handDesk(({ name }): Said => (name === 'order.create' ? plain(both, 500) : { value: told(shown) }))
  undecided(await desk.run(...charge))
  shown = 'FAILED'
  undecided(await desk.run(...charge))
})

test('journal show: an attempt names the status that its unknown answer told', async () => {
  const desk = await handDesk(
    ({ name }): Said => (name === 'order.refund' ? under(500, 'REFUND_REQUESTED') : { plain: 'reset' }),
  )
  const { error } = await desk.run(...refund)
  const [attempt] = (await desk.run('journal', 'show', String(error.journalId))).json.attempts as { decision: string }[]
  expect(attempt).toMatchObject({
    told: 'REFUND_REQUESTED',
    decision: expect.stringMatching(/; it told REFUND_REQUESTED all the same$/),
  })
})

test('order create: a read of SUCCESS under HTTP 500 does not make a new order paid', async () => {
  let read: Said = under(500, 'SUCCESS')
  const desk = await handDesk(({ name }): Said => (name === 'order.create' ? { value: told('INITIAL') } : read))
  expect((await desk.run(...newOrder)).code).toBe(0)
  expect((await desk.run(...status)).code).toBe(9)
  read = { value: told('INITIAL') }
  expect((await desk.run(...newOrder)).json).toMatchObject({ status: 'INITIAL' })
})

test('order create: a word such as PROCESSING of a gateway under HTTP 502 is no trace of the charge (5)', async () => {
  const desk = await handDesk(({ name, count }): Said => {
    if (name !== 'order.create') return { code: 6005, group: 5 }
    return count === 1 ? plain({ status: 'PROCESSING', message: 'busy' }, 502) : { value: told('SUCCESS') }
  })
  undecided(await desk.run(...charge))
  desk.skip(readLater)
  expect((await desk.run('resume', '--all')).code).toBe(5)
})

test.each([
  ['order complete', 6006, complete],
  ['order create with a card', 6016, charge],
] as const)('%s: %d while nothing can be read is not made done by a later SUCCESS', async (name, code, argv) => {
  let isRead = false
  const desk = await handDesk((call): Said => {
    if (call.name === writes[name].operation) return { code, group: 2 }
    return isRead ? { value: told('SUCCESS') } : { plain: { status: 503, body: '{}' } }
  })
  undecided(await desk.run(...argv))
  isRead = true
  undecided(await desk.run('resume', '--all'))
  undecided(await desk.run(...argv))
})

test('order status: an answer with 3000 statuses leaves one of them in the journal', async () => {
  const statuses = Array.from({ length: 3000 }, (_, at) => ({ status: `REFUNDED_BY_${at}` }))
  let read: Said = { plain: { status: 503, body: '{}' } }
  const desk = await handDesk(({ name }): Said => (name === 'order.complete' ? { plain: 'reset' } : read))
  undecided(await desk.run(...complete))
  read = plain({ integratorOrderId: handOrder, x: statuses }, 500)
  expect((await desk.run(...status)).code).toBe(9)
  const [known] = JSON.parse((await desk.run('journal', 'list')).stdout) as { status: string }[]
  expect(known?.status).toMatch(/^REFUNDED_BY_\d+$/)
})

test('order complete: a status of a megabyte comes neither onto the screen nor into the journal', async () => {
  const long = under(500, `REFUNDED_BY_${'A'.repeat(2 ** 20)}`)
  const desk = await handDesk(({ name }): Said => (name === 'order.complete' ? long : { plain: 'reset' }))
  const ended = await desk.run(...complete)
  undecided(ended)
  expect(ended.stderr.length).toBeLessThan(10_000)
  expect((await desk.run('journal', 'show', String(ended.error.journalId))).stdout).not.toContain('AAAA')
})

test('wallet finalize: an answer of SUCCESS is unknown (9) once details read FAILED, and done again once they read SUCCESS', async () => {
  let shown = 'SUCCESS'
  const desk = await handDesk(({ name }) => ({ value: told(name === 'wallet.finalize' ? 'SUCCESS' : shown) }))
  expect((await desk.run(...finalizeWallet)).code).toBe(0)
  shown = 'FAILED'
  await desk.run('wallet', 'details', handOrder)
  const ended = await desk.run(...finalizeWallet)
  expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
  expect(ended.error.message).toMatch(/SUCCESS.*FAILED|FAILED.*SUCCESS/)
  for (const open of ['SUCCESS', 'REGISTERED']) {
    shown = open
    await desk.run('wallet', 'details', handOrder)
    expect((await desk.run(...finalizeWallet)).json).toMatchObject({ status: 'SUCCESS', replayed: true })
  }
  expect(desk.count('wallet.finalize')).toBe(1)
})

test('order create: a charge that was answered as paid is unknown (9) once its order reads FAILED', async () => {
  let shown = 'SUCCESS'
  const desk = await handDesk(({ name }) => ({ value: told(name === 'order.create' ? 'SUCCESS' : shown) }))
  expect((await desk.run(...charge)).code).toBe(0)
  shown = 'FAILED'
  await desk.run(...status)
  const ended = await desk.run(...charge)
  expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
  expect(desk.count('order.create')).toBe(1)
})
