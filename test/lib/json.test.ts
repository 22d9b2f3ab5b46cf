import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskedMembers } from '../../src/lib/callback/mask.ts'
import { Redactor } from '../../src/lib/cli/output/output.ts'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { cardTokensIn, withoutCardTokens } from '../../src/lib/contract/mask.ts'
import {
  asText,
  excessIn,
  isRecord,
  JsonExcess,
  messageBounds,
  ownBounds,
  readJson,
  readMessage,
  writeJson,
} from '../../src/lib/json.ts'

const numberToken = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.bigInt(1n, 10n ** 30n).map(String)),
    fc.option(
      fc.nat().map((digits) => `.${digits}0`),
      { nil: '' },
    ),
    fc.constantFrom('', '', 'e5', 'E-3', 'e+07'),
  )
  .map((parts) => parts.join(''))

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    numberToken.map((text) => new JsonNumber(text)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

test.each(['9007199254740993', '12.50', '1e400', '-0', '0.10', '123456789012345678901234567890.000', '1E-3'])(
  'the number %s is read and written digit for digit',
  (token) => {
    expect(readJson(token)).toEqual(new JsonNumber(token))
    expect(writeJson(readJson(`{"n":[${token}]}`))).toBe(`{"n":[${token}]}`)
  },
)

test('whatever is written is read back as it was', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      expect(readJson(writeJson(value, indent))).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

test('JSON of other programs is read as JSON.parse reads it, numbers aside', () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (text) => {
      const plain = JSON.parse(writeJson(readJson(text)))
      expect(plain).toEqual(JSON.parse(text))
    }),
  )
})

test('text that JSON.parse does not take is not taken here either', () => {
  const nearly = fc.string({ unit: fc.constantFrom(...'{}[]",:0123456789.eE+-truefalsn \\u\n\t'), maxLength: 12 })
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string({ unit: 'binary' })), (text) => {
      const parses = (read: (text: string) => unknown) => {
        try {
          read(text)
          return true
        } catch {
          return false
        }
      }
      fc.pre(!/"[^"]*"[\s\S]*"[^"]*"/.test(text))
      expect(parses(readJson)).toBe(parses(JSON.parse))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '01',
  '1.',
  '.5',
  '+1',
  '0x10',
  'NaN',
  'Infinity',
  '1e',
  '',
  ' ',
  '{',
  '[1,]',
  '{"a":1,}',
  "{'a':1}",
  '1 2',
  '١',
])('%j is no JSON', (text) => {
  expect(() => readJson(text)).toThrow(SyntaxError)
})

describe('repeated keys', () => {
  test('a key that is repeated with another value is refused', () => {
    expect(() => readJson('{"amount":1,"amount":2}')).toThrow(/Duplicate key 'amount'/)
    expect(() => readJson('{"amount":1,"amount":1.0}')).toThrow(/Duplicate key/)
    expect(() => readJson('{"amount":1,"\\u0061mount":"1"}')).toThrow(/Duplicate key/)
    expect(() => readJson('[{"a":{"toIban":"x","toIban":"y"}}]')).toThrow(/Duplicate key 'toIban'/)
    expect(() => readJson('{"__proto__":1,"__proto__":2}')).toThrow(/Duplicate key/)
  })

  test('a message of others repeats no key, not even with the same value', () => {
    expect(() => readMessage('{"amount":1.50,"amount":1.50}')).toThrow(/a member is repeated/)
  })

  test('one that says the same twice says it once', () => {
    expect(writeJson(readJson('{"amount":1.50,"amount":1.50}'))).toBe('{"amount":1.50}')
  })
})

describe('names that JavaScript knows', () => {
  test('__proto__ is a member like any other and changes nothing', () => {
    const value = readJson('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    expect('polluted' in {}).toBe(false)
    expect((value as Record<string, unknown>).polluted).toBeUndefined()
    expect(writeJson(value)).toBe('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
  })

  test('a member called toJSON, isLosslessNumber or text is only a member', () => {
    const text = '{"toJSON":"x","isLosslessNumber":true,"text":"12"}'
    expect(writeJson(readJson(text))).toBe(text)
    expect(isRecord(readJson(text))).toBe(true)
  })
})

test('text nested a million deep is refused, and the process lives', () => {
  for (const open of ['[', '{"a":']) expect(() => readJson(open.repeat(1_000_000))).toThrow()
  expect(readJson('[1]')).toEqual([new JsonNumber('1')])
})

test('as deep as a text may be nested, all that goes down into its value stands on the stack; deeper is no JSON', () => {
  const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}"x"${close.repeat(depth)}`
  const redactor = new Redactor()
  redactor.hide('secret-of-this-run')
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"token":', '}]'],
  ] as const) {
    const depth = ownBounds.depth / (open.match(/[[{]/g)?.length ?? 1)
    const text = `${nested(open, close, depth)}`
    const value = readJson(text)
    expect(writeJson(value)).toBe(text)
    for (const change of [withoutCardTokens, cardTokensIn, asText, (each: unknown) => redactor.withoutSecrets(each)])
      expect(() => change(value)).not.toThrow()
    expect(() => maskedMembers({ value })).not.toThrow()
    expect(() => readJson(nested(open, close, depth + 1))).toThrow(SyntaxError)
  }
  // Brackets inside texts, escapes among them, and beside each other, nest nothing.
  for (const flat of [`["${'[{'.repeat(2000)}"]`, `["\\\\","\\"${'['.repeat(2000)}"]`, `[${'[],'.repeat(2000)}{}]`])
    expect(() => readJson(flat)).not.toThrow()
})

/** Members and elements of a value, and how deep it is. */
function sizeOf(value: unknown): { members: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { members: 0, depth: 0 }
  const sizes = Object.values(value).map(sizeOf)
  return {
    members: sizes.reduce((sum, { members }) => sum + members, sizes.length),
    depth: 1 + Math.max(0, ...sizes.map(({ depth }) => depth)),
  }
}

test('a text is read within its bounds, to the member and to the level, and refused beyond them', () => {
  const value = fc.jsonValue({ maxDepth: 6, stringUnit: fc.constantFrom('a', ',', '"', '\\', '{', ']', ' ', 'ი') })
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (given, indent) => {
      const text = JSON.stringify(given, null, indent)
      const { members, depth } = sizeOf(JSON.parse(text))
      expect(excessIn(text, { members, depth })).toBeNull()
      if (members > 0) expect(excessIn(text, { members: members - 1, depth })).toBe(`more than ${members - 1} members`)
      if (depth > 0) expect(excessIn(text, { members, depth: depth - 1 })).toContain('in each other')
    }),
  )
})

test('a message of others has 10,000 members and 32 levels at most; what was kept may have more', () => {
  const list = (length: number) => `[${Array(length).fill('0').join()}]`
  expect(readMessage(list(messageBounds.members))).toHaveLength(10_000)
  expect(() => readMessage(list(messageBounds.members + 1))).toThrow(new JsonExcess('more than 10,000 members'))
  expect(readJson(list(50_000))).toHaveLength(50_000)
  expect(() => readMessage('['.repeat(32) + ']'.repeat(32))).not.toThrow()
  expect(() => readMessage(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toThrow(
    'more than 32 lists and objects in each other',
  )
})

test('a text beyond its bounds is refused at the first member too many, whatever follows', () => {
  expect(() => readMessage(`[${'0,'.repeat(10_001)}this is no JSON`)).toThrow(JsonExcess)
})

describe('writing', () => {
  test('a JsonNumber that holds no number of JSON is a defect and is never written', () => {
    for (const text of ['', '01', '1.', 'NaN', '0x10', '1,5', ' 1', '1}', '"1"']) {
      expect(() => writeJson({ amount: new JsonNumber(text) })).toThrow(/no JSON number/)
    }
  })

  test('a member without a value is left out; a value without JSON text is a defect', () => {
    expect(writeJson({ a: undefined, b: null })).toBe('{"b":null}')
    expect(() => writeJson(undefined)).toThrow(TypeError)
    expect(() => writeJson(() => 1)).toThrow(TypeError)
  })

  test('text is escaped so that it is one line', () => {
    expect(writeJson({ a: 'x\n"\u0000\\' })).toBe('{"a":"x\\n\\"\\u0000\\\\"}')
  })
})

test('a record is an object of JSON and nothing else', () => {
  expect(isRecord({})).toBe(true)
  for (const other of [null, undefined, [], 'x', 5, true, new JsonNumber('1')]) expect(isRecord(other)).toBe(false)
})
