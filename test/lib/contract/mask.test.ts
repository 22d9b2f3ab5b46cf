import { expect, test } from 'vitest'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { withoutCardTokens, withoutSecrets } from '../../../src/lib/contract/mask.ts'

test('a card token is hidden wherever it stands, whatever the spelling', () => {
  const answer = { cardInfo: { cardToken: 'a', card_token: 'b', Token: 'c', mask: 'd' }, list: [{ token: 'e' }] }
  const hidden = '[hidden]'
  const expected = {
    cardInfo: { cardToken: hidden, card_token: hidden, Token: hidden, mask: 'd' },
    list: [{ token: hidden }],
  }
  expect(withoutCardTokens(answer)).toEqual(expected)
  expect(withoutSecrets(answer)).toEqual(expected)
})

test('client secrets and access tokens are hidden too, numbers among them, and nothing that is no secret', () => {
  const sent = {
    client_id: 'i',
    client_secret: 's',
    clientSecret: new JsonNumber('12'),
    access_token: 't',
    token: null,
  }
  expect(withoutSecrets(sent)).toEqual({
    ...{ client_id: 'i', client_secret: '[hidden]', clientSecret: '[hidden]', access_token: '[hidden]' },
    token: null,
  })
  expect(withoutSecrets('text')).toBe('text')
})
