import crypto, { createDecipheriv, privateDecrypt } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { readEnvelope } from '../../../src/lib/envelope/diagnose/inspect.ts'
import { attempt, open, openAs, openReceived, seal } from '../../../src/lib/envelope/envelope.ts'
import { readMembers, writeMembers, writeQuery } from '../../../src/lib/envelope/layout.ts'
import { room } from '../../../src/lib/envelope/rsa.ts'
import { type Scheme, schemeFacts, schemes } from '../../../src/lib/envelope/scheme.ts'
import { Failure } from '../../../src/lib/failure.ts'
import { newPair, type Pair } from '../../kit/envelope.ts'

let own: Pair
let large: Pair

beforeAll(() => {
  own = newPair()
  large = newPair(4096)
})

async function failureOf(work: () => unknown): Promise<Failure> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('it did not fail')
}

const short = '{"uniqueId":"u-1","status":"SUCCESS"}'

describe('open ∘ seal', () => {
  const layouts = {
    'JSON text': (envelope: ReturnType<typeof seal>) => JSON.stringify(writeMembers(envelope)),
    query: writeQuery,
    'query in an address': (envelope: ReturnType<typeof seal>) => `https://pay.example.com/x?${writeQuery(envelope)}`,
  }

  test.each(schemes)('is the same text: any JSON by %s in every layout', async (scheme) => {
    const key = schemeFacts[scheme].aes ? own : large
    const most = schemeFacts[scheme].aes ? 1_000_000 : room(schemeFacts[scheme].padding, key.publicKey)
    const json = fc
      .oneof(fc.json(), fc.json({ stringUnit: 'binary' }), fc.json({ maxDepth: 0 }), fc.constant(' [ 1.50 ]\n'))
      .filter((text) => Buffer.byteLength(text) <= most)
    const identifier = fc.option(fc.string({ minLength: 1 }), { nil: null })
    await fc.assert(
      fc.asyncProperty(json, identifier, async (text, whose) => {
        const envelope = seal(text, { key: key.publicKey, scheme, identifier: whose })
        for (const write of Object.values(layouts)) {
          const read = readEnvelope(write(envelope)).envelope
          expect(read.identifier).toBe(whose)
          expect(await open(read, { key: key.privateKey, scheme })).toBe(text)
        }
      }),
      { numRuns: schemeFacts[scheme].aes ? 60 : 20 },
    )
  })

  test('key and IV are fresh every time', () => {
    const sealed = Array.from({ length: 20 }, () => seal(short, { key: own.publicKey, scheme: 'oaep-sha256' }))
    expect(new Set(sealed.map(({ data }) => data.toString('hex'))).size).toBe(20)
  })
})

test('the key text is base64(key) + "." + base64(iv), 69 bytes, and opens the data', () => {
  const { keys, data } = seal(short, { key: own.publicKey, scheme: 'oaep-sha256' })
  const text = privateDecrypt({ key: own.privateKey, oaepHash: 'sha256' }, keys ?? Buffer.alloc(0)).toString()
  expect(text).toMatch(/^[\w+/]{43}=\.[\w+/]{22}==$/)
  const [key = '', iv = ''] = text.split('.')
  const cipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'))
  expect(Buffer.concat([cipher.update(data), cipher.final()]).toString()).toBe(short)
})

describe('one block', () => {
  const rooms: readonly (readonly [Scheme, number, number])[] = [
    ['rsa-pkcs1', 245, 501],
    ['rsa-oaep-sha256', 190, 446],
  ]

  test.each(rooms)('%s has room for %i bytes at 2048 bit and %i at 4096', async (scheme, small, big) => {
    for (const [pair, most] of [[own, small] as const, [large, big] as const]) {
      const text = JSON.stringify('x'.repeat(most - 2))
      const envelope = seal(text, { key: pair.publicKey, scheme })
      expect(await open(envelope, { key: pair.privateKey, scheme })).toBe(text)
      const failure = await failureOf(() => seal(`${text} `, { key: pair.publicKey, scheme }))
      expect(failure.kind).toBe('usage')
      expect(failure.message).toContain(`${most + 1} bytes`)
      expect(failure.message).toContain(`room for ${most}`)
      expect(failure.message).toContain(pair === own ? '2048 bit' : '4096 bit')
      expect(failure.toLine().error.hints.join()).toContain('an AES scheme')
    }
  })
})

test('half a character is refused, because another text would come out', async () => {
  const failure = await failureOf(() => seal('"\uD83D"', { key: own.publicKey, scheme: 'oaep-sha256' }))
  expect(failure.message).toContain('lone surrogate')
  expect(seal('"\uFFFD"', { key: own.publicKey, scheme: 'oaep-sha256' })).toBeDefined()
})

test('a byte order mark is not part of the text', async () => {
  const envelope = seal('\uFEFF{}', { key: own.publicKey, scheme: 'oaep-sha256' })
  expect(await open(envelope, { key: own.privateKey, scheme: 'oaep-sha256' })).toBe('{}')
})

describe('failures look the same', () => {
  test('a reader that refuses the text is one of them', async () => {
    const envelope = seal(short, { key: own.publicKey, scheme: 'oaep-sha256' })
    const opening = { key: own.privateKey, scheme: 'any' } as const
    const refusing = () => {
      throw new Error('secret detail')
    }
    expect((await failureOf(() => openAs(envelope, opening, refusing))).message).not.toContain('secret')
    expect(await openReceived(writeMembers(envelope), opening, JSON.parse)).toMatchObject({ scheme: 'oaep-sha256' })
  })

  test('the step is known to who asks for it as the owner', async () => {
    const envelope = seal(short, { key: own.publicKey, scheme: 'pkcs1' })
    expect(await attempt(envelope, own.privateKey, 'oaep-sha256')).toMatchObject({ ok: false, step: 'unwrap' })
    expect(await attempt(envelope, own.privateKey, 'rsa-pkcs1')).toMatchObject({ ok: false, step: 'layout' })
  })
})

test('forms that a server meets are read: aes as text, wraps, blanks for plus, URL-safe base64', async () => {
  const envelope = seal('{"plus":"+/+/"}', { key: own.publicKey, scheme: 'oaep-sha256' })
  const { encryptedData, encryptedKeys } = writeMembers(envelope) as Record<string, string>
  const change = (name: (text: string) => string) => ({
    encryptedData: name(encryptedData ?? ''),
    encryptedKeys: name(encryptedKeys ?? ''),
  })
  const met = [
    ...['true', 'True', 'TRUE', '1', 1, true, undefined, null].map((aes) => ({ encryptedData, encryptedKeys, aes })),
    change((text) => text.replace(/.{64}/g, '$&\n')),
    change((text) => text.replace(/.{76}/g, '$&\r\n  ')),
    change((text) => text.replace(/.{64}/g, '$& ')),
    change((text) => text.replaceAll('+', ' ')),
    change((text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')),
    change(encodeURIComponent),
    change((text) => encodeURIComponent(encodeURIComponent(text))),
  ]
  for (const members of met) {
    const read = readMembers(members)
    if (!read.ok) throw new Error(`${JSON.stringify(members)}: ${read.fault}`)
    expect(await open(read.envelope, { key: own.privateKey, scheme: 'oaep-sha256' })).toBe('{"plus":"+/+/"}')
  }
})

describe('the cipher runs, whether or not the key came out', () => {
  /** Counts the decipherings. */
  async function runs(work: () => Promise<unknown>): Promise<number> {
    const real = crypto.createDecipheriv
    let count = 0
    const set = (made: typeof real) => {
      Object.assign(crypto, { createDecipheriv: made })
      syncBuiltinESMExports()
    }
    const apply: ProxyHandler<typeof real>['apply'] = (target, self, given) => {
      count += 1
      return Reflect.apply(target, self, given)
    }
    set(new Proxy(real, { apply }))
    try {
      await work()
    } finally {
      set(real)
    }
    return count
  }

  test.each(schemes.filter((scheme) => schemeFacts[scheme].aes))('%s', async (scheme) => {
    const sealed = seal(short, { key: own.publicKey, scheme })
    const other = newPair().privateKey
    const unwrapped = await attempt(sealed, own.privateKey, scheme)
    const foreign = () => attempt(sealed, other, scheme)
    expect([unwrapped.ok, (await foreign()).ok]).toEqual([true, false])
    expect(await runs(() => attempt(sealed, own.privateKey, scheme))).toBe(1)
    expect(await runs(foreign)).toBe(1)
  })
})
