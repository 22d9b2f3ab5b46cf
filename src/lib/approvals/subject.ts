/** The subject of an approval: a payment of the journal, or a plan whole. All of it is signed. */
import { fromMinorUnits, type Sum, sumOf } from '../contract/core/decimal.ts'
import { originOf, type ServicePlace } from '../contract/service.ts'
import type { IntentRow } from '../store/journal/schema.ts'
import type { Statement } from './persons/signed.ts'

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
