/** Four eyes: two persons on two machines with one store, an hour and midnight between their clocks, each try a command in this process. */
import { expect } from 'vitest'
import { create, mustVerify } from '../kit/payment.ts'
import type { TestServer } from '../kit/postgres.ts'
import { paydesk } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'
import { approve, approved, asked, atOnce, machine, people, wrongClocks } from '../kit/team.ts'

/** The server of a store in Postgres; null for a file that both machines have. */
export type Engine = TestServer | null

/** Anna at the till, Nino in the office; one store in Postgres, or a file for both. */
export async function team(engine: Engine, from = '1000', answering?: Parameters<typeof serviceByHand>[0]) {
  const address = engine === null ? null : await engine.newAddress()
  const service = await serviceByHand(answering)
  const [early, late] = wrongClocks()
  const till = machine(address, early)
  const office = engine === null ? till : machine(address, late)
  for (const { home } of new Set([till, office])) await addHandProfile(home, service.url)
  const { anna, nino, giorgi } = await people(till, { from })
  return { service, till, office, anna, nino, giorgi }
}

const pay = (more = {}) => [
  ...create({ profile: 'hand', key: 'salary-11', amount: '1200', timeout: '90s', ...more }),
  '--json',
]

/** Whoever asked for an approval cannot give it, however often and wherever it is tried at once. */
export async function mustNotApproveOwn(engine: Engine, tries: number): Promise<void> {
  const { service, till, office, anna, nino } = await team(engine)
  const held = await paydesk(pay(), till)
  expect(held.code, held.stderr).toBe(13)
  const id = await asked(String(held.error.journalId), anna, till)
  const all = await atOnce(tries, (at) => paydesk(approve(id, anna, 'GEL 1200'), at % 2 ? till : office))
  expect(new Set(all.map(({ code }) => code))).toEqual(new Set([4]))
  expect((await paydesk(pay(), till)).code).toBe(13)
  await approved(id, nino, office, 'GEL 1200')
  expect((await paydesk(pay(), till)).code).toBe(0)
  expect(service.creates).toHaveLength(1)
  await mustVerify(office)
}

/** One approval lets one payout leave, however many ask for it at once. */
export async function mustUseApprovalOnce(engine: Engine, tries: number): Promise<void> {
  const { service, till, office, anna, nino } = await team(engine)
  const held = await paydesk(pay(), till)
  const journalId = String(held.error.journalId)
  await approved(await asked(journalId, anna, till), nino, office, 'GEL 1200')
  const all = await atOnce(tries, (at) => {
    const around = at % 2 ? till : office
    if (at % 3 === 0) return paydesk(['resume', journalId, '--json', '--timeout', '90s'], around)
    return paydesk(at % 3 === 1 ? pay({ key: `other-${at}` }) : pay(), around)
  })
  for (const [at, { code, stderr }] of all.entries()) expect(at % 3 === 1 ? [13] : [0, 12], stderr).toContain(code)
  expect(service.creates.map(({ body }) => (JSON.parse(body) as { amount: number }).amount)).toEqual([1200])
  await mustVerify(office)
}

/** What was approved leaves as it was approved, or not at all. */
export async function mustNotChangeApproved(engine: Engine, tries: number): Promise<void> {
  const { service, till, office, anna, nino } = await team(engine)
  const held = await paydesk(pay(), till)
  await approved(await asked(String(held.error.journalId), anna, till), nino, office, 'GEL 1200')
  const changed = (at: number) => pay(at % 3 === 1 ? { amount: `${1300 + at}` } : { 'beneficiary-name': `Other ${at}` })
  const all = await atOnce(tries, (at) => paydesk(at % 3 === 0 ? pay() : changed(at), at % 2 ? till : office))
  for (const { code, stderr } of all) expect([0, 7, 12, 13], stderr).toContain(code)
  const sent = service.creates.map(({ body }) => JSON.parse(body) as { amount: number; beneficiaryName: string })
  expect(sent.length).toBeLessThanOrEqual(1)
  for (const body of sent) expect(body).toMatchObject({ amount: 1200, beneficiaryName: 'Nino Beridze' })
  await mustVerify(office)
}

/** A request that changes while it is approved is not approved. */
export async function mustNotApproveChanged(engine: Engine, tries: number): Promise<void> {
  const { service, till, office, anna, nino } = await team(engine)
  const held = await paydesk(pay(), till)
  const id = await asked(String(held.error.journalId), anna, till)
  const changes = atOnce(tries, (at) => paydesk(pay({ amount: `${1300 + at}` }), at % 2 ? till : office))
  const word = await paydesk(approve(id, nino, 'GEL 1200'), office)
  expect([0, 1, 12]).toContain(word.code)
  for (const { code, stderr } of await changes) expect([12, 13], stderr).toContain(code)
  expect(service.creates).toHaveLength(0)
}

/** Small payouts of one maker are counted together, however many come at once. */
export async function mustNotAddUp(engine: Engine, tries: number): Promise<void> {
  const { service, till, office } = await team(engine)
  const amount = `${2000 / tries}`
  const all = await atOnce(tries, (at) => paydesk(pay({ key: `k-${at}`, amount }), at % 2 ? till : office))
  const codes = all.map(({ code }) => code)
  expect(codes.filter((code) => code === 0)).toHaveLength(tries / 2 - 1)
  expect(codes.filter((code) => code === 13)).toHaveLength(tries / 2 + 1)
  expect(service.creates).toHaveLength(tries / 2 - 1)
}
