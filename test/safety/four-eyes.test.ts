/** Four eyes over one store: what two persons and two machines do at once does not get round the other one's word. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { employees, payroll } from '../kit/batch.ts'
import { mustVerify } from '../kit/payment.ts'
import { postgresServer } from '../kit/postgres.ts'
import { paydesk, type Surroundings, succeeds } from '../kit/program.ts'
import { serviceByHand } from '../kit/service.ts'
import { approved, as, asked, did, type KeyFile, machine, people, teamDesk } from '../kit/team.ts'
import {
  mustNotAddUp,
  mustNotApproveChanged,
  mustNotApproveOwn,
  mustNotChangeApproved,
  mustUseApprovalOnce,
  team,
} from './four-eyes.ts'

// Each runs a dozen commands or more over a real database.
vi.setConfig({ testTimeout: 30_000 })

const server = postgresServer()

/** Tries at once; four-eyes.deep.ts has a hundred. */
const tries = 8

test.each([
  [
    'approval approve on Postgres: eight tries at once to approve their own request are refused (4)',
    () => mustNotApproveOwn(server, tries),
  ],
  [
    'approval approve on SQLite: eight tries at once to approve their own request are refused (4)',
    () => mustNotApproveOwn(null, tries),
  ],
  ['payout create on Postgres: eight tries at once use one approval once', () => mustUseApprovalOnce(server, tries)],
  ['payout create on SQLite: eight tries at once use one approval once', () => mustUseApprovalOnce(null, tries)],
  [
    'payout create on Postgres: eight tries at once do not change what was approved',
    () => mustNotChangeApproved(server, tries),
  ],
  [
    'payout create on SQLite: eight tries at once do not change what was approved',
    () => mustNotChangeApproved(null, tries),
  ],
  [
    'approval approve on Postgres: a request that changes meanwhile is not approved',
    () => mustNotApproveChanged(server, tries),
  ],
  [
    'approval approve on SQLite: a request that changes meanwhile is not approved',
    () => mustNotApproveChanged(null, tries),
  ],
  [
    'payout create on Postgres: eight small payouts at once do not add up to one that needs an approval (13)',
    () => mustNotAddUp(server, tries),
  ],
  [
    'payout create on SQLite: eight small payouts at once do not add up to one that needs an approval (13)',
    () => mustNotAddUp(null, tries),
  ],
])('%s', (_, holds) => holds())

test('batch run: a plan of one machine is held (13) until another machine has approved it, and runs then (0)', async () => {
  const { service, till, office, anna, nino, giorgi } = await team(server)
  const run = (argv: readonly string[], around: Surroundings) => paydesk([...argv, '--json'], around)
  const path = join(till.home, 'payroll.csv')
  writeFileSync(path, payroll(employees(20, { amount: '100' })))
  const planned = await run(['batch', 'plan', path, '--key-column', 'key', '-p', 'hand'], till)
  const planId = String(planned.json.planId)
  const start = ['batch', 'run', planId, '--confirm', 'GEL 2000']
  expect((await run(start, till)).code).toBe(13)
  const id = await asked(planId, anna, till)
  const by = (key: KeyFile) => run(['approval', 'approve', id, '--confirm', 'GEL 2000', ...as(key)], office)
  expect((await by(anna)).code).toBe(4)
  expect((await run(start, till)).code).toBe(13)
  expect((await by(nino)).json).toMatchObject({ state: 'approved' })
  await by(giorgi)
  expect(await run(start, till)).toMatchObject({ code: 0, json: { accepted: 20 } })
  expect(service.creates).toHaveLength(20)
  await mustVerify(office)
})

test.each(['Postgres', 'SQLite'] as const)(
  'batch run on %s: an approver who is revoked after 15 of 20 rows ends the run, nothing more is sent (13)',
  async (engine) => {
    let revoke = async (): Promise<unknown> => undefined
    const scene = await team(engine === 'Postgres' ? server : null, '1000', async ({ path }, count) => {
      if (path === '/api/distributor' && count === 15) await revoke()
      return undefined
    })
    const { service, till, office, anna, nino } = scene
    revoke = () => did(['team', 'key', 'revoke', 'Nino', ...as(anna)], office)
    const run = (argv: readonly string[], around: Surroundings) => paydesk([...argv, '--json'], around)
    const path = join(till.home, 'payroll.csv')
    writeFileSync(path, payroll(employees(20, { amount: '100' })))
    const planId = String((await run(['batch', 'plan', path, '--key-column', 'key', '-p', 'hand'], till)).json.planId)
    await approved(await asked(planId, anna, till), nino, office, 'GEL 2000')
    const ended = await run(['batch', 'run', planId, '--confirm', 'GEL 2000', '--concurrency', '1'], till)
    expect(ended.code, ended.stderr).toBe(13)
    expect(service.creates).toHaveLength(15)
  },
)

// A worker pays a hundred rows over a real database.
test('worker start: a plan that needs an approval is not handed over (13), and is paid once it is approved (0)', {
  timeout: 30_000,
}, async () => {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const office = machine(address, 0)
  const { anna, nino } = await people(office, { from: '100' })
  const desk = await teamDesk(address, service.url, 100)
  const planId = await desk.plan()
  const held = await desk.handOver(planId).end
  expect(held.code, held.stderr).toBe(13)
  await approved(await asked(planId, anna, office), nino, office, 'GEL 125')
  const worker = desk.workHere()
  await succeeds(desk.handOver(planId).end)
  worker.stop()
  expect((await worker.end).code).toBe(0)
  expect(service.creates).toHaveLength(100)
  await mustVerify(office)
})
