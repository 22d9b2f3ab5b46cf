/** A2, the details of a payout, and the balance payouts are paid from. Reads that first make the moves that are due. */

import { readRequest } from '../../client/bearer.ts'
import { unknownPayout } from '../../contract/assumed.ts'
import type { ReadOperation, RequestOf } from '../../contract/operation.ts'
import { payoutBalance, payoutDetails } from '../../contract/payout/payout.ts'
import { validate } from '../../contract/validate.ts'
import type { ClientRow, SandboxReader } from '../../store/sandbox/schema.ts'
import { findPayout, listAccounts } from '../../store/sandbox/world.ts'
import { bearerRoute } from '../access/bearer.ts'
import { takeLeniently } from '../access/lenience.ts'
import { callerOf } from '../access/token.ts'
import { readUpToDate } from '../clock/due.ts'
import { anybody, type Route, violationsInWords } from '../handler.ts'
import { ruleBroken } from '../log/rule.ts'
import { type HandlerOutcome, refused, type Shape } from '../shape.ts'
import { money } from '../world/money.ts'
import { currenciesOf } from '../world/world.ts'
import { detailsValue } from './value.ts'

type Look<Op extends ReadOperation> = (
  db: SandboxReader,
  client: ClientRow,
  request: RequestOf<Op>,
  shape: Shape,
) => Promise<HandlerOutcome>

/** `absent` tells what counts where the request does not say it. */
function reading<Op extends ReadOperation>(
  operation: Op,
  look: Look<Op>,
  absent: (client: ClientRow) => Readonly<Record<string, unknown>> = () => ({}),
): Route {
  return bearerRoute(
    operation,
    async (http, around) =>
      await readUpToDate(around, async (db) => {
        const { clock, shape } = around
        const client = await callerOf(db, http, clock.now())
        if (!client) return { kind: 'unauthenticated' }
        around.record({ who: client.client_id })
        const received = readRequest(operation, http) ?? { payload: {}, read: {}, headers: {} }
        const { request, refusal } = takeLeniently(operation, received, around)
        const valid = validate(operation, { ...absent(client), ...request }, anybody(clock.now()))
        if (valid.ok && refusal) return { kind: 'refused', refusal }
        if (valid.ok) return await look(db, client, valid.request, shape)
        const [first] = valid.violations
        const rule = first ? { rule: ruleBroken(operation, first) } : {}
        return {
          kind: 'refused',
          refusal: { code: first?.code ?? 0, message: violationsInWords(valid.violations), ...rule },
        }
      }),
  )
}

const detailsRoute = reading(payoutDetails, async (db, client, { transaction_id }, shape) => {
  const payout = await findPayout(db, client.client_id, transaction_id.replace(/^0+(?=\d)/, ''))
  if (payout) return { kind: 'value', value: detailsValue(payout, shape) }
  const message = 'Transaction not found: no payout of this client has this transaction_id'
  const { statusCode: code, http } = unknownPayout
  return {
    kind: 'refused',
    refusal: { code, message, http, rule: 'A2, service.md#payout-codes: no payout has this transaction_id' },
  }
})

const balanceRoute = reading(
  payoutBalance,
  async (db, client, { currency }) => {
    const accounts = await listAccounts(db, client.client_id)
    const main = accounts.find((account) => account.main === 1 && account.currency === currency)
    if (!main || !currenciesOf(client).includes(currency)) {
      return refused(5015, `Balance not found: this client has no account in ${currency}`)
    }
    return { kind: 'value', value: { amount: money(main.balance), currency } }
  },
  (client) => ({ currency: currenciesOf(client)[0] }),
)

export const payoutReads: readonly Route[] = [detailsRoute, balanceRoute]
