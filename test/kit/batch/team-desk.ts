/** A machine of a team over one store. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type Clock, realClock } from '../../../src/lib/edge.ts'
import { start } from '../program/built-paydesk.ts'
import { type Ended, newHome, paydesk, type Surroundings } from '../program/paydesk.ts'
import { addHandProfile } from '../service/service-by-hand.ts'
import { employees, payroll } from './payroll.ts'

/** The real time, with short naps: what looks again and again does not keep a test waiting. */
export const nappingClock: Clock = {
  ...realClock,
  sleep: (milliseconds, signal) => realClock.sleep(Math.min(milliseconds, 50), signal),
}

type Variables = Readonly<Record<string, string>>

export interface Working {
  readonly end: Promise<Pick<Ended, 'stderr'> & { readonly code: number | null }>
  /** What it has said so far. */
  said(): string
  /** Asks it to end. */
  stop(): void
}

/** In this process. */
export interface Begun extends Working {
  readonly end: Promise<Ended>
}

/** `address`: of the team's store; `url`: of the service. The file has rows of 1.25 each. */
export async function teamDesk(address: string, url: string, rows: number) {
  const home = newHome()
  await addHandProfile(home, url)
  const file = join(home, 'payroll.csv')
  writeFileSync(file, payroll(employees(rows, { amount: '1.25' })))
  const around: Surroundings = { home, env: { PAYDESK_STORE: address }, clock: nappingClock }
  const words = `GEL ${((rows * 125) / 100).toFixed(2)}`
  const run = (...argv: readonly string[]) => paydesk([...argv, '--json'], around)
  const worker = (flags: readonly string[]) => [
    ...['worker', 'start', '-p', 'hand', '--json'],
    ...(flags.includes('--concurrency') ? flags : ['--concurrency', '4', ...flags]),
  ]
  /** A command that goes on beside the test. */
  const begun = (argv: readonly string[]): Begun => {
    let [said, isStopped] = ['', false]
    let send: (signal: 'SIGTERM') => void = () => undefined
    const end = paydesk(argv, {
      ...around,
      signals: (to) => {
        send = to
        if (isStopped) to('SIGTERM')
      },
      dialogue: (screen) => {
        said = screen
      },
    })
    const stop = () => {
      isStopped = true
      send('SIGTERM')
    }
    onTestFinished(async () => {
      stop()
      await end.catch(() => undefined)
    })
    return { end, stop, said: () => said }
  }
  return {
    home,
    run,
    async plan(...more: readonly string[]): Promise<string> {
      const ended = await run('batch', 'plan', file, '--key-column', 'key', '-p', 'hand', ...more)
      expect(ended.code, ended.stderr).toBe(0)
      return String(ended.json.planId)
    },
    /** `batch run --workers`: it goes on until the plan is through. */
    handOver: (planId: string, ...more: readonly string[]) =>
      begun(['batch', 'run', planId, '--workers', '--confirm', words, '--json', ...more]),
    resume: (planId: string) => run('batch', 'resume', planId, '--confirm', words),
    /** A run of this machine alone, as a process of its own. */
    runAlone: (planId: string, verb: 'run' | 'resume', ...more: readonly string[]) =>
      start(['batch', verb, planId, '--confirm', words, '--json', ...more], home, environment(address)),
    /** A worker as a process of its own. */
    work(
      flags: readonly string[] = [],
      env: Variables = {},
    ): Working & { readonly pid: number; kill(): Promise<void> } {
      const { child, end } = start(worker(flags), home, { ...environment(address), ...env })
      let said = ''
      child.stderr?.on('data', (piece: Buffer) => {
        said += piece.toString()
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      return {
        ...{ end, said: () => said, pid: child.pid ?? 0 },
        stop: () => void child.kill('SIGTERM'),
        async kill() {
          child.kill('SIGKILL')
          await end
        },
      }
    },
    /** A worker in this process, with short naps; one at a time, for it is the same holder as every other one here. */
    workHere: (...flags: readonly string[]) => begun(worker(flags)),
  }
}

const environment = (address: string) => ({ PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' })
