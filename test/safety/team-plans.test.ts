/** A plan in a team's store: made on one machine, seen and run from every other, by one run at a time. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { IntentRow } from '../../src/lib/store/journal/schema.ts'
import { isSealed, sealed } from '../../src/lib/store/journal/seal.ts'
import { machine } from '../kit/approval/machines.ts'
import { employees, payroll } from '../kit/batch/payroll.ts'
import { builtPaydesk } from '../kit/program/built-paydesk.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'
import { postgresServer } from '../kit/store/postgres.ts'

vi.setConfig({ testTimeout: 120_000 })

const server = postgresServer()
const words = 'GEL 25.00'
/** A process of another machine. */
const elsewhere = 'other/1/1/1/another-start'

/** A home with the profile and the file; the sums of its rows are all alike. */
async function person(address: string, url: string, rows = 20) {
  const home = newHome()
  await addHandProfile(home, url)
  const file = join(home, 'payroll.csv')
  writeFileSync(file, payroll(employees(rows, { amount: '1.25' })))
  const env = { PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' }
  const run = (...argv: readonly string[]) => builtPaydesk([...argv, '--json'], home, env)
  return { run, plan: () => run('batch', 'plan', file, '--key-column', 'key', '-p', 'hand') }
}

test('a file of exactly a thousand rows is planned: no piece of it is empty', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand(() => undefined)
  const nino = await person(address, service.url, 1000)
  const planned = await nino.plan()
  expect(planned, planned.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(planned.stdout)).toMatchObject({ rows: 1000 })
})

test('what one person planned another one sees, runs and reports, and neither pays it again', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand(() => undefined)
  const [nino, davit] = [await person(address, service.url), await person(address, service.url)]
  const planned = await nino.plan()
  expect(planned.code, planned.stderr).toBe(0)
  const { planId } = JSON.parse(planned.stdout) as { readonly planId: string }
  const again = await davit.plan()
  expect(again.code).toBe(7)
  expect(again.stderr).toContain(planId)
  expect(JSON.parse((await davit.run('batch', 'list')).stdout)).toMatchObject([{ planId, rows: 20, isStale: false }])
  const none = await davit.run('batch', 'status', 'b-000000000000')
  expect(none).toMatchObject({ code: 6, stderr: expect.stringContaining('in the team’s store') })

  const line = ['batch', 'run', planId, '--confirm', words, '--concurrency', '2'] as const
  const ends = await Promise.all([nino.run(...line), davit.run(...line), nino.run(...line)])
  const codes = ends.map(({ code }) => code)
  for (const { code, stderr } of ends) expect([0, 12], stderr).toContain(code)
  expect(codes).toContain(0)
  for (const each of [nino, davit]) {
    expect(JSON.parse((await each.run('batch', 'status', planId)).stdout)).toMatchObject({ accepted: 20 })
    expect((await each.run(...line)).code).toBe(0)
  }
  expect(service.creates).toHaveLength(20)
  const report = await davit.run('batch', 'report', planId)
  expect(JSON.parse(report.stdout)).toMatchObject({ planId, rows: 20 })
})

test('whether a run of another machine goes on is asked of the clock of the store: a machine that is an hour ahead waits for it', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const nino = await person(address, service.url)
  const { planId } = JSON.parse((await nino.plan()).stdout) as { readonly planId: string }
  const until = new Date(Date.now() + 120_000).toISOString()
  await server.run(address, `update plans set holder = '${elsewhere}', held_until = '${until}'`)
  const office = machine(address, 3_600_000)
  await addHandProfile(office.home, service.url)
  const waited = await paydesk(['batch', 'wait', planId, '-p', 'hand', '--timeout', '1s', '--json'], office)
  expect(waited, waited.stderr).toMatchObject({ code: 8, error: { moneyMoved: 'unknown' } })
  await server.run(address, 'update plans set holder = null, held_until = null')
  const over = await paydesk(['batch', 'wait', planId, '-p', 'hand', '--timeout', '1s', '--json'], office)
  expect(over, over.stderr).toMatchObject({ code: 10, error: { moneyMoved: 'no' } })
})

test('a row that another machine has on its way is waited for (8) until its lease ends (9)', async () => {
  const address = await server.newAddress()
  const service = await serviceByHand(({ path }) => (path === '/api/distributor' ? 'reset' : undefined))
  const nino = await person(address, service.url, 1)
  const { planId } = JSON.parse((await nino.plan()).stdout) as { readonly planId: string }
  const ran = await nino.run('batch', 'run', planId, '--confirm', 'GEL 1.25', '--timeout', '3s')
  expect(ran.code, ran.stderr).toBe(9)
  const office = machine(address, 0)
  await addHandProfile(office.home, service.url)
  const wait = (seconds: number) =>
    paydesk(['batch', 'wait', planId, '-p', 'hand', '--timeout', `${seconds}s`, '--json'], office)
  expect(await wait(5)).toMatchObject({ code: 9, json: { sending: 0, unknown: 1 } })
  const held = async (seconds: number) => {
    const [first] = await server.run(address, 'select * from intents')
    const row = first as IntentRow | undefined
    if (!row || !isSealed(row)) throw new Error('the row of the journal is another')
    const until = new Date(Date.now() + seconds * 1000).toISOString()
    const { digest } = sealed<IntentRow>({ ...row, holder: elsewhere, held_until: until, held_until_steady: null })
    const set = `holder = '${elsewhere}', held_until = '${until}', held_until_steady = null, digest = '${digest}'`
    await server.run(address, `update intents set ${set}`)
  }
  await held(60)
  const waited = await wait(3)
  expect(waited, waited.stderr).toMatchObject({ code: 8, json: { sending: 1, unknown: 0 } })
  expect(waited.error).toMatchObject({ moneyMoved: 'unknown', retry: 'same-id' })
  expect(String(waited.error.hints)).not.toContain('batch resume')
  expect(String(waited.error.hints)).toContain(`batch wait ${planId}`)
  await held(2)
  const over = await wait(30)
  expect(over, over.stderr).toMatchObject({ code: 9, json: { sending: 0, unknown: 1 } })
})
