/** The same rows in two plans, on two machines at once, over one store in Postgres: programs and database are killed for real, and each row is paid once. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { employees, payroll } from '../kit/batch/payroll.ts'
import { builtPaydesk, start } from '../kit/program/built-paydesk.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { seededNumbers } from '../kit/run/chance.ts'
import { isWhole } from '../kit/run/whole.ts'
import { ledgerService } from '../kit/service/ledger.ts'
import { addHandProfile } from '../kit/service/service-by-hand.ts'
import { ownPostgresServer } from '../kit/store/postgres.ts'

const random = seededNumbers()

vi.setConfig({ testTimeout: 600_000 })

const server = ownPostgresServer()
const rows = isWhole ? 300 : 120
const words = `GEL ${((rows * 125) / 100).toFixed(2)}`

/** The same rows in a plan of each machine's own: both pay them at once. */
async function machine(address: string, url: string, name: string) {
  const home = newHome()
  await addHandProfile(home, url)
  const file = join(home, 'payroll.csv')
  writeFileSync(file, payroll(employees(rows, { amount: '1.25' })))
  const env = { PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' }
  const planned = await builtPaydesk(
    ['batch', 'plan', file, '--key-column', 'key', '--again', name, '-p', 'hand', '--json'],
    home,
    env,
  )
  expect(planned.code, planned.stderr).toBe(0)
  const { planId } = JSON.parse(planned.stdout) as { readonly planId: string }
  return {
    begin: (verb: 'run' | 'resume') =>
      start(['batch', verb, planId, '--confirm', words, '--concurrency', '4', '--json'], home, env),
    status: () => builtPaydesk(['batch', 'status', planId, '--json'], home, env),
    verify: () => builtPaydesk(['journal', 'verify', '--json'], home, env),
  }
}

test(`${rows} rows, two machines, kills of both and of the database: each row is paid once`, async () => {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService()
  const machines = [
    await machine(address, service.url, 'first'),
    await machine(address, service.url, 'second'),
  ] as const
  for (const verb of ['run', 'resume'] as const) {
    const runs = machines.map((each) => each.begin(verb))
    await wait(1_500 + random() * 1_000)
    await server.crash()
    await wait(500 + random() * 1_000)
    for (const { child } of runs) child.kill('SIGKILL')
    await Promise.all(runs.map(({ end }) => end))
  }
  // Rows that one has in flight are locked for the other: it says so, and the next look finds them paid.
  for (let tries = 0, open = rows; open > 0 && tries < 10; tries += 1) {
    const ends = await Promise.all(machines.map((each) => each.begin('resume').end))
    for (const { code, stderr } of ends) expect([0, 9, 10], stderr).toContain(code)
    const { stdout } = await machines[0].status()
    const { accepted, exists } = JSON.parse(stdout) as { readonly accepted: number; readonly exists: number }
    open = rows - accepted - exists
  }
  for (const each of machines) {
    expect(JSON.parse((await each.status()).stdout)).toMatchObject({ unknown: 0, planned: 0, unsent: 0 })
    expect(JSON.parse((await each.verify()).stdout)).toMatchObject({ intact: true })
  }
  expect(executed.size).toBe(rows)
  expect([...executed.values()].reduce((sum, cents) => sum + cents, 0)).toBe(rows * 125)
})
