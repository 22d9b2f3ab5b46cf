/**
 * A desk whose service says exactly what a test wants: every write gets the next answer of a list, reads what the
 * test shows.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { writeError } from '../../src/lib/client/answer.ts'
import { writeSealedAnswer } from '../../src/lib/client/sealed.ts'
import { TokenSource } from '../../src/lib/client/token.ts'
import type { Operation } from '../../src/lib/contract/operation.ts'
import { operations } from '../../src/lib/contract/operations.ts'
import type { Desk } from '../../src/lib/desk/desk.ts'
import type { Transmission, Transport } from '../../src/lib/http/client.ts'
import { Journal } from '../../src/lib/journal/journal.ts'
import { type Part, partOf } from '../../src/lib/profile/parts.ts'
import { permitsOfProfile } from '../../src/lib/profile/profile.ts'
import { type JournalTables, journalSchema } from '../../src/lib/store/journal/schema.ts'
import { hurriedClock, impatient } from './clock.ts'
import { memoryStore } from './store.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKey = createPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' }))
const privateKey = createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))

export const identity = '5a9db0c0-00aa-4a11-8c11-0000000000aa'

const schemeOf = (part: Part) => (part === 'wallet' ? 'rsa-pkcs1' : 'oaep-sha256')

/** A success of the operation, sealed as its part seals. */
export function success(operation: Operation, value: unknown): Transmission {
  return { kind: 'answered', answer: writeSealedAnswer(value, publicKey, schemeOf(partOf(operation))), milliseconds: 1 }
}

export function coded(statusCode: number, exceptionGroup: number | null, http = 400): Transmission {
  const answer = writeError(http, { message: 'as the test has it', statusCode, exceptionGroup })
  return { kind: 'answered', answer, milliseconds: 1 }
}

export function plain(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Transmission {
  const whole = { 'content-length': String(Buffer.byteLength(body)), ...headers }
  return { kind: 'answered', answer: { status, headers: whole, body }, milliseconds: 1 }
}

export interface Scripted {
  readonly desk: Desk
  readonly journal: Journal
  readonly clock: ReturnType<typeof hurriedClock>
  /** The names of the operations that were sent, in order. */
  readonly sent: string[]
  /** The answers to writes, one after the other; the last one again and again. */
  answers: readonly Transmission[]
  /** The answer to reads. */
  shown: Transmission
  /** Runs between a read's answer and the moment it is looked at. */
  afterReading: () => void
}

export async function scripted(part: Part): Promise<Scripted> {
  const clock = hurriedClock(Date.parse('2026-11-20T06:00:00Z'))
  const sent: string[] = []
  const scene: Pick<Scripted, 'answers' | 'shown' | 'afterReading'> = {
    answers: [],
    shown: { kind: 'unanswered', why: 'nothing is shown' },
    afterReading: () => undefined,
  }
  let writes = 0
  const transport: Transport = async (_base, request) => {
    const operation = operations.find(({ method, path }) => method === request.method && path === request.path)
    if (!operation) throw new Error(`nobody knows ${request.method} ${request.path}`)
    sent.push(operation.name)
    if (operation.effect === 'read') {
      scene.afterReading()
      return scene.shown
    }
    writes += 1
    const answer = scene.answers[Math.min(writes, scene.answers.length) - 1]
    if (!answer) throw new Error('the test has no answer')
    return answer
  }
  const line = {
    profile: {
      name: 'scripted',
      environment: 'test',
      part,
      service: 'https://service.invalid',
      serviceId: 'https://service.invalid',
      baseUrl: 'https://service.invalid',
      clientId: identity,
      clientSecret: async () => 'secret',
      seal: { identifier: identity, scheme: schemeOf(part), toService: publicKey, own: [privateKey] },
      permits: permitsOfProfile(true),
      orderType: 'DEFAULT',
      duplicateGuard: 'warn',
      limits: [],
      transport: {},
    },
    transport,
    clock,
    random: impatient,
    settings: { timeout: 120_000, connectTimeout: 5_000, answerTimeout: 30_000 },
    signal: new AbortController().signal,
    naming: () => null,
    tell: {
      trace: () => undefined,
      say: () => undefined,
      rest: () => () => undefined,
      hide: () => undefined,
      redact: <Value>(value: Value) => value,
    },
  } as const
  const store = await memoryStore<JournalTables>(journalSchema)
  const journal = new Journal(store, clock, impatient, { self: 'me', standing: () => 'alive' })
  const noTokens = { read: async () => null, write: async () => undefined, forget: async () => undefined }
  const desk: Desk = { ...line, journal, tokens: new TokenSource(line, noTokens) }
  return Object.assign(scene, { desk, journal, clock, sent })
}
