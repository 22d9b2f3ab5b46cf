/** Plans and approvals: a plan is approved as a whole, and its rows count as approved. */
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { employees, handPayroll, type PayrollRow } from '../../kit/batch.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { paydesk } from '../../kit/program.ts'
import type { Answering } from '../../kit/service.ts'
import { approve, approved, as, asked, did, type KeyFile, type NewRule, people } from '../../kit/team.ts'

const hour = 60 * 60 * 1000
const four = employees(4, { amount: '300' })

async function ruled(rows: readonly PayrollRow[] = four, ...rules: readonly NewRule[]) {
  const clock = hurriedClock(Date.parse('2026-11-20T06:00:00Z'))
  const payroll = await handPayroll(rows, undefined, 'test', clock)
  const around = { home: payroll.home, clock, random: impatient }
  const found = await people(around, ...(rules.length === 0 ? [{ from: '1000' }] : rules))
  return {
    ...{ ...found, payroll, around, clock },
    run: (sum = 'GEL 1200', verb = 'run') => payroll.batch(verb, '--confirm', sum),
    pay: (key: string, amount: string) =>
      paydesk([...create({ profile: 'hand', key, amount }), '--json'], { ...around }),
  }
}

test('batch run: a row that is changed in the plan’s file after its approval is not sent (1)', {
  // More rows than are read at once.
  timeout: 60_000,
}, async () => {
  const rows = employees(520, { amount: '10' })
  let change = () => {}
  const payroll = await handPayroll(rows, ({ path }) => {
    if (path === '/api/distributor') change()
    return undefined
  })
  const around = { home: payroll.home }
  const { anna, nino } = await people(around, { from: '1000' })
  await payroll.plan()
  const { planId } = payroll
  await approved(await asked(planId, anna, around), nino, around, 'GEL 5200')
  change = () => {
    change = () => {}
    // The rows are read by five hundreds: this one was not yet.
    const database = new DatabaseSync(join(payroll.home, 'batches', `${planId}.db`))
    const other = "replace(request, 'GE29NB0000000101904917', 'GE18SB1000000000000014')"
    database.exec(`update plan_rows set request = ${other} where business_key = 'e-515'`)
    database.close()
  }
  const ended = await payroll.run(['batch', 'run', planId, '--confirm', 'GEL 5200', '--concurrency', '4'])
  expect(ended).toMatchObject({ code: 1, error: { message: expect.stringContaining('its row 516 was changed') } })
  expect(payroll.service.creates.some(({ body }) => body.includes('GE18SB1000000000000014'))).toBe(false)
  // Sixteen rows are under way side by side: those behind the last that was sent are called off.
  expect(payroll.service.creates.length).toBeGreaterThanOrEqual(500)
})

test('batch run: a plan at the sum of a rule is held whole (13) until another person approves it, then paid (0)', async () => {
  const { payroll, around, anna, nino, run } = await ruled()
  await payroll.plan()
  const held = await run()
  expect(held).toMatchObject({ code: 13, json: { planned: 4, held: 0, accepted: 0 } })
  expect(held.error.message).toContain('is held: none of its new rows was sent: waiting for an approval')
  expect(JSON.stringify(held.error.hints)).toContain(`paydesk approval request ${payroll.planId}`)
  const id = await asked(payroll.planId, anna, around)
  expect((await paydesk(approve(id, anna, 'GEL 1200'), around)).code).toBe(4)
  expect((await run()).code).toBe(13)
  expect((await paydesk(approve(id, nino, 'GEL 1200.01'), around)).code).toBe(3)
  const plain = await paydesk(['approval', 'approve', id, '--yes', ...as(nino), '--json'], around)
  expect(plain.code).toBe(2)
  const word = await approved(id, nino, around, 'GEL 1200')
  expect(word).toMatchObject({ subject: 'plan', id: payroll.planId, rows: 4, sum: 'GEL 1200.00', needs: 1 })
  expect(payroll.service.creates).toHaveLength(0)
  expect(await run()).toMatchObject({ code: 0, json: { accepted: 4 } })
  expect((await paydesk(['approval', 'show', id, '--json'], around)).json).toMatchObject({ state: 'used' })
})

test('batch run: rows of an approved plan do not count towards the unapproved sum of the day', async () => {
  const { payroll, around, anna, nino, run, pay } = await ruled()
  await payroll.plan()
  await approved(await asked(payroll.planId, anna, around), nino, around, 'GEL 1200')
  await run()
  expect((await pay('small', '999')).code).toBe(0)
  expect((await pay('more', '1')).code).toBe(13)
})

test('batch run: a plan below the rule is paid and counts, so the next plan of that day is held (13)', async () => {
  const { payroll, run, pay } = await ruled(employees(3, { amount: '300' }))
  await payroll.plan()
  expect((await run('GEL 900')).code).toBe(0)
  expect((await pay('small', '100')).code).toBe(13)
  payroll.write(employees(3, { amount: '40', description: 'Bonus' }).map((row) => ({ ...row, key: `b-${row.key}` })))
  await payroll.plan()
  const next = await run('GEL 120')
  expect(next).toMatchObject({ code: 13, json: { planned: 3 } })
  expect(next.error.message).toContain('with what was sent today GEL 1020.00')
})

test('batch run: an approved file with changed content is another plan, is not approved and is held (13)', async () => {
  const { payroll, around, anna, nino, run } = await ruled()
  await payroll.plan()
  const first = payroll.planId
  await approved(await asked(first, anna, around), nino, around, 'GEL 1200')
  payroll.write([...four.slice(1), { key: 'e-1', amount: '300', iban: 'GE18SB1000000000000014' }])
  await payroll.plan()
  expect(payroll.planId).not.toBe(first)
  expect((await run()).code).toBe(13)
  expect(payroll.service.creates).toHaveLength(0)
})

test('batch run: a plan whose approval has expired is held again (13)', async () => {
  const { payroll, around, anna, nino, run, clock } = await ruled()
  await payroll.plan()
  await approved(await asked(payroll.planId, anna, around, '--valid-for', '1h'), nino, around, 'GEL 1200')
  clock.skip(hour)
  const held = await run()
  expect(held).toMatchObject({ code: 13, error: { message: expect.stringContaining('has expired') } })
})

test('approval show: the digest of a plan’s approval is the digest in its plan id', async () => {
  const { payroll, around, anna } = await ruled()
  await payroll.plan()
  const id = await asked(payroll.planId, anna, around)
  const { json } = await paydesk(['approval', 'show', id, '--json'], around)
  expect(json).toMatchObject({ payee: 'payroll.csv', request: null, digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(`b-${String(json.digest).slice(0, 12)}`).toBe(payroll.planId)
})

const twenty = employees(20, { amount: '400' })

/** 5000 of the day went out unapproved, below the rule; with the plan it is over it. `tenth`: as its tenth row comes. */
async function partly(tenth: (found: Awaited<ReturnType<typeof people>>, skip: () => void) => unknown, from = '10000') {
  const clock = hurriedClock(Date.parse('2026-11-20T06:00:00Z'))
  // By its sum, not by letters that an id may have, too.
  const isRow = (body: string) => JSON.parse(body).amount === 400
  let [count, found]: [number, Awaited<ReturnType<typeof people>> | null] = [0, null]
  const answering: Answering = async ({ path, body }) => {
    if (path !== '/api/distributor' || !isRow(body)) return undefined
    count += 1
    if (count === 10 && found) await tenth(found, () => clock.skip(2 * hour))
    return undefined
  }
  const payroll = await handPayroll(twenty, answering, 'test', clock)
  const around = { home: payroll.home, clock, random: impatient }
  found = await people(around, { from, approvers: from === '10000' ? 2 : 1 })
  if (from === '10000')
    await paydesk([...create({ profile: 'hand', key: 'one', amount: '5000' }), '--json'], { ...around })
  await payroll.plan()
  const id = await asked(payroll.planId, found.anna, around, '--valid-for', '1h')
  for (const person of [found.nino, found.giorgi]) await approved(id, person, around, 'GEL 8000')
  const run = (verb: string) => payroll.batch(verb, '--confirm', 'GEL 8000', '--concurrency', '1')
  const rows = () => payroll.service.creates.filter(({ body }) => isRow(body)).length
  return { ...found, around, payroll, run, rows, home: payroll.home }
}

const revoked = async ({ anna }: { readonly anna: KeyFile }, home: string) =>
  did(['team', 'key', 'revoke', 'Giorgi', ...as(anna)], { home })

test('batch run: a plan that needs two approvers is held (13) in the middle when one of them is revoked', async () => {
  let home = ''
  const scene = await partly((found) => revoked(found, home))
  home = scene.home
  const ended = await scene.run('run')
  expect(ended, ended.stderr).toMatchObject({ code: 13 })
  expect(scene.rows()).toBe(10)
  const again = await scene.run('resume')
  expect(again, again.stderr).toMatchObject({ code: 13 })
  expect(scene.rows()).toBe(10)
})

test('batch resume: a plan whose approval expired in the middle is held (13) with one of two new approvals and goes on with both', async () => {
  const scene = await partly((_, skip) => skip())
  const ended = await scene.run('run')
  expect(ended, ended.stderr).toMatchObject({ code: 13 })
  expect(scene.rows()).toBe(10)
  const id = await asked(scene.payroll.planId, scene.anna, scene.around)
  await approved(id, scene.nino, scene.around, 'GEL 8000')
  const one = await scene.run('resume')
  expect(one, one.stderr).toMatchObject({ code: 13 })
  expect(scene.rows()).toBe(10)
  await approved(id, scene.giorgi, scene.around, 'GEL 8000')
  // The row that met the end of it is held by itself.
  expect((await scene.run('resume')).json).toMatchObject({ accepted: 19, held: 1 })
})

test('batch resume: an unknown row is resolved after the approval has expired, and the plan ends accepted (0)', async () => {
  let isLost = true
  const clock = hurriedClock(Date.parse('2026-11-20T06:00:00Z'))
  const answering: Answering = ({ path, body }) =>
    path === '/api/distributor' && isLost && body.includes('303.25') ? 'reset' : undefined
  const payroll = await handPayroll([...four, { key: 'e-5', amount: '303.25' }], answering, 'test', clock)
  const around = { home: payroll.home, clock, random: impatient }
  const { anna, nino } = await people(around, { from: '1000' })
  await payroll.plan()
  await approved(await asked(payroll.planId, anna, around, '--valid-for', '1h'), nino, around, 'GEL 1503.25')
  const run = (verb: string) => payroll.batch(verb, '--confirm', 'GEL 1503.25', '--timeout', '4s')
  expect(await run('run')).toMatchObject({ code: 9, json: { accepted: 4, unknown: 1, planned: 0 } })
  clock.skip(2 * hour)
  isLost = false
  const resumed = await run('resume')
  expect(resumed, resumed.stderr).toMatchObject({ code: 0, json: { accepted: 5 } })
})

test('batch plan and show: a plan over a rule says how many must approve it and how to ask, and then who is asked', async () => {
  const { payroll, around, anna, nino } = await ruled()
  const planned = await payroll.plan()
  const { planId } = payroll
  const waits = { needs: 1, approvalId: null, because: expect.stringContaining('needs the approval of 1 other person') }
  expect(planned.json).toMatchObject({ approval: waits })
  const shown = async () => (await payroll.run(['batch', 'show', planId])).json.approval
  const view = async () => (await paydesk(['batch', 'show', planId], around)).stdout
  expect(await shown()).toMatchObject(waits)
  expect(await view()).toMatch(new RegExp(`approval +needs 1 approver: .paydesk approval request ${planId}`))
  const id = await asked(planId, anna, around)
  expect(await shown()).toMatchObject({ needs: 1, approvalId: id })
  expect(await view()).toContain(`paydesk approval approve ${id}`)
  await approved(id, nino, around, 'GEL 1200')
  expect(await shown()).toBeNull()
})
