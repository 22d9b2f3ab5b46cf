/** One file in two plans of a team: machines see each other's plans, and workers look for payouts alike as a run does. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import { watchedNaps } from '../../kit/clock.ts'
import { beneficiaryIban, create } from '../../kit/payment.ts'
import { postgresServer } from '../../kit/postgres.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, certificate, serviceByHand } from '../../kit/service.ts'
import { until } from '../../kit/tools.ts'

// A real Postgres, and workers that look for rows once a second.
vi.setConfig({ testTimeout: 60_000 })

const server = postgresServer()

const salaries = (description: string) =>
  [
    'description,amount,currency,toIban,beneficiaryName,key',
    ...[1, 2].map((at) => `${description} ${at},1${at}.50,GEL,${beneficiaryIban},Nino Beridze,e-${at}`),
    '',
  ].join('\n')

/** Machines of one team with a live profile each. */
async function team() {
  const service = await serviceByHand(() => undefined, true)
  const address = await server.newAddress()
  const env = { PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' }
  const machine = async () => {
    const home = newHome()
    await addHandProfile(home, service.url, { environment: 'live', 'ca-file': certificate })
    const staying = (...argv: readonly string[]) => {
      let stop: (signal: 'SIGINT' | 'SIGTERM') => void = () => undefined
      const signals = (to: typeof stop) => {
        stop = to
      }
      const around = { home, env, clock: watchedNaps(realClock), signals }
      return { end: paydesk([...argv, '-p', 'hand', '--json'], around), stop: () => stop('SIGTERM') }
    }
    const run = (...argv: readonly string[]) => paydesk([...argv, '-p', 'hand', '--json'], { home, env })
    const map = join(home, 'map.yaml')
    writeFileSync(map, 'ignore: [key]\n')
    const plan = (text: string, key: string) => {
      const file = join(home, 'salaries.csv')
      writeFileSync(file, text)
      return run('batch', 'plan', file, '--map', map, '--key-column', key)
    }
    return { run, plan, staying }
  }
  return { service, one: await machine(), other: await machine() }
}

const agreed = (planId: string, ...more: readonly string[]) =>
  ['batch', 'run', planId, '--confirm', 'GEL 24.00', ...more] as const

test('batch plan of a team: a file that another machine has planned by another key column is refused (7) with that plan’s id', async () => {
  const { one, other } = await team()
  const first = await succeeds(one.plan(salaries('Salary'), 'key'))
  const second = await other.plan(salaries('Salary'), 'description')
  expect(second, second.stderr).toMatchObject({ code: 7, stdout: '' })
  expect(second.error.message).toContain(String(first.json.planId))
})

test('batch run --workers: a payout alike stops the handing over (7) or the workers, and --allow-duplicates lets the workers pay', async () => {
  const { service, one, other } = await team()
  const [first, second] = [await one.plan(salaries('Salary'), 'key'), await other.plan(salaries('Wage'), 'description')]
  for (const each of [first, second]) expect(each.code, each.stderr).toBe(0)
  const ids = [String(first.json.planId), String(second.json.planId)] as const
  const handing = one.staying(...agreed(ids[0], '--workers'))
  const statusOf = async (planId: string) => (await one.run('batch', 'status', planId)).json
  await until('the first plan is handed over', async () => (await statusOf(ids[0])).withWorkers !== null)
  const byHand = { profile: null, yes: null, amount: '12.50', confirm: 'GEL 12.50' }
  expect((await other.run(...create(byHand))).code).toBe(0)
  const worker = other.staying('worker', 'start')
  const stopped = await handing.end
  expect(stopped, stopped.stderr).toMatchObject({ code: 7 })
  expect(String(stopped.json.stopped)).toMatch(/other payouts like its rows were sent: row 3: j-/)
  const refused = await other.run(...agreed(ids[1], '--workers'))
  expect(refused, refused.stderr).toMatchObject({ code: 7, json: { planned: 2 } })
  const before = service.creates.length
  const meant = await other.run(...agreed(ids[1], '--workers', '--allow-duplicates'))
  expect(meant, meant.stderr).toMatchObject({ code: 0, json: { accepted: 2 } })
  expect(service.creates).toHaveLength(before + 2)
  worker.stop()
  expect((await worker.end).code).toBe(0)
})
