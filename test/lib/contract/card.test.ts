import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getCard } from '../../../src/lib/contract/card.ts'
import { orderId, otherId } from '../../kit/contract.ts'

const card = {
  token: otherId,
  provider: 'CREDO',
  cardMask: '411111******1111',
  expirationDate: '12/31',
  cardBrand: 'VISA',
}

test('a card is read by itself or as the only one of a list; of several nobody knows which it is', () => {
  expect(getCard.answer.parse(card)).toEqual(card)
  expect(getCard.answer.parse([card])).toEqual(card)
  expect(getCard.answer.safeParse([card, { ...card, token: orderId }]).success).toBe(false)
})

test('its token may be called cardToken; a card with both names is none', () => {
  const { token: cardToken, ...rest } = card
  expect(getCard.answer.parse({ ...rest, cardToken })).toEqual(card)
  expect(getCard.answer.safeParse({ ...card, cardToken: orderId }).success).toBe(false)
})

test('every member but the token of a card may be missing', () => {
  expect(getCard.answer.parse({ token: 't' })).toEqual({
    token: 't',
    provider: null,
    cardMask: null,
    expirationDate: null,
    cardBrand: null,
  })
  for (const wrong of [{}, [], { token: '' }, 'card', null]) expect(getCard.answer.safeParse(wrong).success).toBe(false)
})

describe('a mask that shows more than six first and four last digits is hidden', () => {
  const shown = (cardMask: string) => getCard.answer.parse({ ...card, cardMask }).cardMask

  test.each(['411111******1111', '411111XXXXXX1111', '4111 11** **** 1111', '****1111', '4***1', '378282*****0005'])(
    '%s is shown',
    (cardMask) => expect(shown(cardMask)).toBe(cardMask),
  )

  test.each([
    ...['4111111111111111', '4111 1111 1111 1111', '4', '', 'VISA 1111', '4111111****1111', '411111****11111'],
    ...['٤١*١'],
  ])('"%s" is not', (cardMask) => expect(shown(cardMask)).toBe('[hidden]'))

  test('whatever is written between the digits: never more than ten of them', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'0123456789*xX -.#'), maxLength: 24 })
    fc.assert(fc.property(texts, (text) => (shown(text) ?? '').replaceAll(/\D/g, '').length <= 10))
  })
})
