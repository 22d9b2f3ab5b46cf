/**
 * Two people on two machines with one store, an hour and midnight between their clocks: tries at once, each a command in this
 * process, do not get round the other one's word. A hundred of them in a whole run.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atOnce, machine, tries as many, wrongClocks } from '../kit/approval/machines.ts'
import { approve, approved, as, asked, did, type KeyFile, people } from '../kit/approval/persons.ts'
import { teamMachine } from '../kit/batch/fleet.ts'
import { employees, payroll } from '../kit/batch/payroll.ts'
import { mustVerify } from '../kit/journal.ts'
import { create } from '../kit/payment.ts'
import { paydesk, type Surroundings } from '../kit/program/paydesk.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'
import { postgresServer } from '../kit/store/postgres.ts'

const server = postgresServer()

/** Anna at the till, Nino in the office; one store in Postgres, or a file for both. */
async function team(engine: 'postgres' | 'sqlite', from = '1000', answering?: Parameters<typeof serviceByHand>[0]) {
  const address = engine === 'postgres' ? await server.newAddress() : null
  const service = await serviceByHand(answering)
  const [early, late] = wrongClocks()
  const till = machine(address, early)
  const office = engine === 'postgres' ? machine(address, late) : till
  for (const { home } of new Set([till, office])) await addHandProfile(home, service.url)
  const { anna, nino, giorgi } = await people(till, { from })
  return { service, till, office, anna, nino, giorgi }
}

const pay = (more = {}) => [
  ...create({ profile: 'hand', key: 'salary-11', amount: '1200', timeout: '90s', ...more }),
  '--json',
]

const engines = ['postgres', 'sqlite'] as const

describe.each(engines)('%s', (engine) => {
  test(`${many} tries at once do not approve one’s own request`, { timeout: 180_000 }, async () => {
    const { service, till, office, anna, nino } = await team(engine)
    const held = await paydesk(pay(), till)
    expect(held.code, held.stderr).toBe(13)
    const id = await asked(String(held.error.journalId), anna, till)
    const tries = await atOnce((at) => paydesk(approve(id, anna, 'GEL 1200'), at % 2 ? till : office))
    expect(new Set(tries.map(({ code }) => code))).toEqual(new Set([4]))
    expect((await paydesk(pay(), till)).code).toBe(13)
    await approved(id, nino, office, 'GEL 1200')
    expect((await paydesk(pay(), till)).code).toBe(0)
    expect(service.creates).toHaveLength(1)
    await mustVerify(office)
  })

  test(`${many} tries at once use one approval once`, { timeout: 180_000 }, async () => {
    const { service, till, office, anna, nino } = await team(engine)
    const held = await paydesk(pay(), till)
    const journalId = String(held.error.journalId)
    await approved(await asked(journalId, anna, till), nino, office, 'GEL 1200')
    const tries = await atOnce((at) => {
      const around = at % 2 ? till : office
      if (at % 3 === 0) return paydesk(['resume', journalId, '--json', '--timeout', '90s'], around)
      return paydesk(at % 3 === 1 ? pay({ key: `other-${at}` }) : pay(), around)
    })
    for (const [at, { code, stderr }] of tries.entries()) expect(at % 3 === 1 ? [13] : [0, 12], stderr).toContain(code)
    expect(service.creates.map(({ body }) => (JSON.parse(body) as { amount: number }).amount)).toEqual([1200])
    await mustVerify(office)
  })

  test(`${many} tries at once do not change what was approved`, { timeout: 180_000 }, async () => {
    const { service, till, office, anna, nino } = await team(engine)
    const held = await paydesk(pay(), till)
    await approved(await asked(String(held.error.journalId), anna, till), nino, office, 'GEL 1200')
    const changed = (at: number) =>
      pay(at % 3 === 1 ? { amount: `${1300 + at}` } : { 'beneficiary-name': `Other ${at}` })
    const tries = await atOnce((at) => paydesk(at % 3 === 0 ? pay() : changed(at), at % 2 ? till : office))
    for (const { code, stderr } of tries) expect([0, 7, 12, 13], stderr).toContain(code)
    const sent = service.creates.map(({ body }) => JSON.parse(body) as { amount: number; beneficiaryName: string })
    expect(sent.length).toBeLessThanOrEqual(1)
    for (const body of sent) expect(body).toMatchObject({ amount: 1200, beneficiaryName: 'Nino Beridze' })
    await mustVerify(office)
  })

  test('what changes while it is approved is not approved', { timeout: 180_000 }, async () => {
    const { service, till, office, anna, nino } = await team(engine)
    const held = await paydesk(pay(), till)
    const id = await asked(String(held.error.journalId), anna, till)
    const changes = atOnce((at) => paydesk(pay({ amount: `${1300 + at}` }), at % 2 ? till : office))
    const word = await paydesk(approve(id, nino, 'GEL 1200'), office)
    expect([0, 1, 12]).toContain(word.code)
    for (const { code, stderr } of await changes) expect([12, 13], stderr).toContain(code)
    expect(service.creates).toHaveLength(0)
  })

  test(`${many} small ones at once do not add up to a large one`, { timeout: 180_000 }, async () => {
    const { service, till, office } = await team(engine)
    const amount = `${2000 / many}`
    const tries = await atOnce((at) => paydesk(pay({ key: `k-${at}`, amount }), at % 2 ? till : office))
    const codes = tries.map(({ code }) => code)
    expect(codes.filter((code) => code === 0)).toHaveLength(many / 2 - 1)
    expect(codes.filter((code) => code === 13)).toHaveLength(many / 2 + 1)
    expect(service.creates).toHaveLength(many / 2 - 1)
  })
})

test('a plan of one machine is approved on another, and runs', { timeout: 120_000 }, async () => {
  const { service, till, office, anna, nino, giorgi } = await team('postgres')
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

test.each(engines)(
  'an approver who is revoked in the middle of a run ends it: %s',
  { timeout: 120_000 },
  async (engine) => {
    let revoke = async (): Promise<unknown> => undefined
    const scene = await team(engine, '1000', async ({ path }, count) => {
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

test('workers pay a plan once it is approved, and not before', { timeout: 120_000 }, async () => {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const office = machine(address, 0)
  const { anna, nino } = await people(office, { from: '100' })
  const fleet = await teamMachine(address, service.url, 100)
  const planId = await fleet.plan()
  const held = await fleet.handOver(planId).end
  expect(held.code, held.stderr).toBe(13)
  await approved(await asked(planId, anna, office), nino, office, 'GEL 125')
  const worker = fleet.work()
  const ended = await fleet.handOver(planId, '--timeout', '60s').end
  expect(ended.code, ended.stderr).toBe(0)
  worker.child.kill('SIGTERM')
  expect((await worker.end).code).toBe(0)
  expect(service.creates).toHaveLength(100)
  await mustVerify(office)
})
