import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mask, masked, maskedHeaders, maskedText, tokensIn } from '../../../src/lib/callback/mask.ts'

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
      expect(tokensIn(value)).toEqual([token])
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
