/** `payout create` meets every fault of the sandbox at every place: no payment twice, none lost, none misreported. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type AnswerFaultKind, answerFaultKinds, faultPlaces } from '../../src/lib/sandbox/faults.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'
import { addFault, clearFaults, ledgerOf } from '../kit/world.ts'

const cases = faultPlaces.flatMap((at) => answerFaultKinds.map((kind) => [kind, at] as const))

/** The meaning of a fault that never ends (money-safety.md#the-one-rule-for-answers): these two turn away, the rest prove nothing. */
const lastingExit: Partial<Record<AnswerFaultKind, number>> = { '401': 4, '429': 5 }

/** Only an answer that never comes is given up: after so long. */
const answerTimeout = (kind: AnswerFaultKind, milliseconds: number) =>
  kind === 'hang' || kind === 'half-written' ? { 'answer-timeout': `${milliseconds}ms` } : {}

function start() {
  const home = newHome()
  return { home, around: { home, clock: hurriedClock(), random: impatient } }
}

/** One sandbox for many payouts; its faults are of one test. */
let standing: ReturnType<typeof start> | undefined
async function withFault(fault: Parameters<typeof addFault>[1]) {
  if (!standing) {
    standing = start()
    // Signs in: the answers that are timed are those to creates.
    expect((await paydesk(create(), standing.around)).code).toBe(0)
  }
  await clearFaults(standing.home)
  await addFault(standing.home, fault)
  return standing
}

/** How often the service executed the payout of this id. */
async function executionsOf(home: string, id: unknown): Promise<readonly number[]> {
  return (await ledgerOf(home)).flatMap(({ uniqueId, executions }) => (uniqueId === id ? [executions] : []))
}

// A service that executes and then turns away lies: its 5017 does not say whose payout it means.
const isLie = ([kind, at]: (typeof cases)[number]) => at === 'after' && lastingExit[kind] !== undefined

test.each(cases.filter((each) => !isLie(each)))(
  'payout create, %s once, %s the service has seen it: executed once (0)',
  async (kind, at) => {
    const { home, around } = await withFault({ at, kind })
    const ended = await paydesk([...create(answerTimeout(kind, 1000)), '--json'], around)
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stderr).toBe('')
    expect(ended.json).toMatchObject({ outcome: at === 'before' ? 'accepted' : 'exists' })
    const executed = (await ledgerOf(home)).filter(({ uniqueId }) => uniqueId === ended.json.uniqueId)
    expect(executed).toMatchObject([{ executions: 1 }])
    if (at === 'before') expect(ended.json.transactionId).toBe(executed[0]?.transactionId)
  },
)

test.each(cases.filter(isLie))(
  'payout create, %s once, %s the service has executed it: conflict (7), executed once',
  async (kind, at) => {
    const { home, around } = await withFault({ at, kind })
    const ended = await paydesk([...create(), '--json'], around)
    expect(ended.code, ended.stdout).toBe(7)
    expect(ended.error.moneyMoved).toBe('unknown')
    expect(await executionsOf(home, ended.error.uniqueId)).toEqual([1])
  },
)

test.each(cases.filter(([kind]) => lastingExit[kind] === undefined))(
  'payout create, %s again and again, %s the service has seen it: unknown (9), and resume ends it when the fault is gone',
  async (kind, at) => {
    const { home, around } = await withFault({ at, kind, times: 99 })
    const ended = await paydesk([...create(answerTimeout(kind, 150)), '--json'], around)
    expect(ended.stdout).toBe('')
    expect(ended.code, ended.stderr).toBe(9)
    const { journalId, uniqueId, moneyMoved } = ended.error
    expect(await executionsOf(home, uniqueId)).toEqual(at === 'before' ? [] : [1])
    expect(moneyMoved).toBe('unknown')
    await clearFaults(home)
    expect(JSON.stringify(ended.error)).toContain(`paydesk resume ${journalId}`)
    const resolved = await paydesk(['resume', String(journalId), '-p', 'sandbox', '--json'], around)
    expect(resolved.code, resolved.stderr).toBe(0)
    expect(resolved.json).toMatchObject({ uniqueId, journalId })
    expect(await executionsOf(home, uniqueId)).toEqual([1])
  },
)

// Where no token comes, it does not matter whether one was made; where a part of it comes, it does.
const atSignIn = cases.filter(([kind, at]) => at === 'before' || kind === 'truncate' || kind === 'half-written')

test.each(atSignIn)(
  'payout create, %s at the sign-in, %s the service has seen it: executed once (0) or not sent (4, 11)',
  async (kind, at) => {
    const { home, around } = start()
    await addFault(home, { op: 'auth.token', at, kind })
    const ended = await paydesk([...create(answerTimeout(kind, 1000)), '--json'], around)
    expect([0, 4, 11], ended.stderr).toContain(ended.code)
    const executions = (await ledgerOf(home)).map((each) => each.executions)
    expect(executions).toEqual(ended.code === 0 ? [1] : [])
    if (ended.code !== 0) expect(ended.error).toMatchObject({ moneyMoved: 'no' })
  },
)

// The sandbox executes, then answers 401 or 429: no service documents that, but none excludes it either.
test.each(cases.filter(([kind]) => lastingExit[kind] !== undefined))(
  'payout create, %s again and again, %s the service has seen it: turned away (4, 5), and the same id again is executed once',
  async (kind, at) => {
    const { home, around } = await withFault({ at, kind, times: 99 })
    const id = randomUUID()
    const ended = await paydesk([...create({ 'unique-id': id }), '--json'], around)
    expect(ended.code, ended.stderr).toBe(lastingExit[kind])
    expect(ended.error).toMatchObject({ moneyMoved: 'no', uniqueId: id })
    expect(await executionsOf(home, id)).toEqual(at === 'before' ? [] : [1])
    await clearFaults(home)
    const again = await paydesk([...create({ 'unique-id': id }), '--json'], around)
    expect(again.code, again.stderr).toBe(at === 'before' ? 0 : 7)
    if (at === 'after') expect(again.error).toMatchObject({ moneyMoved: 'unknown' })
    expect(await executionsOf(home, id)).toEqual([1])
  },
)

test.each(['401', '429'] as const)('payout create, a lost answer followed by %s: stays unknown (9)', async (kind) => {
  const { home, around } = await withFault({ at: 'after', kind: 'reset' })
  await addFault(home, { at: 'before', kind, nth: 2, times: 99 })
  const ended = await paydesk([...create(), '--json'], around)
  expect(ended.code, ended.stderr).toBe(9)
  expect(await executionsOf(home, ended.error.uniqueId)).toEqual([1])
})

test('payout create, 429 with a Retry-After of more than a minute: turned away at once (5), same-id', async () => {
  const { home, around } = start()
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor' ? { status: 429, headers: { 'retry-after': '61' }, body: '' } : undefined,
  )
  await addHandProfile(home, service.url)
  const ended = await paydesk([...create({ profile: 'hand' }), '--json'], around)
  expect(ended.code, ended.stderr).toBe(5)
  expect(ended.error).toMatchObject({ retry: 'same-id', service: { http: 429 }, moneyMoved: 'no' })
  expect(service.creates).toHaveLength(1)
})

test('payout create, 503 with a Retry-After of 30 s: waits so long, then repeats the same request', async () => {
  const { home, around } = start()
  const service = await serviceByHand(({ path }, count) =>
    path === '/api/distributor' && count === 1
      ? { status: 503, headers: { 'retry-after': '30' }, body: '' }
      : undefined,
  )
  await addHandProfile(home, service.url)
  const before = around.clock.now()
  const ended = await paydesk([...create({ profile: 'hand' }), '--json'], around)
  expect(ended.code, ended.stderr).toBe(0)
  expect(around.clock.now() - before).toBeGreaterThanOrEqual(30_000)
  expect(new Set(service.creates.map(({ body }) => body)).size).toBe(1)
})
