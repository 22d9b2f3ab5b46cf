/** The meaning of one answer, decided as a command decides it, without command, journal or socket. */
import { expect, test } from 'vitest'
import { readBearerAnswer } from '../../../src/lib/client/bearer.ts'
import { readSealedAnswer } from '../../../src/lib/client/sealed.ts'
import type { ReadOperation, WriteOperation } from '../../../src/lib/contract/operation.ts'
import { operations } from '../../../src/lib/contract/operations.ts'
import { verdictOf } from '../../../src/lib/desk/run.ts'
import { readPrivateKey, readPublicKey } from '../../../src/lib/envelope/key.ts'
import type { HttpAnswer } from '../../../src/lib/http/message.ts'
import type { Verdict } from '../../../src/lib/journal/verdict.ts'
import { keyPair } from '../key-pairs.ts'
import { type Members, type WriteName, writes } from './hand-writes.ts'
import { handIdentifier, type Said, sealedReply } from './sealed-by-hand.ts'

/** What one answer proves of its request. */
export type Outcome = 'accepted' | 'taken' | 'refused' | 'turned away' | 'unknown'

const outcomes: Readonly<Record<Verdict['kind'], Outcome | null>> = {
  ...{ accepted: 'accepted', duplicate: 'taken', refused: 'refused', 'turned-away': 'turned away', unknown: 'unknown' },
  unsent: null,
}

const scheme = 'oaep-sha256'

async function makeKeys() {
  const [service, own] = await Promise.all([keyPair(2048, 0), keyPair(2048, 1)])
  return {
    sealFor: readPublicKey(Buffer.from(own.publicKey), 'the integrator'),
    seal: {
      identifier: handIdentifier,
      scheme,
      toService: readPublicKey(Buffer.from(service.publicKey), 'the service'),
      own: [readPrivateKey(Buffer.from(own.privateKey), 'the integrator')],
    },
  } as const
}

let keys: ReturnType<typeof makeKeys> | undefined

/** The answer as the transport hands it over. Without headers of its own it has the length of its body, as servers write it. */
async function onTheWire(said: Said): Promise<HttpAnswer> {
  keys ??= makeKeys()
  const reply = sealedReply(said, (await keys).sealFor, scheme)
  if (typeof reply === 'string' || 'raw' in reply) throw new Error('no answer that is read whole')
  const { status = 200, body, headers = { 'content-length': String(Buffer.byteLength(body)) } } = reply
  return { status, body, headers }
}

async function read(operation: WriteOperation | ReadOperation, request: Members, said: Said) {
  const http = await onTheWire(said)
  keys ??= makeKeys()
  return operation.wire === 'open' || operation.wire === 'bearer'
    ? readBearerAnswer(operation, request, http)
    : readSealedAnswer(operation, request, http, (await keys).seal)
}

/** The verdict on an answer to a write. `currency`: that of its order, where the journal knows it. */
export async function verdictOn(name: WriteName, said: Said, currency: string | null = null): Promise<Verdict> {
  const write = writes[name]
  const operation = operations.find((each) => each.name === write.operation)
  if (operation?.effect !== 'write') throw new Error(`no write ${write.operation}`)
  const request = currency === null ? write.request : { currency, ...write.request }
  return verdictOf(operation, await read(operation, request, said), 0)
}

/** An answer to a read: the members that it shows, or the reason why it shows nothing. */
export async function readingOf(name: string, said: Said): Promise<Members | string> {
  const operation = operations.find((each) => each.name === name)
  if (operation?.effect !== 'read') throw new Error(`no read ${name}`)
  const answer = await read(operation, {}, said)
  if (answer.kind === 'accepted') return answer.answer as Members
  return answer.kind === 'unknown' ? answer.why : answer.kind
}

export interface Row {
  readonly write: WriteName
  /** The answer in words. */
  readonly answer: string
  readonly said: Said
  readonly outcome: Outcome
  /** A part of the reason, of an unknown one. */
  readonly why?: string
}

export const row = (write: WriteName, answer: string, said: Said, outcome: Outcome, why?: string): Row => ({
  ...{ write, answer, said, outcome },
  ...(why === undefined ? {} : { why }),
})

/** A test for each row. */
export function testVerdicts(rows: readonly Row[]): void {
  const titled = rows.map((each) => [each.write, each.answer, each.outcome, each] as const)
  test.each(titled)('%s: %s is %s', async (write, _answer, outcome, { said, why }) => {
    const verdict = await verdictOn(write, said)
    expect(outcomes[verdict.kind], JSON.stringify(verdict)).toBe(outcome)
    if (why !== undefined) expect(verdict).toMatchObject({ why: expect.stringContaining(why) })
  })
}
