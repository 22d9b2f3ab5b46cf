/** Mutated envelopes, seeded: each opens to its exact text or fails as every failure does; nothing crashes. */
import type { KeyObject } from 'node:crypto'
import { diagnose } from '../../../src/lib/envelope/diagnose/doctor.ts'
import { inspect, readEnvelope } from '../../../src/lib/envelope/diagnose/inspect.ts'
import { jsonText, open, openReceived, seal } from '../../../src/lib/envelope/envelope.ts'
import { publicHalf, readPrivateKey } from '../../../src/lib/envelope/key.ts'
import { writeMembers } from '../../../src/lib/envelope/layout.ts'
import { type Scheme, schemeFacts, schemes } from '../../../src/lib/envelope/scheme.ts'
import { Failure } from '../../../src/lib/failure.ts'

/** A small generator of numbers in [0, 1), always the same for a seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

class Dice {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = generator(seed)
  }

  below(end: number): number {
    return Math.floor(this.#next() * end)
  }

  one<Of>(of: readonly Of[]): Of {
    const chosen = of[this.below(of.length)]
    if (chosen === undefined) throw new Error('there is nothing to choose from')
    return chosen
  }

  readonly bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, () => this.below(256)))
}

type Members = Record<string, unknown>

interface Sealed {
  readonly scheme: Scheme
  readonly text: string
  readonly members: Members
}

const alphabet = 'ABCxyz019+/=-_ \n%*é'

function inBytes(value: unknown, change: (bytes: Buffer) => Buffer): unknown {
  return typeof value === 'string' ? change(Buffer.from(value, 'base64')).toString('base64') : value
}

function flipped(bytes: Buffer, dice: Dice): Buffer {
  const at = dice.below(Math.max(1, bytes.length))
  bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8))
  return bytes
}

function blocksMoved(bytes: Buffer, dice: Dice): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, at) => bytes.subarray(at * 16, at * 16 + 16))
  const [from, to] = [dice.below(blocks.length), dice.below(blocks.length)]
  const taken = blocks.splice(from, dice.below(2))
  blocks.splice(to, dice.below(2), ...taken, ...blocks.slice(to, to + 1))
  return Buffer.concat(blocks)
}

function retyped(value: unknown, dice: Dice): unknown {
  const text = String(value)
  const at = dice.below(text.length + 1)
  const typed = alphabet[dice.below(alphabet.length)] ?? ''
  return text.slice(0, at) + dice.one(['', typed]) + text.slice(at + dice.below(3))
}

const odd = [undefined, null, '', 0, true, [], {}, 'AAAA', '====', 'x'.repeat(344), '\0'] as const

type Mutation = (members: Members, field: string, dice: Dice, other: Sealed) => Members

/** Each changes one thing; a field of another envelope is one thing too. */
const mutations: readonly [Mutation, ...Mutation[]] = [
  (members, field, dice) => ({ ...members, [field]: inBytes(members[field], (bytes) => flipped(bytes, dice)) }),
  (members, field, dice) => ({ ...members, [field]: inBytes(members[field], (bytes) => blocksMoved(bytes, dice)) }),
  (members, field, dice) => ({ ...members, [field]: retyped(members[field], dice) }),
  (members, field, dice) => ({ ...members, [field]: String(members[field]).slice(0, dice.below(400)) }),
  (members, field, dice) => ({ ...members, [field]: dice.bytes(dice.below(600)).toString('base64') }),
  (members, field, dice) => ({ ...members, [field]: odd[dice.below(odd.length)] }),
  (members, _field, dice) => ({ ...members, aes: dice.one<unknown>([true, false, 'True', '1', 0, 'yes', null]) }),
  (members, field, _dice, other) => ({ ...members, [field]: other.members[field] }),
  ({ encryptedData, encryptedKeys, ...rest }) => ({
    ...rest,
    encryptedData: encryptedKeys,
    encryptedKeys: encryptedData,
  }),
  // Damages that receivers meet, and must open.
  (members, field) => ({ ...members, [field]: String(members[field]).replaceAll('+', ' ') }),
  (members, field) => ({ ...members, [field]: String(members[field]).replace(/.{64}/g, '$&\r\n') }),
  (members, field) => ({ ...members, [field]: String(members[field]).replaceAll('+', '-').replaceAll('/', '_') }),
]

const texts = [
  '{}',
  '{"amount":12.50,"currency":"GEL"}',
  '{"description":"ხელფასი, ნოემბერი","amount":100,"receiverType":"BRANCH"}',
  JSON.stringify({ splitDetails: Array.from({ length: 9 }, (_, at) => ({ receiverType: 'IBAN', amount: at / 4 })) }),
] as const

export interface FuzzResult {
  readonly envelopes: number
  readonly opened: number
  readonly refused: number
  /** Faults that must not be: each names its number, so that it can be run again. */
  readonly faults: readonly string[]
}

/** Opens in one of the ways there are; null where it is refused as it should be. */
async function opened(members: Members, key: KeyObject, scheme: Scheme | 'any', dice: Dice): Promise<string | null> {
  try {
    if (dice.below(2) === 0) return (await openReceived(members, { key, scheme }, jsonText)).read
    return await open(readEnvelope(JSON.stringify(members)).envelope, { key, scheme })
  } catch (error) {
    if (error instanceof Failure && (error.kind === 'credentials' || error.kind === 'usage')) return null
    throw error
  }
}

function sealedBy(key: KeyObject, scheme: Scheme, dice: Dice): Sealed {
  const text = dice.one(texts.filter((each) => schemeFacts[scheme].aes || each.length < 150))
  return { scheme, text, members: writeMembers(seal(text, { key: publicHalf(key), scheme })) }
}

/** `privateKey` as text: a fixed one makes every run the same. */
export async function fuzz(privateKey: string, seed: number, envelopes: number): Promise<FuzzResult> {
  const key = readPrivateKey(Buffer.from(privateKey), 'the key')
  const dice = new Dice(seed)
  const counts = { opened: 0, refused: 0 }
  const faults: string[] = []
  for (let number = 0; number < envelopes; number += 1) {
    const scheme = dice.one(schemes)
    const [good, other] = [sealedBy(key, scheme, dice), sealedBy(key, scheme, dice)]
    let members = good.members
    for (let times = 1 + dice.below(2); times > 0; times -= 1) {
      const field = dice.one(['encryptedData', 'encryptedKeys'])
      members = dice.one(mutations)(members, schemeFacts[scheme].aes ? field : 'encryptedData', dice, other)
    }
    try {
      const text = await opened(members, key, dice.below(4) === 0 ? 'any' : scheme, dice)
      counts[text === null ? 'refused' : 'opened'] += 1
      if (text !== null && text !== good.text && text !== other.text)
        faults.push(`${seed}/${number}: a wrong plaintext`)
      inspect(JSON.stringify(members))
      if (number % 50 === 0) {
        const keys = [{ name: 'own', key }]
        await diagnose({ text: JSON.stringify(members), keys, publicKeys: [], setting: scheme })
      }
    } catch (error) {
      faults.push(`${seed}/${number}: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  return { envelopes, ...counts, faults }
}
