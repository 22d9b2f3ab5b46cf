/** Limits among processes: many at once cannot exceed one together, and one that is killed gives nothing back. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { employees, payroll } from '../kit/batch.ts'
import { create, journalOf } from '../kit/payment.ts'
import { builtPaydesk, start } from '../kit/process.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { type Answering, addHandProfile, serviceByHand } from '../kit/service.ts'
import { gate, until } from '../kit/tools.ts'

// Processes of the built program, on a machine that may be busy with others.
vi.setConfig({ testTimeout: 120_000 })

async function limited(limits: readonly string[], answering?: Answering) {
  const home = newHome()
  const service = await serviceByHand(answering)
  await addHandProfile(home, service.url)
  const argv = limits.flatMap((limit) => ['--limit', limit])
  await succeeds(paydesk(['profile', 'add', 'hand', ...argv], { home }))
  const executed = () => service.creates.map(({ body }) => Number(JSON.parse(body).amount))
  return { home, service, executed, total: () => executed().reduce((sum, amount) => sum + amount, 0) }
}

/** How often each exit code came. */
function tally(codes: readonly (number | null)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const code of codes) counts[String(code)] = (counts[String(code)] ?? 0) + 1
  return counts
}

test('payout create, six processes at once under GEL 50/hour: four of 12.50 are accepted, two are held (13)', async () => {
  // Answers that wait for each other keep all four in flight.
  const { opened: all, open: release } = gate()
  let arrived = 0
  const { home, executed } = await limited(['GEL 50/hour'], async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    arrived += 1
    if (arrived === 4) release()
    await all
    return undefined
  })
  const runs = Array.from({ length: 6 }, (_, at) => builtPaydesk(create({ profile: 'hand', key: `k-${at}` }), home))
  const ended = await Promise.all(runs)
  expect(tally(ended.map(({ code }) => code)), ended.map(({ stderr }) => stderr).join('')).toEqual({ 0: 4, 13: 2 })
  expect(executed()).toHaveLength(4)
  const states = (await journalOf({ home })).map(({ state }) => state)
  expect([
    states.filter((state) => state === 'accepted').length,
    states.filter((state) => state === 'held').length,
  ]).toEqual([4, 2])
})

test('batch run, two plans and two single payouts at once under two limits: together they stay within both', async () => {
  const { home, total } = await limited(['GEL 25/hour', '22/hour'])
  const planned = async (name: string) => {
    const file = join(home, `${name}.csv`)
    writeFileSync(file, payroll(employees(12, { amount: '1' }).map((row) => ({ ...row, key: `${name}-${row.key}` }))))
    const plan = await paydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'hand', '--json'], { home })
    expect(plan.code, plan.stderr).toBe(0)
    return String(plan.json.planId)
  }
  const [one, two] = [await planned('one'), await planned('two')]
  const run = (planId: string) => builtPaydesk(['batch', 'run', planId, '--confirm', 'GEL 12', '--json'], home)
  const single = (at: number) => builtPaydesk(create({ profile: 'hand', key: `s-${at}`, amount: '1' }), home)
  const ended = await Promise.all([run(one), run(two), ...[1, 2].map(single)])
  for (const { code, stderr } of ended) expect([0, 13], stderr).toContain(code)
  expect(total()).toBeLessThanOrEqual(22)
  // A run that a limit ends keeps here what it had opened ahead.
  const isCounted = ({ state }: { readonly state: string }) => state !== 'held' && state !== 'unsent'
  const counted = (await journalOf({ home }, '--limit', '200')).filter(isCounted)
  expect(counted.every(({ state }) => state === 'accepted')).toBe(true)
  expect(counted).toHaveLength(total())
})

test('payout create, killed in flight: it counts against the limit, the next one is held (13), and its resume is not', async () => {
  let isSilent = true
  const { home, service } = await limited(['GEL 20/hour'], ({ path }) =>
    path === '/api/distributor' && isSilent ? 'hang' : undefined,
  )
  const { child, end } = start(create({ profile: 'hand', key: 'killed' }), home)
  await until('the payout has arrived', () => service.creates.length === 1)
  child.kill('SIGKILL')
  await end
  isSilent = false
  const second = await paydesk(create({ profile: 'hand', key: 'second' }), { home })
  expect(second.code, second.stderr).toBe(13)
  expect(second.stderr).toContain('GEL 20.00/hour leaves GEL 7.50; GEL 12.50 is possible')
  await succeeds(paydesk(['resume', '--all'], { home }))
  const sent = service.creates.map(({ body }) => JSON.parse(body).uniqueId)
  expect(sent).toHaveLength(2)
  expect(new Set(sent).size).toBe(1)
})
