import { expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card/card.ts'
import { complaints, orderId, otherId } from '../../../kit/contract.ts'

const card = {
  token: otherId,
  provider: 'CREDO',
  cardMask: '411111******1111',
  expirationDate: '12/31',
  cardBrand: 'VISA',
}

test('a card is asked for by the order that saved it', () => {
  expect(complaints(getCard, { integratorOrderId: orderId })).toEqual([])
  expect(complaints(getCard, {})).toEqual(['integratorOrderId is required [6053]'])
  expect(complaints(getCard, { integratorOrderId: 'x' })).toEqual([
    'integratorOrderId must be a UUID, version 4 [6053]',
  ])
})

test('a card is read by itself or as the first of a list', () => {
  expect(getCard.answer.parse(card)).toEqual(card)
  expect(getCard.answer.parse([card, { ...card, token: orderId }])).toEqual(card)
})

test('its token may be called cardToken; where both names are there, token counts', () => {
  const { token: cardToken, ...rest } = card
  expect(getCard.answer.parse({ ...rest, cardToken })).toEqual(card)
  expect(getCard.answer.parse({ ...card, cardToken: orderId }).token).toBe(otherId)
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
