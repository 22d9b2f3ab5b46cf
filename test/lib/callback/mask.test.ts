import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  callbackSecrets,
  hiddenMark,
  maskedHeaders,
  maskedMembers,
  maskedText,
} from '../../../src/lib/callback/mask.ts'
import { Secrets } from '../../../src/lib/redact.ts'
import { leastWorkIn } from '../../kit/tools.ts'

const names = fc.constantFrom('cardToken', 'token', 'CardToken', 'card_token', 'TOKEN')

test('a token is hidden in a value and in its text, however deep it stands', () => {
  const deeper = fc.array(fc.constantFrom('a', 'cardInfo', '0'), { maxLength: 4 })
  fc.assert(
    fc.property(names, fc.uuid(), deeper, (name, token, path) => {
      const value = path.reduce<unknown>((inner, step) => (step === '0' ? [inner] : { [step]: inner }), {
        [name]: token,
      })
      const text = JSON.stringify(value, null, 1)
      expect(JSON.stringify(maskedMembers({ value }))).not.toContain(token)
      expect(maskedText(text)).not.toContain(token)
      expect(maskedText(text.slice(0, text.indexOf(token) + 20))).not.toContain(token.slice(0, 20))
      expect(callbackSecrets(value)).toEqual([token])
    }),
  )
})

test('card numbers below a card are hidden, and nothing else', () => {
  const value = { tokens: 'a', cardMask: '4111******1111', amount: 1, cardInfo: { cardBrand: 'VISA', token: null } }
  expect(maskedMembers(value)).toEqual(value)
  expect(maskedMembers({ cardInfo: { pan: '4111111111111111' }, transactionId: '4111111111111111' })).toEqual({
    cardInfo: { pan: hiddenMark },
    transactionId: '4111111111111111',
  })
})

test.each([
  'cardToken=TOK-1&status=SUCCESS',
  'status=SUCCESS&card_token=TOK-1',
  'cardToken%3DTOK-1%26status%3DSUCCESS',
  'next=%2Fpay%3FcardToken%253DTOK-1',
  '%63ardT%6Fken=TOK-1',
  'cardInfo[cardToken]=TOK-1',
  'cardInfo%5BcardToken%5D=TOK-1',
  "{'cardToken':'TOK-1'}",
  "{'cardToken' => 'TOK-1'}",
  '{cardToken: TOK-1, status: SUCCESS}',
  '{\\"cardToken\\":\\"TOK-1\\",\\"status\\":\\"SUCCESS\\"}',
  '"\\u0063ardToken":"TOK-1"',
  '%7B%22cardToken%22%3A%22TOK-1%22%7D',
  '<cardToken>TOK-1</cardToken>',
  '"token":{"value":"TOK-1"}',
  '"token":["TOK-1"]',
  "{'token':'TOK-1",
  'token\\u003dTOK-1',
  '{&quot;cardToken&quot;:&quot;TOK-1&quot;}',
  '{&#34;cardToken&#34;:&#34;TOK-1&#34;}',
  '{&#x22;cardToken&#x22;: &#x22;TOK-1&#x22;}',
  '{&amp;quot;cardToken&amp;quot;:&amp;quot;TOK-1',
  'cardToken&#x3D;TOK-1',
  'cardToken&#61;TOK-1&amp;status=SUCCESS',
  '&lt;cardToken&gt;TOK-1&lt;/cardToken&gt;',
  'cardToken[]=TOK-1',
  'cardToken[0]=TOK-1',
  'cardToken%5B%5D=TOK-1',
  '"token":{"value":"TOK-1',
  '{"cardToken":{"a":{"b":1},"value":"TOK-1"}}',
  '{"cardToken":[[1],{"a":"}]","value":"TOK-1"}]}',
  "{'cardToken': {'a': '}', 'value': 'TOK-1'}}",
  '{\\"cardToken\\":{\\"a\\":\\"}\\\\\\"}\\",\\"value\\":\\"TOK-1\\"}}',
  'token: Bearer TOK-1',
  'token=%22with TOK-1 space%22',
  'cardToken := "more TOK-1"',
  'cardToken == "TOK-1"',
])('the token is hidden in %s', (text) => {
  expect(maskedText(text)).not.toContain('TOK-1')
  expect(maskedText(text)).toContain(hiddenMark)
})

test.each([
  ['cardToken=TOK-1&status=SUCCESS', `cardToken=${hiddenMark}&status=SUCCESS`],
  ["{'cardToken':'TOK-1','status':'SUCCESS'}", `{'cardToken':'${hiddenMark}','status':'SUCCESS'}`],
  ['{"token":12345,"status":1}', `{"token":${hiddenMark},"status":1}`],
  ['/callback?cardToken=TOK-1&a=b', `/callback?cardToken=${hiddenMark}&a=b`],
  ['&quot;token&quot;:&quot;TOK-1&quot;,&quot;a&quot;', `&quot;token&quot;:&quot;${hiddenMark}&quot;,&quot;a&quot;`],
  ['{"token":{"a":{"b":"}"},"value":"TOK-1"},"status":1}', `{"token":${hiddenMark},"status":1}`],
  ['{\\"token\\":{\\"a\\":[1]},\\"status\\":1}', `{\\"token\\":${hiddenMark},\\"status\\":1}`],
  ['token: Bearer TOK-1, status: 1', `token: ${hiddenMark}, status: 1`],
  ['token=%22TOK 1%22&a=b', `token=${hiddenMark}%22&a=b`],
])('of %s no more is hidden than the token', (text, shown) => {
  expect(maskedText(text)).toBe(shown)
})

test.each([
  'tokens=1',
  'tokenized: yes',
  'access_tokens are not here',
  'Unexpected token < in JSON',
  'cardMask=411111******1111',
  'transactionId=9007199254740993',
  'toIban=GE29NB0000000101904917',
  'cardToken=&status=SUCCESS',
  'cardToken=&amp;status=SUCCESS',
  '{"name":"status","value":"SUCCESS"}',
  '{"value":12.5,"name":"amount"},{"name":"tokens"}',
])('nothing is hidden in %s', (text) => {
  expect(maskedText(text)).toBe(text)
})

test.each([
  '"cardMask":"4111111111111111"',
  '"cardMask":4111111111111111',
  "'pan': '4111 1111 1111 1111'",
  'cardNumber=4111-1111-1111-1111&a=b',
  'cardNumber=4111+1111+1111+1111',
  'card: 4111111111111111',
  'pan=4111.1111.1111.1111',
  'pan=&quot;4111111111111111&quot;',
])('a whole card number is hidden in %s', (text) => {
  expect(maskedText(text)).toContain(hiddenMark)
  expect(maskedText(text)).not.toContain('1111')
})

test('a text hidden in a value is hidden wherever it is quoted; one too short to be a secret is not', () => {
  const value = { cardInfo: { number: '4111111111111111', token: { value: 'TOK-1' } }, token: 7, more: { token: '' } }
  expect(callbackSecrets(value)).toEqual(['4111111111111111', 'TOK-1'])
  expect(maskedText('no card 4111111111111111 of TOK-1, 7 times', new Secrets(callbackSecrets(value)))).toBe(
    `no card ${hiddenMark} of ${hiddenMark}, 7 times`,
  )
})

test('a secret is named once, however often it came; yes, no and nothing are none', () => {
  expect(callbackSecrets({ all: [{ token: 'TOK-1' }, { token: 'TOK-1' }], token: [true, null, 'TOK-2'] })).toEqual([
    'TOK-2',
    'TOK-1',
  ])
})

test('text of a member is hidden like any other: JSON inside JSON, a query in a header, a header that holds a secret', () => {
  expect(maskedMembers({ payload: '{"cardToken":"TOK-1"}', note: 'x' })).toEqual({
    payload: `{"cardToken":"${hiddenMark}"}`,
    note: 'x',
  })
  const headers = {
    referer: 'https://shop.example/?cardToken=TOK-1',
    'x-card-token': 'TOK-1',
    AUTHORIZATION: 'x',
    a: 'b',
  }
  expect(Object.fromEntries(maskedHeaders(Object.entries(headers)))).toEqual({
    ...{ referer: `https://shop.example/?cardToken=${hiddenMark}`, 'x-card-token': hiddenMark },
    ...{ AUTHORIZATION: hiddenMark, a: 'b' },
  })
})

const largestBodies = [
  ...['card.', 'token ', 'cardToken\\', '%25', 'token="', "token='\\", 'card: 1 ', 'pan=[', '\\u00', ' ', '"token":[ '],
  ...['"token":{"', 'token=&quot;', '&quot;token&quot;:{', 'token&amp;amp;amp;', 'token=%22', 'token[a'],
  ...['token: Bearer ', 'pan=1.1', `token${' '.repeat(1000)}`, `token=${'\\'.repeat(1000)}`],
]

test.each(largestBodies)('a body of 256 KiB, of nothing but %j, is masked in less than a second of work', (piece) => {
  const text = piece.repeat(Math.ceil((256 * 1024) / piece.length))
  const read = () => {
    maskedText(text)
    maskedText(`token${text}`)
    maskedText(`card${text}`)
  }
  expect(leastWorkIn(read, 1000)).toBeLessThan(1000)
})
