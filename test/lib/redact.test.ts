/** Known secrets in every form in which programs write them, card numbers, and names of secrets. How long it takes: redact-cost.test.ts. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { hideCardNumbers, isSecretHeader, isSecretMember, mapTexts, Secrets } from '../../src/lib/redact.ts'

const mask = '[hidden]'
const whole = Number.POSITIVE_INFINITY
const hide = (text: string, ...secrets: string[]) => new Secrets(secrets).hide(text, mask, whole)

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')
const units = (text: string, write: (code: number) => string) =>
  text
    .split('')
    .map((unit) => write(unit.charCodeAt(0)))
    .join('')
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
const base64 = (text: string, encoding: 'base64' | 'base64url' = 'base64') => Buffer.from(text).toString(encoding)

/** What programs make of a text that they write into theirs. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  'as it stands': (text) => text,
  'in JSON': inJson,
  'in JSON, slashes escaped (PHP)': (text) => inJson(text).replaceAll('/', '\\/'),
  'in JSON of ASCII (Python)': (text) => inJson(text).replace(/[^ -~]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`),
  'in JSON, cautious and in capitals (.NET)': (text) =>
    inJson(text).replace(/[^\w\\"/ -]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4).toUpperCase()}`),
  'in JSON, every letter escaped': (text) => units(text, (code) => `\\u${hex(code, 4)}`),
  'in JSON in JSON': (text) => inJson(inJson(text).replaceAll('/', '\\/')),
  'in an address': (text) => encodeURIComponent(text),
  'in an address, in small letters': (text) =>
    encodeURIComponent(text).replace(/%../g, (written) => written.toLowerCase()),
  'in an address, all but letters and digits': (text) =>
    [...Buffer.from(text)]
      .map((byte) => (/\w/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${hex(byte, 2)}`))
      .join(''),
  'in an address in an address': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'in HTML by names': (text) =>
    text.replace(/[&<>"']/g, (letter) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[letter] ?? 'apos'};`),
  'in HTML by numbers': (text) => [...text].map((letter) => `&#${letter.codePointAt(0)};`).join(''),
  'in HTML by hexadecimal numbers': (text) =>
    [...text].map((letter) => `&#x${hex(letter.codePointAt(0) ?? 0, 1)};`).join(''),
  'in hex': (text) => Buffer.from(text).toString('hex'),
  'in hex, in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
}

test.each(Object.keys(forms))('redacting: a secret %s is hidden to the letter, and nothing beside it', (form) => {
  const letters = fc.string({
    unit: fc.constantFrom(...'QXZ47é\u{1F511}"\\/&<%+= \'u0n;'),
    minLength: 6,
    maxLength: 40,
  })
  // A backslash at the end would escape what stands behind it.
  const secrets = fc.oneof(
    fc.uuid(),
    letters.filter((secret) => !secret.endsWith('\\')),
  )
  const around = fc.constantFrom('', ' ', '"', '": "', 'a=', '&', '<p>', '{"x":["', ', ', 'https://pay.example/?a=')
  fc.assert(
    fc.property(secrets, around, around, (secret, before, after) => {
      const written = forms[form]?.(secret) ?? ''
      const shown = hide(`${before}${written}${after}`, secret)
      expect(shown).not.toContain(written)
      expect(shown.startsWith(before) && shown.endsWith(after)).toBe(true)
      expect(shown).toContain(mask)
    }),
  )
})

test('redacting: a secret in base64 leaves nothing to decode, wherever it begins in a group of four', () => {
  const encoding = fc.constantFrom('base64', 'base64url')
  const secrets = fc.oneof(fc.uuid(), fc.base64String({ minLength: 20 }), fc.string({ unit: 'binary', minLength: 20 }))
  fc.assert(
    fc.property(secrets, fc.string(), fc.string(), encoding, (secret, before, after, encoding) => {
      const shown = hide(base64(`${before}${secret}${after}`, encoding), secret)
      const pieces = shown.split(mask)
      expect(pieces.length).toBeGreaterThan(1)
      // A letter of base64 on either side holds at most four bits of the secret.
      const kept = pieces.join('').length - base64(`${before}${after}`, encoding).length
      expect(kept).toBeLessThanOrEqual(4)
    }),
  )
})

test('redacting: base64 is hidden where JSON or an address escapes it', () => {
  const secret = '~~~???>>>~~~'
  const written = base64(secret)
  expect(written).toBe('fn5+Pz8/Pj4+fn5+')
  for (const escaped of [written.replaceAll('/', '\\/'), encodeURIComponent(written), base64(secret, 'base64url')])
    expect(hide(`"${escaped}"`, secret)).toBe('"[hidden]"')
})

test.each([
  ['a token, a copy in capitals', 'x 5A9DB0C0-beef! 5a9db0c0-BEEF', ['5a9db0c0-beef'], 'x [hidden]! [hidden]'],
  [
    'without dashes, of 16 letters',
    'x 3b7c1f1abeef0123 3B7C1F1ABEEF0123 y',
    ['3b7c1f1a-beef-0123'],
    'x [hidden] [hidden] y',
  ],
  ['without dashes, of 15 letters', 'x 3b7c1f1abeef012 y', ['3b7c1f1a-beef-012'], 'x 3b7c1f1abeef012 y'],
  ['side by side', 'TOK-1TOK-2', ['TOK-1', 'TOK-2'], '[hidden][hidden]'],
  ['overlapping', 'abcdefgh!', ['abcde', 'defgh'], '[hidden]!'],
  ['one in the other', 'TOK-123! TOK-1', ['TOK-1', 'TOK-123', 'OK-12'], '[hidden]! [hidden]'],
  ['one in another that breaks off', 'xabcdef', ['abcdefgh', 'cdef'], 'xab[hidden]'],
  ['a part of the mask', 'a hidd and [hid', ['hidd', '[hid', 'den]'], 'a [hidden] and [hidden]'],
  ['of three letters, and of none', '3b7 s 336237', ['3b7', '', 's'], '3b7 s 336237'],
  ['of three letters without its escapes', '%41%42%43 abc', ['%41%42%43'], '[hidden] abc'],
  ['letters in either case, and no other signs', 'AZ[b az[B az{b', ['az[b'], '[hidden] [hidden] az{b'],
  ['first with escapes, then without', '\\u0061bcde! vwxyz, abcde', ['abcde', 'vwxyz'], '[hidden]! [hidden], [hidden]'],
  ['of four letters, in hex', '70696e21 x', ['pin!'], '[hidden] x'],
  ['of four letters, in base64', 'said: cGluIQ== eHBpbiE', ['pin!'], 'said: [hidden]Q== eH[hidden]E'],
  ['three layers of escapes', 'a%25252Fsecret', ['/secret'], 'a[hidden]'],
  ['four layers of escapes, of nobody', 'a%2525252Fsecret', ['/secret'], 'a%2525252Fsecret'],
  ['with a blank, in a form', 'x=A+B+C&y', ['a b c'], 'x=[hidden]&y'],
  ['with a tab', 'a\\tb\\nc d', ['a\tb\nc'], '[hidden] d'],
  ['no escape', '100 % & more; \\ &unknown; %4g \\u00', ['another'], '100 % & more; \\ &unknown; %4g \\u00'],
])('redacting: %s', (_what, text, secrets, shown) => {
  expect(hide(text, ...secrets)).toBe(shown)
})

/** Few letters, so that words overlap and hold one another. */
const letters = (limits: { minLength?: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\u{1F511}'), ...limits })

/** The same, slowly: whether each letter stands in a word. */
function hideSlowly(text: string, words: readonly string[]): string {
  const hidden = new Set<number>()
  for (const word of words.filter(({ length }) => length >= 4)) {
    for (let from = 0; from < text.length; from += 1) {
      const rest = text.slice(from)
      if (!rest.startsWith(word) && !(rest.length >= 4 && word.startsWith(rest))) continue
      for (let at = from; at < Math.min(text.length, from + word.length); at += 1) hidden.add(at)
    }
  }
  return [...Array(text.length).keys()].map((at) => (hidden.has(at) ? '*' : text[at])).join('')
}

test('redacting: every letter of every secret is hidden, and no other, however they overlap', () => {
  fc.assert(
    fc.property(letters({ maxLength: 60 }), fc.array(letters({ maxLength: 9 }), { maxLength: 6 }), (text, words) => {
      // Secrets side by side have a mask each.
      const shown = new Secrets(words).hide(text, '*', 4)
      expect(shown.replace(/\*+/g, '*')).toBe(hideSlowly(text, words).replace(/\*+/g, '*'))
    }),
    { numRuns: 1000 },
  )
})

test('redacting: a text without a secret stays as it is, to the letter', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string({ unit: 'binary', maxLength: 200 }), fc.uuid(), (secret, text, other) => {
      fc.pre(secret !== other)
      expect(hide(`${text}${other}`, secret)).toBe(`${text}${other}`)
    }),
  )
})

test('redacting: the end of a text that is cut off shows no beginning of a secret, however that is written', () => {
  const secrets = new Secrets(['3b7c/1f1a-beef'])
  for (const text of ['said: 3b7c/1', 'said: 3B7C%2f1', 'said: 3b7c\\u002F1']) {
    expect(secrets.hide(text, '*', 6)).toBe('said: *')
    expect(secrets.hide(text, '*', 7)).toBe(text)
  }
  // A beginning of another form may stand there by accident.
  const beginning = Buffer.from('3b7c/1').toString('hex')
  expect(secrets.hide(beginning, '*', 4)).toBe(beginning)
})

const clean = (text: string) => hideCardNumbers(text, mask)

/** Each with its check digit; the ranges are those of ISO/IEC 7812 as the networks use them. */
const numbers = [
  ['Visa, 13 digits', '4012345678909'],
  ['Visa, 16 digits', '4012345678901239'],
  ['Visa, 19 digits', '4012345678901234565'],
  ['Mastercard, lowest of 2221 to 2720', '2221000000000009'],
  ['Mastercard, highest of 2221 to 2720', '2720999999999996'],
  ['Mastercard, lowest of 51 to 55', '5101234567890126'],
  ['Mastercard, highest of 51 to 55', '5501234567890122'],
  ['American Express 34, 15 digits', '340123456789014'],
  ['American Express 37, 15 digits', '370123456789017'],
  ['Diners Club 300, 14 digits', '30001234567891'],
  ['Diners Club 305, 14 digits', '30501234567890'],
  ['Diners Club 36, 14 digits', '36012345678901'],
  ['Diners Club 39, 14 digits', '39012345678908'],
  ['Diners Club 36, 19 digits', '3601234567890123456'],
  ['JCB, lowest of 3528 to 3589', '3528000000000007'],
  ['JCB, highest of 3528 to 3589', '3589999999999994'],
  ['JCB, 19 digits', '3540012345678901239'],
  ['Discover 6011', '6011012345678907'],
  ['Discover 644', '6440123456789010'],
  ['Discover 65, 19 digits', '6501234567890123455'],
  ['UnionPay, 16 digits', '6201234567890123'],
  ['UnionPay, 17 digits', '62012345678901237'],
  ['UnionPay, 18 digits', '620123456789012342'],
  ['UnionPay, 19 digits', '6201234567890123452'],
  ['Maestro 50, 13 digits', '5018012345671'],
  ['Maestro 56, 16 digits', '5601234567890121'],
  ['Maestro 58, 18 digits', '589301234567890127'],
  ['Maestro 63, 17 digits', '63040123456789015'],
  ['Maestro 67, 19 digits', '6763012345678901234'],
  ['Maestro, highest of 69', '6999999999999991'],
  ['Mir', '2200012345678907'],
  ['RuPay 81', '8101234567890120'],
  ['RuPay 82', '8201234567890129'],
  ['UzCard', '8600012345678900'],
  ['Napas, 19 digits', '9704012345678901235'],
  ['Troy', '9792012345678906'],
  ['Humo', '9860012345678903'],
] as const

test.each(numbers)('redacting card numbers: %s (%s) is hidden', (_name, number) => {
  expect(clean(number)).toBe('[hidden]')
  expect(clean(`{"pan":"${number}","n":${number}}`)).toBe('{"pan":"[hidden]","n":[hidden]}')
  expect(clean([...number].join(' '))).toBe('[hidden]')
  expect(clean([...number].join('-'))).toBe('[hidden]')
})

test.each(numbers)('redacting card numbers: %s (%s) with any one digit wrong is left', (_name, number) => {
  for (let at = 0; at < number.length; at += 1) {
    const wrong = number.slice(0, at) + ((Number(number[at]) + 1) % 10) + number.slice(at + 1)
    expect(clean(wrong)).toBe(wrong)
  }
})

test.each([
  ['in a sentence', 'card 4111-1111-1111-1111.', 'card [hidden].'],
  ['in groups of four', '{"pan":"5555 5555 5555 4444"}', '{"pan":"[hidden]"}'],
  ['at the end of a sentence with a number behind it', '4111111111111111. 5', '[hidden]. 5'],
  ['twice in one text', '4111111111111111,5555555555554444', '[hidden],[hidden]'],
  // Nobody issues these two ranges: hiding them hides no sum and no id that the service has.
  ['just below Mastercard 2221', '2220999999999991', '[hidden]'],
  ['just above Mastercard 2720', '2721000000000004', '[hidden]'],
])('redacting card numbers: one %s is hidden', (_where, text, shown) => {
  expect(clean(text)).toBe(shown)
})

/** Those of digits alone have a right check digit. */
test.each([
  ['an IBAN', 'GE29NB0000000101904917'],
  ['a wrong check digit', '4111111111111112'],
  ['a masked card number', '411111******1111'],
  ['a UUID', '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'],
  ['a moment', '2026-11-20T10:00:00.123456789'],
  ['the largest safe integer and two', '9007199254740993'],
  ['a sum', '1000000.00'],
  ['12 digits, as a reference number of an acquirer (RRN)', '633212345672'],
  ['20 digits', '62012345678901234564'],
  ['a first digit 0', '0012345678901237'],
  ['a first digit 1', '1012345678901235'],
  ['a first digit 7', '7012345678901232'],
  ['the first digits 80', '8001234567890121'],
  ['the first digits 83', '8301234567890128'],
  ['the first digits 85', '8501234567890126'],
  ['the first digits 87', '8701234567890124'],
  ['the first digits 90', '9012345678901238'],
  ['the first digits 96', '9601234567890123'],
  ['the first digits 99', '9901234567890120'],
  ['a letter before the number', 'x4111111111111111'],
  ['a letter behind the number', '4111111111111111x'],
  ['a point before the number', '0.4111111111111111'],
  ['a fraction behind the number', '4111111111111111.5'],
  ['two blanks inside', '4111  111111111111'],
])('redacting card numbers: %s (%s) is left', (_what, text) => {
  expect(clean(text)).toBe(text)
})

const change = (text: string) => text.replaceAll('secret', '*').replaceAll('4711', '*')

test('texts: they are changed at every depth, in lists, in members and in their names', () => {
  const value = { a: 'a secret', b: ['secret', { secret: { c: 'no' } }], d: null, e: true, f: undefined }
  expect(mapTexts(value, change)).toEqual({ a: 'a *', b: ['*', { '*': { c: 'no' } }], d: null, e: true, f: undefined })
  expect(mapTexts('secret', change)).toBe('*')
  expect(mapTexts(Object.assign(Object.create(null), { a: 'secret' }), change)).toEqual({ a: '*' })
})

test('texts: a number is hidden if it is the secret, and kept if it only holds one', () => {
  const [same, holds] = [new JsonNumber('4711'), new JsonNumber('4711.50')]
  const shown = mapTexts({ n: 4711, m: 47110, same, holds }, change)
  expect(shown).toEqual({ n: '*', m: 47110, same: '*', holds })
  expect(shown.holds).toBe(holds)
})

test('texts: names that become the same stay as many members', () => {
  const value = { secret: 'a', '*': 'b', c: 'c', '4711': 'd', '* 4': 'e' }
  const shown = mapTexts(value, change)
  expect(Object.values(shown).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(Object.keys(shown).every((name) => /^(?:\*[ \d]*|c)$/.test(name))).toBe(true)
})

test('texts: what is no plain object stays itself', () => {
  const date = new Date(0)
  expect(mapTexts({ date }, () => '*')).toEqual({ '*': date })
  expect(mapTexts(date, () => '*')).toBe(date)
})

test.each([
  ...['Authorization', 'proxy-authorization', 'Cookie', 'Set-Cookie', 'X-Auth-Token', 'token', 'x-client-secret'],
  ...['X-Session-Id', 'X-Authority-Id', 'X-Password', 'x-passwd', 'X-Api-Key', 'apikey', 'x-api_key', 'X-JWT'],
  ...['credentials', 'x-authenticated-user'],
])('names: the header %s lets a client in', (name) => expect(isSecretHeader(name)).toBe(true))

test.each(['WWW-Authenticate', 'proxy-authenticate', 'Author', 'X-Authority', ':authority', 'Content-Type', 'Date'])(
  'names: the header %s lets nobody in',
  (name) => expect(isSecretHeader(name)).toBe(false),
)

test.each([
  ['access_token', true],
  ['cardTokens', true],
  ['clientSecret', true],
  ['password', true],
  ['passwd', true],
  ['api_key', true],
  ['apiKey', true],
  ['credentials', true],
  ['token_type', false],
  ['tokenized', false],
  ['message', false],
])('names: whether the member %s holds a credential: %j', (name, is) => expect(isSecretMember(name)).toBe(is))
