/** Machines of a team over one store, and persons with keys. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newPersonKey } from '../../src/lib/approvals/signatures.ts'
import { type Clock, realClock } from '../../src/lib/edge.ts'
import { employees, payroll } from './batch.ts'
import { watchedNaps } from './clock.ts'
import { builtPaydesk, start } from './process.ts'
import { type Ended, newHome, paydesk, type Surroundings, succeeds } from './program.ts'
import { temporaryDirectory } from './run/temporary.ts'
import { addHandProfile } from './service.ts'

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
      const ended = await succeeds(run('batch', 'plan', file, '--key-column', 'key', '-p', 'hand'))
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
      const ended = await succeeds(run('batch', 'plan', file, '--key-column', 'key', '-p', 'hand', ...more))
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

const hour = 3_600_000
const day = 24 * hour
/** Tbilisi is four hours ahead of UTC, all year round. */
const zone = 4 * hour

/** Milliseconds to add to the real time, so that a machine has half past eleven at night, and the other one half an hour past it. */
export function wrongClocks(): readonly [till: number, office: number] {
  const sinceMidnight = (realClock.now() + zone) % day
  const till = day - hour / 2 - sinceMidnight
  return [till, till + hour]
}

/** `address` null: its store is a file in its home. */
export function machine(address: string | null, wrongBy: number): Surroundings {
  const clock: Clock = { ...realClock, now: () => realClock.now() + wrongBy }
  return { home: newHome(), env: address === null ? {} : { PAYDESK_STORE: address }, clock }
}

/** So many at once, in this process. */
export function atOnce<Result>(count: number, work: (at: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => work(at)))
}

export interface KeyFile {
  readonly file: string
  readonly publicKey: string
}

/** The key of a person, in a file of a directory of its own. */
export function keyFile(): KeyFile {
  const file = join(temporaryDirectory('person'), 'own.key')
  const { pem, publicKey } = newPersonKey()
  writeFileSync(file, pem, { mode: 0o600 })
  return { file, publicKey }
}

/** Arguments that name the key of a person. */
export const as = ({ file }: KeyFile) => ['--person-key', file]

export async function did(argv: readonly string[], around: Surroundings) {
  const ended = await paydesk([...argv, '--json'], around)
  if (ended.code !== 0) throw new Error(`${argv.join(' ')} ended with ${ended.code}: ${ended.stderr}`)
  return ended.json
}

export interface NewRule {
  readonly from: string
  readonly approvers?: number
  readonly currency?: string
}

/** Anna, who is the administrator, Nino and Giorgi; and rules such as `{ from: '1000' }`. */
export async function people(around: Surroundings, ...rules: readonly NewRule[]) {
  const [anna, nino, giorgi] = [keyFile(), keyFile(), keyFile()]
  await did(['team', 'key', 'add', 'Anna', ...as(anna)], around)
  for (const [name, { publicKey }] of [['Nino', nino] as const, ['Giorgi', giorgi] as const]) {
    await did(['team', 'key', 'add', name, '--public-key', publicKey, ...as(anna)], around)
  }
  for (const { from, approvers = 1, currency = 'GEL' } of rules) {
    const rule = ['--currency', currency, '--from', from, '--approvers', String(approvers)]
    await did(['team', 'rule', 'add', ...rule, ...as(anna)], around)
  }
  return { anna, nino, giorgi }
}

/** A home of its own with these people and rules. */
export async function peopleAtHome(...rules: readonly NewRule[]) {
  const around: Surroundings = { home: newHome() }
  return { around, ...(await people(around, ...rules)) }
}

/** Asks for an approval, and gives its id. */
export async function asked(id: string, key: KeyFile, around: Surroundings, ...more: readonly string[]) {
  const { approvalId } = await did(['approval', 'request', id, ...as(key), ...more], around)
  return String(approvalId)
}

export const approve = (id: string, key: KeyFile, confirm: string) => [
  ...['approval', 'approve', id, '--confirm', confirm, ...as(key), '--json'],
]

export function approved(id: string, key: KeyFile, around: Surroundings, confirm: string) {
  return did(approve(id, key, confirm), around)
}
