/** The subject of an approval: a payment, or a plan whole; and what the rules say about it. */
import { fromMinorUnits, type Sum, sumOf } from '../contract/core/decimal.ts'
import { originOf, type ServicePlace } from '../contract/service.ts'
import type { ApprovalRow, IntentRow } from '../store/journal/schema.ts'
import type { Statement } from './signatures.ts'

export type ApprovalSubject = Omit<Statement<'request'>, 'approval' | 'maker' | 'requestedAt' | 'expiresAt'>

/** Its hash covers every row with its id. */
export interface ApprovablePlan extends ServicePlace {
  readonly planId: string
  readonly hash: string
  readonly profile: string
  readonly file: string
  readonly rows: number
  /** Minor units, by currency. */
  readonly totals: Readonly<Record<string, string>>
  readonly operation: string
}

function placeOf({ environment, service, serviceId, clientId }: ServicePlace) {
  return { environment, service: originOf(service), serviceId, client: clientId.toLowerCase() }
}

export interface Payment extends ServicePlace, Sum {
  readonly operation: string
  readonly profile: string
  readonly uniqueId: string
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

export function paymentSubject(payment: Payment, journalId: string): ApprovalSubject {
  const { operation, uniqueId, bodyDigest, payee, profile } = payment
  return {
    ...{ subject: 'payment', id: journalId, operation, ...placeOf(payment), uniqueId, digest: bodyDigest },
    ...{ sum: sumOf(payment) ?? '', payee, rows: '1', profile },
  }
}

/** `place`: the client that is about to send. */
export function planSubject(plan: ApprovablePlan, place: ServicePlace = plan): ApprovalSubject {
  const { planId, hash, profile, file, rows, totals, operation } = plan
  const sums = Object.entries(totals).map(([currency, units]) => `${currency} ${fromMinorUnits(BigInt(units))}`)
  return {
    ...{ subject: 'plan', id: planId, operation, ...placeOf(place), uniqueId: '', digest: hash },
    ...{ sum: sums.join(' + '), payee: file, rows: String(rows), profile },
  }
}

/**
 * Whoever splits a sum into rows has the whole of it approved, to the last row; what rows have added to the day is a
 * part of that.
 */
export function wholeOf(plan: ApprovablePlan | null | undefined): readonly (readonly [string, bigint])[] {
  return Object.entries(plan?.totals ?? {}).map(([currency, units]) => [currency, BigInt(units)])
}

export interface Ruling {
  /** Null where it does not wait. */
  readonly because: string | null
  /** The open request, where it waits and one was made. */
  readonly asked: string | null
  /** Null where no rule is about it. */
  readonly counted: Pick<IntentRow, 'maker' | 'approvers'> | null
  /** How many others have to approve it; 0 where no rule asks. */
  readonly needs: number
  readonly uses: ApprovalRow | null
}

export const unruled: Ruling = { because: null, asked: null, counted: null, needs: 0, uses: null }

/** Decides whether a write has been approved. */
export interface Approvable {
  /** The client that sends it; as the draft says, if not given. */
  readonly sender?: ServicePlace
  /** The plan that it is a row of. */
  readonly plan?: ApprovablePlan | null
}

/** Read when it is asked for. */
export interface MachineIdentity {
  readonly person?: () => Promise<string | null>
}

/** The moment of a decision, and the person at this machine. */
export interface Deciding {
  readonly now: number
  readonly leaseHolder?: MachineIdentity
}

/** About an intent that is known (`row`), or about new ones. `isRunning`: by the run that opened it. */
export interface Asking extends Approvable {
  readonly row: IntentRow | null
  readonly isRunning?: boolean
}
