/** A machine of a team over one store. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import { builtPaydesk, start } from '../program/built-paydesk.ts'
import { newHome, paydesk } from '../program/paydesk.ts'
import { watchedNaps } from '../run/rounds.ts'
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
  /** A command that stays until it is over or stopped, in this process. Between two looks it naps. */
  const staying = (...argv: readonly string[]) => {
    let stop: (signal: 'SIGINT' | 'SIGTERM') => void = () => undefined
    const end = paydesk([...argv, '--json'], {
      ...{ home, env, clock: watchedNaps(realClock) },
      signals: (to) => {
        stop = to
      },
    })
    return { end, stop: (signal: 'SIGINT' | 'SIGTERM') => stop(signal) }
  }
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
    /** A worker in this process: no pause that the service asks for, and no rate, takes its time. */
    workHere: () => staying('worker', 'start', '-p', 'hand', '--concurrency', '4'),
    handOverHere: (planId: string, ...more: readonly string[]) =>
      staying('batch', 'run', planId, '--workers', '--confirm', words, ...more),
    resume: (planId: string) => builtPaydesk(['batch', 'resume', planId, '--confirm', words, '--json'], home, env),
    /** The lines of `worker list`. */
    async workers(): Promise<readonly { readonly accepted: number; readonly chunks: readonly string[] }[]> {
      return JSON.parse((await run('worker', 'list')).stdout)
    },
  }
}
