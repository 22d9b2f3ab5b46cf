/** The sum of a payout and those whom it goes to, as its answers may repeat them. */
import type { AskedSum } from '../asked-sum.ts'
import type { Members } from '../core/members.ts'

const ofPayee = ['toIban', 'receiverId', 'receiverType', 'beneficiaryName'] as const

/** A member that the request does not name is not compared: of a registered receiver the service may tell the account. */
export function sumAndPayee(request: Members): AskedSum {
  const named = ofPayee.filter((name) => (request[name] ?? null) !== null)
  return {
    ...{ amount: [request.amount], currency: [request.currency] },
    ...Object.fromEntries(named.map((name) => [name, [request[name]]])),
  }
}
