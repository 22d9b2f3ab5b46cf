/** `payout create` whose sign-in meets every fault of the sandbox, and a service that asks for a pause (Retry-After). */
import { expect, test } from 'vitest'
import { type AnswerFaultKind, answerFaultKinds, faultPlaces } from '../../src/lib/sandbox/faults.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'
import { addFault, ledgerOf } from '../kit/world.ts'

/** Only an answer that never comes is given up: after so long. */
const answerTimeout = (kind: AnswerFaultKind, milliseconds: number) =>
  kind === 'hang' || kind === 'half-written' ? { 'answer-timeout': `${milliseconds}ms` } : {}

function start() {
  const home = newHome()
  return { home, around: { home, clock: hurriedClock(), random: impatient } }
}

// Where no token comes, it does not matter whether one was made; where a part of it comes, it does.
const atSignIn = faultPlaces
  .flatMap((at) => answerFaultKinds.map((kind) => [kind, at] as const))
  .filter(([kind, at]) => at === 'before' || kind === 'truncate' || kind === 'half-written')

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
  await succeeds(paydesk([...create({ profile: 'hand' }), '--json'], around))
  expect(around.clock.now() - before).toBeGreaterThanOrEqual(30_000)
  expect(new Set(service.creates.map(({ body }) => body)).size).toBe(1)
})
