/**
 * The request of a create, read and held against the contract's rules. One breach waits: a wrong IBAN is told only after
 * amount and balance (service.md#payouts, the check order that was seen), so the order is readable without a good one.
 */
import type { z } from 'zod'
import { readRequest } from '../../client/bearer.ts'
import { minorUnits } from '../../contract/core/decimal.ts'
import type { Permits, Violation } from '../../contract/operation.ts'
import { createPayout } from '../../contract/payout/payout.ts'
import { validate } from '../../contract/validate.ts'
import type { HttpRequest } from '../../http/message.ts'
import { unreadableBody } from '../access/cause.ts'
import { takeLeniently } from '../access/lenience.ts'
import { type Surroundings, violationsInWords } from '../handler.ts'
import { ruleBroken } from '../log/rule.ts'
import type { Refusal } from '../shape.ts'

const withoutIban = createPayout.request.omit({ toIban: true })

export interface Order {
  /** Every field as it came; toIban is the one that may still be wrong. The birth date of the debtor is not in the specification. */
  readonly fields: z.output<typeof withoutIban> & { readonly toIban?: unknown; readonly debtorBirthDate?: string }
  /** Minor units. */
  readonly amount: bigint
  /** The complaint about toIban, in words; null if there is none. */
  readonly ibanBreach: string | null
}

const ibanCode = 5023

function byPrecedence(one: Violation, other: Violation): number {
  // 5039 before 5047 before 5048; among the 5039 the two ways to the beneficiary first.
  return one.code - other.code || Number(other.field === 'toIban') - Number(one.field === 'toIban')
}

/** The order, or why it is none. */
export function readPayoutRequest(http: HttpRequest, permits: Permits, around: Surroundings): Order | Refusal {
  const received = readRequest(createPayout, http)
  if (received === null) {
    around.record({ cause: unreadableBody(http) })
    return { code: 5043, message: 'The body is not a readable JSON object', rule: 'A1: bodies are JSON' }
  }
  const { request: given, refusal } = takeLeniently(createPayout, received, around)
  const valid = validate(createPayout, given, { permits, orderType: null, now: around.clock.now() })
  const found = valid.ok ? [] : valid.violations
  const breaches = found.filter(({ code }) => code !== ibanCode).toSorted(byPrecedence)
  const [worst] = breaches
  if (worst) return { code: worst.code, message: violationsInWords(breaches), rule: ruleBroken(createPayout, worst) }
  if (refusal) return refusal
  const { toIban, ...others } = given
  const fields = withoutIban.parse(others)
  const { debtorBirthDate } = received.payload
  return {
    fields: {
      ...fields,
      ...(toIban === undefined ? {} : { toIban }),
      ...(typeof debtorBirthDate === 'string' ? { debtorBirthDate } : {}),
    },
    amount: minorUnits(fields.amount) ?? 0n,
    ibanBreach: found.length > 0 ? violationsInWords(found) : null,
  }
}
