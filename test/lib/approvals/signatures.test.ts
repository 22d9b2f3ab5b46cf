import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isPublicKey,
  isSignedBy,
  newPersonKey,
  readPersonKey,
  type Statement,
  type StatementKind,
  signedText,
  statementMembers,
} from '../../../src/lib/approvals/signatures.ts'
import { keyFile } from '../../kit/team.ts'

const kinds = Object.keys(statementMembers) as StatementKind[]

/** Texts of every kind, among them those that look like the text around them. */
const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('', '"', '\\', '\n', '"\nby "u-1"', 'at ""', '\u2028', '\ud800', 'paydesk-statement/1 rule'),
)

function statements<Kind extends StatementKind>(kind: Kind): fc.Arbitrary<Statement<Kind>> {
  const members = Object.fromEntries(statementMembers[kind].map((name) => [name, values] as const))
  return fc.record(members) as fc.Arbitrary<Statement<Kind>>
}

const some = fc.constantFrom(...kinds).chain((kind) => statements(kind).map((statement) => ({ kind, statement })))

/** The reading of a text, by the page that describes it. */
function readBack(text: string) {
  const [first = '', ...lines] = text.split('\n').slice(0, -1)
  const [, kind = ''] = /^paydesk-statement\/1 (\w+)$/.exec(first) ?? []
  const members = lines.map((line) => {
    const at = line.indexOf(' ')
    return [line.slice(0, at), JSON.parse(line.slice(at + 1)) as unknown] as const
  })
  return { kind, members }
}

describe('the text that is signed', () => {
  test('says everything: it reads back to what it was made of, in its order', () => {
    fc.assert(
      fc.property(some, ({ kind, statement }) => {
        const { kind: read, members } = readBack(signedText(kind, statement))
        expect(read).toBe(kind)
        expect(members.map(([name]) => name)).toEqual(statementMembers[kind])
        expect(Object.fromEntries(members)).toEqual(statement)
      }),
      { numRuns: 500 },
    )
  })

  test('is another for another statement', () => {
    fc.assert(
      fc.property(some, some, (one, other) => {
        const isSame =
          JSON.stringify([one.kind, ...Object.values(one.statement)]) ===
          JSON.stringify([other.kind, ...Object.values(other.statement)])
        expect(signedText(one.kind, one.statement) === signedText(other.kind, other.statement)).toBe(isSame)
      }),
      { numRuns: 500 },
    )
  })

  test('is what the page shows', () => {
    const rule = { rule: 'r-3f9a1c2b7d10', currency: 'GEL', from: '1000.00', approvers: '1' }
    const signed = { ...rule, by: 'u-0b5f0f0e8a2c', at: '2026-11-21T09:30:00.000Z' }
    expect(signedText('rule', signed)).toBe(
      'paydesk-statement/1 rule\nrule "r-3f9a1c2b7d10"\ncurrency "GEL"\nfrom "1000.00"\napprovers "1"\nby "u-0b5f0f0e8a2c"\nat "2026-11-21T09:30:00.000Z"\n',
    )
  })
})

describe('a signature', () => {
  const own = keyFile()
  const key = readPersonKey(own.file)

  test('holds for its statement, its kind and its key, and for nothing else', () => {
    const other = keyFile()
    fc.assert(
      fc.property(
        statements('decision'),
        fc.constantFrom(...statementMembers.decision),
        values,
        (statement, name, value) => {
          const signature = key.sign('decision', statement)
          expect(isSignedBy(own.publicKey, 'decision', statement, signature)).toBe(true)
          expect(isSignedBy(other.publicKey, 'decision', statement, signature)).toBe(false)
          expect(isSignedBy(own.publicKey, 'request', statement, signature)).toBe(false)
          if (value === statement[name]) return
          expect(isSignedBy(own.publicKey, 'decision', { ...statement, [name]: value }, signature)).toBe(false)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('that is damaged, or none, holds for nothing', () => {
    fc.assert(
      fc.property(statements('removal'), fc.string(), (statement, signature) => {
        expect(isSignedBy(own.publicKey, 'removal', statement, signature)).toBe(false)
      }),
    )
  })

  /** Every way to write a point of small order, and some that write another point a second time (https://eprint.iacr.org/2020/1244). */
  test.each([
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    '0100000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ])('a point of small order, or one that is written in a second way, is no key: %s', (hex) => {
    expect(isPublicKey(`ed25519:${Buffer.from(hex, 'hex').toString('base64url')}`)).toBe(false)
  })

  test('every key that is made is one, and keys have one spelling', () => {
    for (let n = 0; n < 50; n += 1) expect(isPublicKey(newPersonKey().publicKey)).toBe(true)
    const { publicKey } = newPersonKey()
    const twin = `${publicKey.slice(0, -1)}${String.fromCharCode(publicKey.charCodeAt(publicKey.length - 1) + 1)}`
    expect(isPublicKey(twin)).toBe(false)
    for (const text of ['', 'ed25519:', ` ${publicKey}`, publicKey.toUpperCase()])
      expect(isPublicKey(text), text).toBe(false)
  })
})
