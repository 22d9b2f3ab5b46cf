/** Every fault of the sandbox at every place: no payment twice, none lost, none misreported. */
import { describe, expect, test } from 'vitest'
import { type AnswerFaultKind, answerFaultKinds } from '../../src/lib/sandbox/faults/inject.ts'
import { faultPlaces } from '../../src/lib/sandbox/faults/kinds.ts'
import { create } from '../kit/payment.ts'
import { hurriedClock, impatient } from '../kit/program/hurried.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'
import { addFault, clearFaults, ledgerOf } from '../kit/world.ts'

const cases = faultPlaces.flatMap((at) => answerFaultKinds.map((kind) => ({ at, kind })))
const quick = { 'answer-timeout': '300ms', timeout: '3s' }

/** The meaning of a fault that never ends (money-safety.md#what-proves-what): these two turn away, the rest prove nothing. */
const lastingExit: Partial<Record<AnswerFaultKind, number>> = { '401': 4, '429': 5 }

function start() {
  const home = newHome()
  return { home, around: { home, clock: hurriedClock(), random: impatient } }
}

const executionsIn = async (home: string) => (await ledgerOf(home)).map(({ executions }) => executions)

describe.each(cases)('a payout that meets $kind $at the service has seen it', ({ at, kind }) => {
  // A service that executes and then turns away lies: its 5017 does not say whose payout it means.
  const lies = at === 'after' && lastingExit[kind] !== undefined

  test(`once: is executed exactly once, and ends with ${lies ? 7 : 0}`, async () => {
    const { home, around } = start()
    await addFault(home, { at, kind })
    const ended = await paydesk([...create(quick), '--json'], around)
    if (lies) {
      expect(ended.code, ended.stdout).toBe(7)
      expect(ended.error.moneyMoved).toBe('unknown')
      expect(await executionsIn(home)).toEqual([1])
      return
    }
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stderr).toBe('')
    expect(ended.json).toMatchObject({ outcome: at === 'before' ? 'accepted' : 'exists' })
    const executed = await ledgerOf(home)
    expect(executed).toMatchObject([{ executions: 1, uniqueId: ended.json.uniqueId }])
    if (at === 'before') expect(ended.json.transactionId).toBe(executed[0]?.transactionId)
  })

  test('again and again: is executed at most once and told as what it is; resume resolves it when the fault is gone', async () => {
    const { home, around } = start()
    await addFault(home, { at, kind, times: 99 })
    const ended = await paydesk([...create(quick), '--json'], around)
    expect(ended.stdout).toBe('')
    expect(ended.code, ended.stderr).toBe(lastingExit[kind] ?? 9)
    expect(await executionsIn(home)).toEqual(at === 'before' ? [] : [1])
    const { journalId, uniqueId, moneyMoved } = ended.error
    if (ended.code === 9) expect(moneyMoved).toBe('unknown')
    await clearFaults(home)
    if (ended.code !== 9) return
    expect(JSON.stringify(ended.error)).toContain(`paydesk resume ${journalId}`)
    const resolved = await paydesk(['resume', String(journalId), '-p', 'sandbox', '--json'], around)
    expect(resolved.code, resolved.stderr).toBe(0)
    expect(resolved.json).toMatchObject({ uniqueId, journalId })
    expect(await ledgerOf(home)).toMatchObject([{ executions: 1, uniqueId }])
  })

  test('at the sign-in: nothing is executed, or exactly once', async () => {
    const { home, around } = start()
    await addFault(home, { op: 'auth.token', at, kind })
    const ended = await paydesk([...create(quick), '--json'], around)
    expect([0, 4, 11], ended.stderr).toContain(ended.code)
    expect(await executionsIn(home)).toEqual(ended.code === 0 ? [1] : [])
    if (ended.code !== 0) expect(ended.error).toMatchObject({ moneyMoved: 'no' })
  })
})

describe('an answer that turned a payout away unseen', () => {
  // The sandbox executes, then answers 401 or 429: no service documents that, but none excludes it either.
  test.each(['401', '429'] as const)('%s: the same id again pays exactly once', async (kind) => {
    for (const at of faultPlaces) {
      const { home, around } = start()
      await addFault(home, { at, kind, times: 99 })
      const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
      const ended = await paydesk([...create({ ...quick, 'unique-id': id }), '--json'], around)
      expect(ended.error).toMatchObject({ moneyMoved: 'no', uniqueId: id })
      await clearFaults(home)
      const again = await paydesk([...create({ ...quick, 'unique-id': id }), '--json'], around)
      expect(again.code, again.stderr).toBe(at === 'before' ? 0 : 7)
      if (at === 'after') expect(again.error).toMatchObject({ moneyMoved: 'unknown' })
      expect(await ledgerOf(home)).toMatchObject([{ executions: 1, uniqueId: id }])
    }
  })

  test('after a lost answer proves nothing about the first try: 9', async () => {
    for (const kind of ['401', '429'] as const) {
      const { home, around } = start()
      await addFault(home, { at: 'after', kind: 'reset' })
      await addFault(home, { at: 'before', kind, nth: 2, times: 99 })
      const ended = await paydesk([...create(quick), '--json'], around)
      expect(ended.code, ended.stderr).toBe(9)
      expect(await executionsIn(home)).toEqual([1])
    }
  })

  test('and asks for more than a minute ends at once with 5 and "same-id"', async () => {
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

  test('is waited for as long as it asks: 503 with a Retry-After of 30 s', async () => {
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
})

test('a payout is repeated four times at most, always under the same id, and every attempt is in the journal', async () => {
  const { home, around } = start()
  await addFault(home, { at: 'before', kind: 'html502', times: 99 })
  const ended = await paydesk([...create(), '--json'], around)
  const shown = await paydesk(['journal', 'show', String(ended.error.journalId), '--json'], { home })
  expect(shown.json).toMatchObject({ state: 'unknown', attempts: Array(5).fill({ outcome: 'unknown', http: 502 }) })
})
