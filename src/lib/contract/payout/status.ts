/** Statuses of a payout (service.md#payout-statuses). One that is not in the list never counts as final. */
import { blank, type Hint, hint, paste } from '../../hint.ts'
import { type End, endedPaid, endedUnpaid, goesOn, type Statuses, type StatusReader, statusIn } from '../status.ts'

const notExecuted = { ...endedUnpaid, next: hint`A new payout needs a new id.` } as const
const onItsWay = { ...goesOn, outlook: 'may still be executed', next: null } as const

/** A payout of which the service has only told that it has the id. */
export const unconfirmedInWords = 'the service has it; amount not confirmed'

export const payoutStatuses = {
  INITIAL: { ...onItsWay, means: 'accepted, not yet with the bank' },
  PENDING: { ...onItsWay, means: 'with the bank, not yet executed' },
  SUCCESS: { ...endedPaid, means: 'executed, the funds are with the beneficiary' },
  REJECTED: { ...notExecuted, means: 'rejected by the bank, the funds come back' },
  FAILED: { ...notExecuted, means: 'failed, the funds come back' },
  DELETED: { ...notExecuted, means: 'deleted before execution, the funds come back' },
  INITIAL_INSUFFICIENT_BALANCE: {
    ...goesOn,
    means: 'accepted, but waiting for the balance to cover it',
    outlook: 'waits for the balance to cover it',
    next: hint`top it up, then \`${paste('payout wait', blank('<id>'))}\``,
  },
} as const satisfies Statuses

export const payoutStatusFacts: StatusReader = (status) => statusIn(payoutStatuses, status)

export const payoutEnd = (status: string): End => payoutStatusFacts(status)?.end ?? null

/** One that only looks like a letter of a known status must not pass for it. */
function visibly(status: string): string {
  return JSON.stringify(status).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function payoutRemark(status: string): Hint | null {
  const facts = payoutStatusFacts(status)
  if (!facts) return hint`the payout was accepted, in a status of which nothing is known: ${visibly(status)}`
  if (facts.end === 'not-paid') return hint`the payout was accepted, but its status is already ${status}`
  return facts.next ? hint`the payout was accepted, but ${facts.outlook ?? ''}: ${facts.next}` : null
}
