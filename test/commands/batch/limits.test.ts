/** Plans and the limits of a profile: a plan that does not fit is held as a whole, and a run never sends a held row. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, handPayroll, type PayrollRow } from '../../kit/batch.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { paydesk, succeeds } from '../../kit/program.ts'
import type { Answering } from '../../kit/service.ts'

const hour = 60 * 60 * 1000
const same = (count: number, amount = '10') => employees(count, { amount })

/** A payroll whose profile has limits, and a clock that stands at ten in the morning in Tbilisi. */
async function limited(rows: readonly PayrollRow[], limits: readonly string[], answering?: Answering) {
  const clock = hurriedClock(Date.parse('2026-11-20T06:00:00Z'))
  const payroll = await handPayroll(rows, answering, 'test', clock)
  const setLimits = async (...given: readonly string[]) => {
    await succeeds(paydesk(['profile', 'add', 'hand', ...given], { home: payroll.home }))
  }
  await setLimits(...limits.flatMap((limit) => ['--limit', limit]))
  return {
    clock,
    payroll,
    setLimits,
    plan: () => payroll.plan(),
    run: (sum: string, verb = 'run') => payroll.batch(verb, '--confirm', sum),
    ask: (...argv: readonly string[]) => payroll.run(argv),
    pay: (more: Parameters<typeof create>[0]) =>
      paydesk([...create({ profile: 'hand', ...more }), '--json'], { home: payroll.home, clock, random: impatient }),
  }
}

test('batch run: a plan over the day’s limit is planned with a warning, held whole (13), and paid the next day', async () => {
  const { payroll, plan, run, pay, clock } = await limited(same(4), ['GEL 50/day'])
  expect((await pay({ amount: '10.01', key: 'rent' })).code).toBe(0)
  const planned = await succeeds(plan())
  const words = 'GEL 50.00/day leaves GEL 39.99; GEL 40.00 is possible from 2026-11-21 00:00 Tbilisi time'
  expect(planned.json).toMatchObject({ fits: false })
  expect(planned.json.warnings).toContainEqual(`the plan is above the limits: ${words}`)
  const ended = await run('GEL 40')
  expect(ended).toMatchObject({ code: 13, json: { planned: 4, held: 0, accepted: 0 } })
  expect(ended.json.stopped).toContain(words)
  expect(ended.error).toMatchObject({ name: 'held', moneyMoved: 'no', message: expect.stringContaining(words) })
  expect(payroll.service.creates).toHaveLength(1)
  clock.skip(14.1 * hour)
  expect(await run('GEL 40')).toMatchObject({ code: 0, json: { accepted: 4 } })
  expect(payroll.service.creates).toHaveLength(5)
})

test('batch run: a plan with one row over the payout limit, or with too many rows an hour, is held whole (13)', async () => {
  for (const [limit, words] of [
    ['GEL 10/payout', 'GEL 10.01 is above the limit of GEL 10.00/payout'],
    ['3/hour', '4 payouts is above the limit of 3/hour'],
  ] as const) {
    const { payroll, plan, run } = await limited([...same(3), { key: 'e-4', amount: '10.01' }], [limit])
    await plan()
    const ended = await run('GEL 40.01')
    expect(ended).toMatchObject({ code: 13, json: { planned: 4 } })
    expect(ended.error.message).toContain(words)
    expect(ended.error.hints).toContainEqual(expect.stringContaining('or split the file'))
    expect(String(ended.error.hints)).not.toContain('continues')
    expect(payroll.service.creates).toEqual([])
  }
})

test('batch resume: unknown rows of a plan over its limit are resolved, and no new row is sent (13)', async () => {
  let isDown = true
  const { payroll, plan, run, pay, setLimits } = await limited(same(14), ['GEL 200/day'], ({ path }) =>
    path === '/api/distributor' && isDown ? { status: 502, body: '' } : undefined,
  )
  await plan()
  const argv = ['--concurrency', '1', '--timeout', '5s']
  const first = await payroll.batch('run', '--confirm', 'GEL 140', ...argv)
  expect(first).toMatchObject({ code: 9, json: { unknown: 10, planned: 4 } })
  isDown = false
  expect((await pay({ amount: '61', key: 'rent' })).code).toBe(0)
  const resumed = await run('GEL 140', 'resume')
  expect(resumed).toMatchObject({ code: 13, json: { accepted: 10, unknown: 0, planned: 4, held: 0 } })
  expect(resumed.error.message).toContain('leaves GEL 39.00; GEL 40.00 is possible')
  // Under other limits it sends nothing new until it is planned again.
  await setLimits('--limit', 'GEL 201/day', '--replace')
  expect(await run('GEL 140', 'resume')).toMatchObject({ code: 12 })
  expect((await plan()).json).toMatchObject({ planId: payroll.planId, renewed: true, fits: true })
  expect(await run('GEL 140', 'resume')).toMatchObject({ code: 0, json: { accepted: 14 } })
})

test.each([
  ['loosened', ['--limit', 'GEL 500/day', '--replace']],
  ['tightened', ['--limit', 'GEL 45/day', '--replace']],
  ['added to', ['--limit', '100/hour']],
  ['removed', ['--remove-limit', 'all', '--replace']],
])('batch run: a plan whose limits were %s since is stale (12) until it is planned again', async (_how, change) => {
  const { payroll, plan, run, setLimits } = await limited(same(4), ['GEL 50/day'])
  await plan()
  await setLimits(...change)
  const ended = await run('GEL 40')
  expect(ended).toMatchObject({ code: 12, json: { planned: 4 } })
  expect(ended.error.message).toContain('the limits of its profile have changed since it was planned')
  expect(payroll.service.creates).toHaveLength(0)
  const id = payroll.planId
  expect((await plan()).json).toMatchObject({ planId: id, renewed: true })
  expect(await run('GEL 40')).toMatchObject({ code: 0, json: { accepted: 4 } })
})

/** A plan of three rows; the second was held before, under the same key. */
async function withHeldRow() {
  const scene = await limited(same(3), ['GEL 35/day'])
  const { pay, plan, clock, payroll } = scene
  expect((await pay({ amount: '30', key: 'rent' })).code).toBe(0)
  const held = await pay({ key: 'e-2', amount: '10', description: 'Salary' })
  expect(held.code, held.stderr).toBe(13)
  clock.skip(14.1 * hour)
  const planned = await succeeds(plan())
  expect(planned.json.warnings).toContainEqual(
    `1 row is already held and not sent by a run: row 3: ${held.error.journalId}`,
  )
  return { ...scene, journalId: String(held.error.journalId), planId: payroll.planId }
}

test('batch run and batch resume: a held row is not sent (13), and stands in counts, list and result files', async () => {
  const { payroll, run, ask, journalId, planId } = await withHeldRow()
  for (const verb of ['run', 'resume', 'resume']) {
    const ended = await run('GEL 30', verb)
    expect(ended).toMatchObject({ code: 13, json: { accepted: 2, held: 1, planned: 0, stopped: null } })
    expect(ended.error.hints).toContainEqual(
      `\`paydesk batch show ${planId} --state held\` lists the held rows; \`paydesk resume <journalId>\` sends one once it is within the limits.`,
    )
  }
  expect(payroll.service.creates).toHaveLength(3)
  expect((await ask('batch', 'status', planId)).json).toMatchObject({ held: 1 })
  expect((await ask('batch', 'show', planId, '--state', 'held')).json.shown).toMatchObject([
    { row: 3, state: 'held', journalId },
  ])
  const folder = join(payroll.home, 'papers')
  expect((await ask('batch', 'results', planId, '--dir', folder)).code).toBe(0)
  const unsent = readFileSync(join(folder, 'unsent.csv'), 'utf8').trim().split('\n')
  expect(unsent).toHaveLength(2)
  expect(unsent[1]).toContain('held')
  expect(unsent[1]).toContain('over a limit: GEL 35.00/day leaves GEL 5.00; GEL 10.00 is possible')
  expect((await ask('batch', 'wait', planId, '--timeout', '1s')).json).toMatchObject({ unsent: 1 })
})

test('resume: a held row is sent with its own id, and the plan is then complete (0)', async () => {
  const { run, ask, journalId } = await withHeldRow()
  expect((await run('GEL 30')).code).toBe(13)
  expect((await ask('resume', journalId)).code).toBe(0)
  expect(await run('GEL 30', 'resume')).toMatchObject({ code: 0, json: { accepted: 3, held: 0 } })
})

test('batch run: another payment that uses up the limit in the middle ends the run, and the next row is held (13)', async () => {
  const scene: { pay?: Awaited<ReturnType<typeof limited>>['pay'] } = {}
  let rival: Promise<unknown> | null = null
  const { payroll, plan, ask, pay } = await limited(same(4), ['GEL 45/day'], async ({ path, body }) => {
    if (path !== '/api/distributor' || rival || body.includes('"amount":6')) return undefined
    // While the first row is on its way.
    rival = scene.pay?.({ amount: '6', key: 'rival' }) ?? null
    expect(await rival).toMatchObject({ code: 0 })
    return undefined
  })
  scene.pay = pay
  await plan()
  const ended = await ask('batch', 'run', payroll.planId, '--confirm', 'GEL 40', '--concurrency', '1')
  expect(ended).toMatchObject({ code: 13, json: { accepted: 3, held: 1 } })
  expect(ended.error.message).toContain('GEL 45.00/day leaves GEL 9.00; GEL 10.00 is possible')
  expect(payroll.service.creates).toHaveLength(4)
})
