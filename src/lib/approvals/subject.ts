/** The subject of an approval: a payment of the journal, or a plan whole, all of it signed; and what the rules say about it. */
import { fromMinorUnits, type Sum, sumOf } from '../contract/core/decimal.ts'
import { originOf, type ServicePlace } from '../contract/service.ts'
import type { ApprovalRow, IntentRow } from '../store/journal/schema.ts'
import type { Statement } from './signatures.ts'

/** The members of a request that say what it is about. */
export type ApprovalSubject = Omit<Statement<'request'>, 'approval' | 'maker' | 'requestedAt' | 'expiresAt'>

/** A plan as it is approved: its hash covers every row with its id. */
export interface ApprovablePlan extends ServicePlace {
  readonly planId: string
  readonly hash: string
  readonly profile: string
  readonly file: string
  readonly rows: number
  /** Minor units as text, by currency. */
  readonly totals: Readonly<Record<string, string>>
  readonly operation: string
}

function placeOf({ environment, service, serviceId, clientId }: ServicePlace) {
  return { environment, service: originOf(service), serviceId, client: clientId.toLowerCase() }
}

/** A write as rules and approvals look at it. */
export interface Payment extends ServicePlace, Sum {
  readonly operation: string
  readonly profile: string
  readonly uniqueId: string
  /** JSON text of the request. */
  readonly body: string
  readonly bodyDigest: string
  readonly payee: string
}

export function paymentOf(row: IntentRow): Payment {
  const { environment, service, service_id: serviceId, client_id: clientId, operation, profile, body, payee } = row
  return {
    ...{ environment, service, serviceId, clientId, operation, profile, uniqueId: row.unique_id },
    ...{ body, bodyDigest: row.body_digest, payee },
    ...{ amountMinor: row.amount_minor || null, currency: row.currency || null },
  }
}

/** `journalId`: that of its intent. */
export function paymentSubject(payment: Payment, journalId: string): ApprovalSubject {
  const { operation, uniqueId, bodyDigest, payee, profile } = payment
  return {
    ...{ subject: 'payment', id: journalId, operation, ...placeOf(payment), uniqueId, digest: bodyDigest },
    ...{ sum: sumOf(payment) ?? '', payee, rows: '1', profile },
  }
}

/** `place`: the client that is about to send, which has to be that of the plan. */
export function planSubject(plan: ApprovablePlan, place: ServicePlace = plan): ApprovalSubject {
  const { planId, hash, profile, file, rows, totals, operation } = plan
  const sums = Object.entries(totals).map(([currency, units]) => `${currency} ${fromMinorUnits(BigInt(units))}`)
  return {
    ...{ subject: 'plan', id: planId, operation, ...placeOf(place), uniqueId: '', digest: hash },
    ...{ sum: sums.join(' + '), payee: file, rows: String(rows), profile },
  }
}

/**
 * A row is a part of its plan: whoever splits a sum into rows has the whole of it approved, to the last row. What the rows before it
 * have added to the day is a part of that, too, and not added to it.
 */
export function wholeOf(plan: ApprovablePlan | null | undefined): readonly (readonly [string, bigint])[] {
  return Object.entries(plan?.totals ?? {}).map(([currency, units]) => [currency, BigInt(units)])
}

export interface Ruling {
  /** The reason for which it waits, in words; null where it does not. */
  readonly because: string | null
  /** The request that is open for it, where it waits and one was made. */
  readonly asked: string | null
  /** Columns of the intent; null where no rule is about it. */
  readonly counted: Pick<IntentRow, 'maker' | 'approvers'> | null
  /** The number of others who have to approve it; 0 where no rule asks. */
  readonly needs: number
  /** The approval that its first attempt uses. */
  readonly uses: ApprovalRow | null
}

/** No rule is about it. */
export const unruled: Ruling = { because: null, asked: null, counted: null, needs: 0, uses: null }

/** The part of a guard that decides whether a write has been approved. */
export interface Approvable {
  /** The client that sends it, at the address where that is now; as the draft says, if not given. */
  readonly sender?: ServicePlace
  /** The plan that it is a row of. */
  readonly plan?: ApprovablePlan | null
}

/** The person at this machine, by a public key that is read when it is asked for. */
export interface AtMachine {
  readonly person?: () => Promise<string | null>
}

/** The moment of a decision, and the public key of the person at this machine; null without one. */
export interface Deciding {
  readonly now: number
  readonly holding?: AtMachine
}

/** The question to the rules: about an intent that is known (`row`), or about new ones. `isRunning`: by the run that opened it. */
export interface Asking extends Approvable {
  readonly row: IntentRow | null
  readonly isRunning?: boolean
}
