/**
 * A machine of a team over one store. It plans and looks in this process; what hands over, resumes or works is the built program
 * in a process of its own, as a team's machines are.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { builtPaydesk, start } from '../program/built-paydesk.ts'
import { newHome, paydesk } from '../program/paydesk.ts'
import { addHandProfile } from '../service/service-by-hand.ts'
import { employees, payroll } from './payroll.ts'

/** `address`: of the team's store; `url`: of the service. The file has rows of 1.25 each. */
export async function teamMachine(address: string, url: string, rows: number) {
  const home = newHome()
  await addHandProfile(home, url)
  const file = join(home, 'payroll.csv')
  writeFileSync(file, payroll(employees(rows, { amount: '1.25' })))
  const env = { PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' }
  const words = `GEL ${((rows * 125) / 100).toFixed(2)}`
  const run = (...argv: readonly string[]) => paydesk([...argv, '--json'], { home, env })
  return {
    home,
    env,
    run,
    async plan(): Promise<string> {
      const ended = await run('batch', 'plan', file, '--key-column', 'key', '-p', 'hand')
      expect(ended.code, ended.stderr).toBe(0)
      return String(JSON.parse(ended.stdout).planId)
    },
    work: (...more: readonly string[]) =>
      start(['worker', 'start', '-p', 'hand', '--concurrency', '4', '--json', ...more], home, env),
    handOver: (planId: string, ...more: readonly string[]) =>
      start(['batch', 'run', planId, '--workers', '--confirm', words, '--json', ...more], home, env),
    resume: (planId: string) => builtPaydesk(['batch', 'resume', planId, '--confirm', words, '--json'], home, env),
    /** The lines of `worker list`. */
    async workers(): Promise<readonly { readonly accepted: number; readonly chunks: readonly string[] }[]> {
      return JSON.parse((await run('worker', 'list')).stdout)
    },
  }
}
