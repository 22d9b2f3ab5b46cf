/** A store with a batch, a payment without an answer and an approval that waits, and the dashboard over it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { employees, payroll } from '../../kit/batch.ts'
import { create } from '../../kit/payment.ts'
import { start } from '../../kit/process.ts'
import { newHome, paydesk, startStaying } from '../../kit/program.ts'
import { addHandProfile, json, serviceByHand } from '../../kit/service.ts'
import { asked, people } from '../../kit/team.ts'
import { until } from '../../kit/tools.ts'

interface Place {
  readonly home: string
  readonly env: Record<string, string>
}

/** Three rows: one accepted, one refused, one unknown; and GEL 1200 that wait for Nino. `file` is the name of the batch's file. */
export async function seenStore(env: Record<string, string> = {}, file = 'payroll.csv') {
  const place: Place = { home: newHome(), env }
  const service = await serviceByHand(({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (body.includes('2.25')) return json({ message: 'no', statusCode: 5042 }, 400)
    return body.includes('3.25') ? 'reset' : undefined
  })
  await addHandProfile(place.home, service.url)
  const path = join(place.home, file)
  writeFileSync(path, payroll(employees(3)))
  const run = async (argv: readonly string[], code: number) => {
    const ended = await paydesk([...argv, '-p', 'hand', '--json'], place)
    if (ended.code !== code) throw new Error(`${argv.join(' ')} ended with ${ended.code}: ${ended.stderr}`)
    return ended
  }
  const planId = String((await run(['batch', 'plan', path, '--key-column', 'key'], 0)).json.planId)
  await run(['batch', 'run', planId, '--confirm', 'GEL 6.75', '--timeout', '2s'], 9)
  const { anna, nino } = await people(place, { from: '1000' })
  const payment = create({ profile: null, key: 'rent', amount: '1200', yes: null, confirm: 'GEL 1200' })
  const held = await run(payment, 13)
  const approvalId = await asked(String(held.error.journalId), anna, place)
  return { ...place, planId, approvalId, nino, run }
}

/** The dashboard over the store of a home, in this process, until the test is over. */
export async function dashboardOver(place: Place) {
  const { ready, end } = await startStaying(['team', 'dashboard', '--json'], place)
  const { url } = ready as { readonly url: string }
  return { stop: end, url, port: Number(new URL(url).port) }
}

/** The same as a process of its own, whose end matters. */
export async function dashboardProcess({ home, env }: Place) {
  const running = start(['team', 'dashboard', '--json'], home, env)
  onTestFinished(async () => {
    running.child.kill('SIGKILL')
    await running.end
  })
  let stdout = ''
  running.child.stdout?.on('data', (piece) => {
    stdout += String(piece)
  })
  await until('it is ready', () => stdout.includes('\n') || running.child.exitCode !== null)
  const { url } = JSON.parse(stdout) as { readonly url: string }
  return { ...running, url, port: Number(new URL(url).port) }
}
