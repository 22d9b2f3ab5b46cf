import fc from 'fast-check'
import { expect, test } from 'vitest'
import { masked, maskedHeaders, secretsIn } from '../../../src/lib/callback/mask.ts'
import { mask, maskedText } from '../../../src/lib/callback/mask-text.ts'

const names = fc.constantFrom('cardToken', 'token', 'CardToken', 'card_token', 'TOKEN')

test('a token is hidden in a value and in its text, however deep it stands', () => {
  const deeper = fc.array(fc.constantFrom('a', 'cardInfo', '0'), { maxLength: 4 })
  fc.assert(
    fc.property(names, fc.uuid(), deeper, (name, token, path) => {
      const value = path.reduce<unknown>((inner, step) => (step === '0' ? [inner] : { [step]: inner }), {
        [name]: token,
      })
      const text = JSON.stringify(value, null, 1)
      expect(JSON.stringify(masked({ value }))).not.toContain(token)
      expect(maskedText(text)).not.toContain(token)
      expect(maskedText(text.slice(0, text.indexOf(token) + 20))).not.toContain(token.slice(0, 20))
      expect(secretsIn(value)).toEqual([token])
    }),
  )
})

test('nothing else is touched', () => {
  const value = { tokens: 'a', cardMask: '4111******1111', amount: 1, cardInfo: { cardBrand: 'VISA', token: null } }
  expect(masked(value)).toEqual(value)
  expect(maskedText(JSON.stringify({ ...value, cardInfo: 1 }))).toBe(JSON.stringify({ ...value, cardInfo: 1 }))
})

test('card numbers below a card, and headers that hold secrets', () => {
  expect(masked({ cardInfo: { pan: '4111111111111111' }, transactionId: '4111111111111111' })).toEqual({
    cardInfo: { pan: mask },
    transactionId: '4111111111111111',
  })
  expect(
    maskedHeaders([
      ['AUTHORIZATION', 'x'],
      ['x-one', 'y'],
    ]),
  ).toEqual([
    ['AUTHORIZATION', mask],
    ['x-one', 'y'],
  ])
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
])('the token is hidden in %s', (text) => {
  expect(maskedText(text)).not.toContain('TOK-1')
  expect(maskedText(text)).toContain(mask)
})

test.each([
  ['cardToken=TOK-1&status=SUCCESS', `cardToken=${mask}&status=SUCCESS`],
  ["{'cardToken':'TOK-1','status':'SUCCESS'}", `{'cardToken':'${mask}','status':'SUCCESS'}`],
  ['{"token":12345,"status":1}', `{"token":"${mask}","status":1}`],
  ['/callback?cardToken=TOK-1&a=b', `/callback?cardToken=${mask}&a=b`],
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
])('a whole card number is hidden in %s', (text) => {
  expect(maskedText(text)).toContain(mask)
  expect(maskedText(text)).not.toContain('1111')
})

test('what is hidden in a value is hidden in every text that quotes it; what is too short to be a secret is not', () => {
  const value = { cardInfo: { number: '4111111111111111', token: { value: 'TOK-1' } }, token: 7, more: { token: '' } }
  expect(secretsIn(value)).toEqual(['4111111111111111', 'TOK-1'])
  expect(maskedText('no card 4111111111111111 of TOK-1, 7 times', secretsIn(value))).toBe(
    `no card ${mask} of ${mask}, 7 times`,
  )
})

test('text of a member is hidden like any other: JSON inside JSON, a query in a header', () => {
  expect(masked({ payload: '{"cardToken":"TOK-1"}', note: 'x' })).toEqual({
    payload: `{"cardToken":"${mask}"}`,
    note: 'x',
  })
  expect(
    maskedHeaders([
      ['referer', 'https://shop.example/?cardToken=TOK-1'],
      ['x-card-token', 'TOK-1'],
    ]),
  ).toEqual([
    ['referer', `https://shop.example/?cardToken=${mask}`],
    ['x-card-token', mask],
  ])
})

test.each([
  'card.',
  'token ',
  'cardToken\\',
  '%25',
  'token="',
  "token='\\",
  'card: 1 ',
  'pan=[',
  '\\u00',
  ' ',
  '"token":[ ',
])('the largest body, of nothing but %j, is read in no time', (piece) => {
  const text = piece.repeat(Math.ceil((1024 * 1024) / piece.length))
  const started = performance.now()
  maskedText(text)
  maskedText(`token${text}`)
  maskedText(`card${text}`)
  expect(performance.now() - started).toBeLessThan(3000)
})
