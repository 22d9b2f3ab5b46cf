/**
 * The edge of the program: clock, randomness, environment and streams. They are read here and passed down, so that the
 * simulator and the tests can give others.
 */
import { readFileSync } from 'node:fs'
import { homedir, uptime, userInfo } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** The time since this machine started, which no setting of the clock moves; null where the system does not say. */
  steady(): Steady | null
  /** Resolves after so many milliseconds; rejects with the signal's reason when the signal fires first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** Milliseconds that no setting of the clock moves, where the system has such a clock. */
export function steadyNow(clock: Clock): number {
  return clock.steady()?.milliseconds ?? clock.now()
}

/** A moment counted from the start of the machine. Two of one `boot` can be compared, whatever the clock was set to. */
export interface Steady {
  /** The name of this start of the machine. */
  readonly boot: string
  readonly milliseconds: number
  /** The name of the machine, the same after each of its starts; absent where the system tells none. */
  readonly machine?: string
}

export interface Random {
  /** A UUID, version 4. */
  uuid(): string
  /** Evenly spread in [0, 1); for jitter only. */
  fraction(): number
  /** Unguessable text of so many bytes, base64url. */
  secret(bytes: number): string
  /** A new RSA key pair of so many bits. */
  rsaKeyPair(bits: number): Promise<RsaKeyPair>
}

/** Both halves as services issue them: base64 of the DER (SPKI, PKCS#8) in one line. */
export interface RsaKeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** The outside world of a command. */
export interface Edge {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly clock: Clock
  readonly random: Random
  /** Tells of every ^C ('SIGINT') and SIGTERM, the newest listener alone; gives back what stops the telling. */
  onSignal(tell: (signal: 'SIGINT' | 'SIGTERM') => void): () => void
  /** Calls `work` every so many milliseconds until the function that it returns is called; the process does not stay for it. */
  every(milliseconds: number, work: () => void): () => void
  /**
   * Sets the exit code at the end of a command; `at-once` ends the process whatever still goes on in it. `when-idle`: the
   * command has cleared up, too, and the code stays as it is.
   */
  exit(code: number, when?: 'when-idle' | 'at-once'): void
}

/** A variable of the process that belongs to a library's own protocol, such as PGPASSWORD. */
export function libraryVariable(name: string): string | undefined {
  return process.env[name]
}

/** What the system knows of this user; null where it knows nothing, as of a user id in a container without a line in passwd. */
function ofThisUser(ask: () => string): string | null {
  try {
    return ask() || null
  } catch {
    return null
  }
}

/** The home directory of this user: HOME, else the one that the system knows. */
export const homeOfUser = (home: string | undefined): string | null => home || ofThisUser(homedir)

export const nameOfUser = (): string | null => ofThisUser(() => userInfo().username)

/** Libraries throw where the system knows neither a home nor a shell of this user, whatever they want them for. */
export function standInForUser(): void {
  if (nameOfUser() === null) process.env.SHELL ||= 'sh'
  if (homeOfUser(process.env.HOME) === null) process.env.HOME = '/'
}

/** Loaded when it is asked for: it takes longer than a line of help. */
const crypto = () => process.getBuiltinModule('node:crypto')

type Names = Pick<Steady, 'boot' | 'machine'>

/** The text of a file of the system; empty where there is none. */
function readName(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

/** The names that Linux gives each start and the machine. That of the machine is secret: a digest stands for it. */
function readNames(): Names {
  const [boot, id] = [readName('/proc/sys/kernel/random/boot_id'), readName('/etc/machine-id')]
  const digest = crypto().createHash('sha256').update(`${id} paydesk`).digest('hex').slice(0, 16)
  return { boot, ...(id === '' ? {} : { machine: digest }) }
}

let known: Names | undefined

function names(): Names {
  known ??= readNames()
  return known
}

/** The name that Linux gives each start; empty elsewhere. */
export const bootName = (): string => names().boot

/** The last look at the uptime, in milliseconds, and the moment of it by both other clocks. */
let looked = { up: 0, clock: Number.NaN, awake: 0 }

/**
 * Milliseconds since the start. The system tells them by a file, so for 100 ms the time awake is added to the last look, where both
 * other clocks agree on it: a sleep of the machine moves its clock alone, and so does a clock that is set. It never goes back.
 */
function secondsSinceBoot(): number {
  const [clock, awake] = [Date.now(), performance.now()]
  const since = awake - looked.awake
  const least = looked.up + Math.floor(since)
  if (since <= 100 && Math.abs(clock - looked.clock - since) <= 1) return least
  looked = { up: Math.max(Math.round(uptime() * 1000), least), clock, awake }
  return looked.up
}

export const realClock: Clock = {
  now: () => Date.now(),
  steady: () => (bootName() === '' ? null : { ...names(), milliseconds: secondsSinceBoot() }),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, signal ? { signal } : {}),
}

async function newKeyPair(bits: number): Promise<RsaKeyPair> {
  const pair = await promisify(crypto().generateKeyPair)('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  return { publicKey: pair.publicKey.toString('base64'), privateKey: pair.privateKey.toString('base64') }
}

export const realRandom: Random = {
  uuid: () => crypto().randomUUID(),
  fraction: () => crypto().randomInt(2 ** 32) / 2 ** 32,
  secret: (bytes) => crypto().randomBytes(bytes).toString('base64url'),
  rsaKeyPair: newKeyPair,
}

type Told = Parameters<Edge['onSignal']>[0]

const signals = ['SIGINT', 'SIGTERM'] as const

/** Marks our own listeners among those of libraries, also where this module was loaded twice. */
const ours = Symbol.for('paydesk.signal')

/** Exit codes of a run that was stopped, by a key or a signal: then another one may come. */
const stoppedCodes: ReadonlySet<unknown> = new Set([130, 143])

function onSignal(tell: Told): () => void {
  const heard = (signal: NodeJS.Signals) => {
    const newest = process.listeners(signal).findLast((listener) => ours in listener)
    if (newest === heard && (signal === 'SIGINT' || signal === 'SIGTERM')) tell(signal)
  }
  Object.assign(heard, { [ours]: true })
  for (const signal of signals) process.on(signal, heard)
  return () => {
    for (const signal of signals) process.off(signal, heard)
  }
}

function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

/** Milliseconds for a slow reader where the process ends at once. */
const lastWords = 100

/**
 * Ends a stopped run as soon as nothing is left to do: while Node clears up, another signal would kill the process and take
 * its code. A process that was left alone clears up, and so closes its databases.
 */
function endWhenDone(): void {
  process.exit()
}

/** True while a thread waits for a file system or a name server: process.exit() would wait for it, too. */
const isHeldUp = () =>
  process.getActiveResourcesInfo().some((each) => /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/.test(each))

function endAtOnce(code: number): void {
  const end = () => {
    if (!isHeldUp()) process.exit(code)
    // A shell sees 130 or 143 of a process that its signal ended.
    const signal = code === 143 ? 'SIGTERM' : 'SIGINT'
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  setTimeout(end, lastWords)
  process.stdout.write('', () => process.stderr.write('', end))
}

/** The edge of a real process. */
export function realEdge(): Edge {
  return {
    env: process.env,
    // Node makes a stream when it is asked for, and takes long for that of stdin.
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return process.stdout
    },
    get stderr() {
      return process.stderr
    },
    clock: realClock,
    random: realRandom,
    onSignal,
    every,
    exit: (code, when) => {
      // The code is set and the streams drain by themselves: process.exit() cuts off what a pipe has not yet taken.
      if (when !== 'when-idle') process.exitCode = code
      if (when === 'when-idle' && stoppedCodes.has(process.exitCode)) process.once('beforeExit', endWhenDone)
      if (when === 'at-once') endAtOnce(code)
    },
  }
}

/** Variables of the environment by their names. */
export type Environment = Readonly<Record<string, string | undefined>>
