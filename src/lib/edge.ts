/**
 * The edge of the program: clock, randomness, environment and streams. They are read here and passed down, so that the
 * simulator and the tests can give others.
 */
import { generateKeyPair, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Resolves after so many milliseconds; rejects with the signal's reason when the signal fires first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
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

/** What a command meets of the outside world. */
export interface Edge {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly clock: Clock
  readonly random: Random
  /** Tells of ^C ('SIGINT') and SIGTERM; gives back what stops the telling. */
  onSignal(tell: (signal: 'SIGINT' | 'SIGTERM') => void): () => void
  /** Where the exit code goes when a command has ended. */
  exit(code: number): void
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, signal ? { signal } : {}),
}

async function newKeyPair(bits: number): Promise<RsaKeyPair> {
  const pair = await promisify(generateKeyPair)('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  return { publicKey: pair.publicKey.toString('base64'), privateKey: pair.privateKey.toString('base64') }
}

export const realRandom: Random = {
  uuid: () => randomUUID(),
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
  secret: (bytes) => randomBytes(bytes).toString('base64url'),
  rsaKeyPair: newKeyPair,
}

function onSignal(tell: (signal: 'SIGINT' | 'SIGTERM') => void): () => void {
  // Once: a second ^C finds no listener and ends the process the hard way.
  process.once('SIGINT', tell)
  process.once('SIGTERM', tell)
  return () => {
    process.off('SIGINT', tell)
    process.off('SIGTERM', tell)
  }
}

/** The edge of a real process. */
export function realEdge(): Edge {
  return {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    clock: realClock,
    random: realRandom,
    onSignal,
    exit: (code) => {
      // The code is set and the streams drain by themselves: process.exit() cuts off what a pipe has not yet taken.
      process.exitCode = code
    },
  }
}
