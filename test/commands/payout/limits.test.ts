/** Limits of a profile: a payout over a limit is held, not sent, and can be sent later under its own id. */
import { expect, test } from 'vitest'
import { impatient, stillClock } from '../../kit/clock.ts'
import { create, type Flags } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { type Answering, addHandProfile, json, serviceByHand } from '../../kit/service.ts'

const hour = 60 * 60 * 1000
const morning = Date.parse('2026-11-20T06:00:00Z')

/** A desk at a service by hand whose profile has limits. */
async function limited(limits: readonly string[], answering: Answering = () => undefined) {
  const home = newHome()
  const clock = stillClock(morning)
  const around = { home, clock, random: impatient }
  const service = await serviceByHand(answering)
  await addHandProfile(home, service.url)
  const run = (argv: readonly string[]) => paydesk([...argv, '--json'], around)
  const setLimits = (...given: readonly string[]) => run(['profile', 'add', 'hand', ...given])
  await succeeds(setLimits(...limits.flatMap((limit) => ['--limit', limit])))
  const pay = (more: Flags = {}) => run(create({ profile: 'hand', ...more }))
  const state = async (id: unknown) => (await run(['journal', 'show', String(id)])).json
  const left = async () => (await run(['profile', 'show', 'hand'])).json.limits as Record<string, unknown>[]
  return { home, clock, service, run, pay, state, left, setLimits }
}

test.each([
  [
    'GEL 100/payout',
    'GEL 100.01 is above the limit of GEL 100.00/payout (the limit is set by who manages this profile: `paydesk profile show`)',
  ],
  [
    'GEL 100/day',
    'GEL 100.01 is above the limit of GEL 100.00/day (the limit is set by who manages this profile: `paydesk profile show`)',
  ],
])('payout create: a payout over %s is held (13), and nothing is sent, not even a sign-in', async (limit, words) => {
  const { service, pay, state } = await limited([limit])
  const ended = await pay({ amount: '100.01' })
  expect(ended.code, ended.stderr).toBe(13)
  expect(ended.stdout).toBe('')
  expect(ended.error).toMatchObject({
    name: 'held',
    exit: 13,
    operation: 'payout.create',
    moneyMoved: 'no',
    retry: 'same-id',
    message: expect.stringContaining(words),
    hints: [
      `When it fits: \`paydesk resume ${ended.error.journalId}\`.`,
      '`paydesk profile show -p hand` shows the limits and what is left of them.',
      `If it should not be paid: \`paydesk resume ${ended.error.journalId} --settle refused --because "…"\`.`,
    ],
  })
  expect(service.seen).toEqual([])
  expect(await state(ended.error.journalId)).toMatchObject({
    state: 'held',
    attempts: [],
    because: `over a limit: ${words}`,
  })
})

test('payout create: a held payout says what is left of each limit, and when it fits in Tbilisi time', async () => {
  const { service, pay } = await limited(['GEL 20/day', '2/hour'])
  expect((await pay({ amount: '12.50' })).code).toBe(0)
  expect((await pay({ amount: '1' })).code).toBe(0)
  const ended = await pay({ amount: '7.50' })
  expect(ended.code).toBe(13)
  expect(ended.error.message).toContain(
    'GEL 20.00/day leaves GEL 6.50; GEL 7.50 is possible from 2026-11-21 00:00 Tbilisi time',
  )
  expect(ended.error.message).toMatch(/2\/hour leaves 0 payouts; 1 payout is possible from 2026-11-20 11:0\d/)
  expect(service.creates).toHaveLength(2)
})

test('payout create: a limit counts its own currency only, and a limit of 0 holds every payout in it (13)', async () => {
  const { pay } = await limited(['GEL 1/day', 'EUR 0/payout'])
  expect((await pay({ currency: 'USD', amount: '500' })).code).toBe(0)
  expect((await pay({ currency: 'EUR', amount: '0.02' })).code).toBe(13)
})

test('payout create: a payout of exactly the limit is sent, and the next one is held (13)', async () => {
  const { pay, left } = await limited(['GEL 12.50/payout', 'GEL 25/day', '2/hour'])
  expect((await pay({ key: 'a' })).code).toBe(0)
  expect((await pay({ key: 'b' })).code).toBe(0)
  expect(await left()).toMatchObject([
    { limit: 'GEL 12.50/payout', spent: null, left: null },
    { limit: 'GEL 25.00/day', per: 'day', currency: 'GEL', most: 25, spent: 25, left: 0 },
    { limit: '2/hour', per: 'hour', currency: null, most: 2, spent: 2, left: 0 },
  ])
  expect((await pay({ key: 'c', amount: '0.02' })).code).toBe(13)
})

/** One payout that took the day's limit, and one that is held for it. */
async function heldUntilTomorrow(answering?: Answering) {
  const scene = await limited(['GEL 20/day'], answering)
  expect((await scene.pay({ key: 'first' })).code).toBe(0)
  const held = await scene.pay({ key: 'second' })
  expect(held.code).toBe(13)
  return { ...scene, journalId: String(held.error.journalId), uniqueId: held.error.uniqueId }
}

test('resume: a held payout is 13 until it fits, and then sent under its own id', async () => {
  const { clock, service, run, journalId, uniqueId, state } = await heldUntilTomorrow()
  // 20:00 in Tbilisi is 16:00 UTC; the day ends four hours later.
  clock.skip(13.9 * hour)
  const early = await run(['resume', journalId])
  expect(early).toMatchObject({ code: 13, error: { journalId, exit: 13 } })
  clock.skip(0.2 * hour)
  const ended = await run(['resume', journalId])
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { outcome: 'accepted', uniqueId, journalId } })
  expect(JSON.parse(service.creates[1]?.body ?? '')).toMatchObject({ uniqueId })
  expect(await state(journalId)).toMatchObject({ state: 'accepted', because: null, attempts: [{ number: 1 }] })
})

test('payout create --key: a held payout is sent once by the same command when it fits', async () => {
  const { clock, service, pay, uniqueId } = await heldUntilTomorrow()
  expect((await pay({ key: 'second' })).error).toMatchObject({ exit: 13, uniqueId })
  clock.skip(24 * hour)
  expect(await pay({ key: 'second' })).toMatchObject({ code: 0, json: { uniqueId, replayed: false } })
  expect(await pay({ key: 'second' })).toMatchObject({ code: 0, json: { uniqueId, replayed: true } })
  expect(service.creates).toHaveLength(2)
})

test('resume: a held payout is sent after its limit was raised', async () => {
  const { service, run, journalId, setLimits } = await heldUntilTomorrow()
  expect((await setLimits('--limit', 'GEL 25/day', '--replace')).code).toBe(0)
  expect((await run(['resume', journalId])).code).toBe(0)
  expect(service.creates).toHaveLength(2)
})

test('resume: a held payout is not sent without its id, nor by --all', async () => {
  const { clock, service, run, journalId, state } = await heldUntilTomorrow()
  clock.skip(24 * hour)
  expect(await run(['resume', '-p', 'hand'])).toMatchObject({ code: 0, json: [] })
  expect(await run(['resume', '--all'])).toMatchObject({ code: 0, json: [] })
  expect(await state(journalId)).toMatchObject({ state: 'held' })
  expect(service.creates).toHaveLength(1)
})

test('resume: a payout that was held for more than a day needs --confirm (2)', async () => {
  const { clock, service, run, journalId } = await heldUntilTomorrow()
  clock.skip(25 * hour)
  const ended = await run(['resume', journalId])
  expect(ended).toMatchObject({ code: 2, error: { journalId, moneyMoved: 'no' } })
  expect(ended.error.message).toContain('--confirm "GEL 12.50"')
  expect(service.creates).toHaveLength(1)
  expect((await run(['resume', journalId, '--confirm', 'GEL 12.50'])).code).toBe(0)
  expect(service.creates).toHaveLength(2)
})

test('payout create --key: a held payout can be changed, because nothing of it was sent', async () => {
  const { pay, uniqueId, service } = await heldUntilTomorrow()
  expect(await pay({ key: 'second', amount: '7.50' })).toMatchObject({ code: 0, json: { uniqueId } })
  expect(JSON.parse(service.creates[1]?.body ?? '')).toMatchObject({ uniqueId, amount: 7.5 })
})

test('resume --settle: a held payout can be refused by the operator, and not settled as executed (2)', async () => {
  const { run, journalId, state, service } = await heldUntilTomorrow()
  const word = (said: string) => run(['resume', journalId, '--settle', said, '--because', 'paid in cash', '--yes'])
  expect(await word('executed')).toMatchObject({ code: 2, error: { moneyMoved: 'no' } })
  expect(await state(journalId)).toMatchObject({ state: 'held' })
  expect((await word('refused')).code).toBe(0)
  expect(await state(journalId)).toMatchObject({ state: 'refused', because: 'the operator says: paid in cash' })
  expect((await run(['resume', journalId])).code).toBe(5)
  expect(service.creates).toHaveLength(1)
})

test('journal list --state held: a held payout is listed, and payout get is 6', async () => {
  const { run, journalId } = await heldUntilTomorrow()
  expect((await run(['journal', 'list', '--state', 'held'])).json).toMatchObject([{ journalId, state: 'held' }])
  expect(await run(['payout', 'get', journalId, '-p', 'hand'])).toMatchObject({ code: 6, error: { moneyMoved: 'no' } })
})

test('payout create: a payout like a held one is warned about, and the held one is then refused (7) unless allowed', async () => {
  const { run, pay, setLimits, service } = await limited(['GEL 10/payout'])
  const held = await pay({ amount: '12' })
  expect(held.code).toBe(13)
  expect((await setLimits('--limit', 'GEL 20/payout', '--replace')).code).toBe(0)
  const warned = await pay({ amount: '12' })
  expect(warned.code).toBe(0)
  expect(warned.json.warnings).toEqual([
    expect.stringContaining(`the same amount to the same payee is held: ${held.error.journalId}`),
  ])
  expect((await setLimits('--duplicate-guard', 'refuse', '--replace')).code).toBe(0)
  // By now the other one was sent in its place.
  const refused = await run(['resume', String(held.error.journalId)])
  expect(refused).toMatchObject({ code: 7, error: { journalId: warned.json.journalId } })
  expect(service.creates).toHaveLength(1)
  const meant = ['--allow-duplicate', String(warned.json.journalId)]
  expect((await run(['resume', String(held.error.journalId), ...meant])).code).toBe(0)
  expect(service.creates).toHaveLength(2)
})

test('payout create: a payout like a held one is refused (7) by the guard, and the hint resumes the held one', async () => {
  const { pay, setLimits } = await limited(['GEL 10/payout'])
  expect((await setLimits('--duplicate-guard', 'refuse')).code).toBe(0)
  const held = await pay({ amount: '12' })
  const ended = await pay({ amount: '12' })
  expect(ended).toMatchObject({ code: 7, error: { journalId: held.error.journalId, moneyMoved: 'no' } })
  expect(ended.error.hints).toContainEqual(expect.stringContaining(`paydesk resume ${held.error.journalId}`))
})

const refusal: Answering = ({ path, body }) =>
  path === '/api/distributor' && body.includes('"amount":13')
    ? json({ message: 'no', statusCode: 5042 }, 400)
    : undefined

test('payout create: a refused payout frees its part of the limit, an unknown one does not, and its resume is not held', async () => {
  let isLost = false
  const { pay, run, left, service } = await limited(['GEL 20/day'], (request, count) =>
    isLost && request.path === '/api/distributor' ? 'reset' : refusal(request, count),
  )
  expect((await pay({ amount: '13' })).code).toBe(5)
  expect(await left()).toMatchObject([{ spent: 0, left: 20 }])
  isLost = true
  const lost = await pay({ amount: '15', key: 'lost' })
  expect(lost.code).toBe(9)
  isLost = false
  expect(await left()).toMatchObject([{ spent: 15, left: 5 }])
  expect((await pay({ amount: '6' })).code).toBe(13)
  const before = service.creates.length
  expect((await run(['resume', String(lost.error.journalId)])).code).toBe(0)
  expect(service.creates).toHaveLength(before + 1)
  expect(await left()).toMatchObject([{ spent: 15, left: 5 }])
})

test('payout create: a payout that failed after it was accepted counts against the limit', async () => {
  const { pay, run, left } = await limited(['GEL 20/day'], ({ path, query }) =>
    path === '/api/distributor/details' && query.includes('4711')
      ? json({
          value: {
            ...{ transactionId: 4711, status: 'FAILED', statusDescription: 'Failed', amount: 15, currency: 'GEL' },
            ...{ toIban: 'GE29NB0000000101904917', paymentDescription: 'Salary, November' },
            ...{ uniqueId: id, createdAt: '2026-11-20T10:00:00' },
          },
        })
      : undefined,
  )
  let id: unknown = null
  const paid = await pay({ amount: '15' })
  id = paid.json.uniqueId
  expect((await run(['payout', 'get', String(paid.json.journalId), '-p', 'hand'])).json).toMatchObject({
    status: 'FAILED',
  })
  expect(await left()).toMatchObject([{ spent: 15, left: 5 }])
})

test('payout create: every profile of the same client counts, and each is held by its own limits', async () => {
  const { home, pay, run, left, service } = await limited(['GEL 20/day'])
  const argv = ['profile', 'add', 'other', '--base-url', service.url, '--environment', 'test']
  const secret = ['--client-secret-file', `${home}/hand.secret`]
  const added = await run([...argv, '--client-id', '11111111-2222-4333-8444-555555555555', ...secret])
  expect(added.json.warnings).toEqual([
    'hand is the same client: its payouts count here, too, but each is held by its own limits (other has none; hand has GEL 20.00/day)',
  ])
  expect((await pay({ profile: 'other', amount: '18' })).code).toBe(0)
  expect(await left()).toMatchObject([{ spent: 18, left: 2 }])
  expect((await pay({ amount: '3' })).code).toBe(13)
  expect((await pay({ profile: 'other', amount: '300' })).code).toBe(0)
})
