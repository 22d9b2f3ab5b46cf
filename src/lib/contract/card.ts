/** Area D of the specification: the card that was saved with an order. */
import { z } from 'zod'
import { textReceived } from './answer.ts'
import { argumentBreach } from './assumed.ts'
import { always, field, textForm, uuidForm } from './core/field.ts'
import { isMembers } from './core/members.ts'
import { uuidV4 } from './core/rules.ts'
import { shownCardMask } from './mask.ts'
import { endpoint, type ReadOperation, usualRead } from './operation.ts'

/**
 * The card itself, or the only one of a list. Its token under the name of the record or of the order field; under both
 * it is none.
 */
function cardIn(answer: unknown): unknown {
  const card: unknown = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer
  if (!isMembers(card) || card.cardToken === undefined) return card
  if (card.token !== undefined) return null
  const { cardToken, ...rest } = card
  return { token: cardToken, ...rest }
}

const card = z.preprocess(
  cardIn,
  z.looseObject({
    token: always(uuidForm, z.string().min(1)),
    provider: always(textForm, textReceived),
    cardMask: always(textForm, textReceived.transform(shownCardMask)),
    expirationDate: always({ type: 'string', pattern: '^[0-9]{2}/[0-9]{2}$' }, textReceived),
    cardBrand: always(textForm, textReceived),
  }),
)

export const getCard = {
  ...usualRead,
  name: 'card.get',
  ...endpoint('D', 'GET', '/api/v1/integrator/card/order-id'),
  section: 'D',
  summary: 'read the card that was saved with an order',
  gives: 'card token',
  unknownObject: { statusCode: 6075, http: null, words: null },
  echoes: { integratorOrderId: 'integratorOrderId' },
  request: z.strictObject({
    integratorOrderId: field(uuidV4, {
      help: 'your id of the order with which the card was saved, a UUID v4',
    }),
  }),
  breachCode: argumentBreach,
  answer: card,
} as const satisfies ReadOperation

export const cardOperations = [getCard] as const
