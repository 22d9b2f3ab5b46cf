/** Split details of an order, and of its refund (specification B1, "Split detail"; service.md#splits). */
import { z } from 'zod'
import { field, uuidOrIbanForm } from '../core/field.ts'
import { tidyIban } from '../core/iban.ts'
import { entriesOf, isMembers, type Members } from '../core/members.ts'
import {
  anyUuid,
  ibanComplaint,
  notPositive,
  oneOf,
  orderSumCodes,
  type SumCodes,
  sum,
  text,
  tidyUuid,
  unitsOf,
} from '../core/rules.ts'
import { type Rule, type Violation, violation } from '../operation.ts'

const iban = 'IBAN'

/** An IBAN in capitals, a UUID in small letters. */
function tidyIdentifier(typed: string): string {
  const asIban = tidyIban(typed)
  return asIban.startsWith('GE') ? asIban : tidyUuid(typed)
}

/** An unknown type has its own complaint. */
function identifierComplaint(type: string, identifier: string): string | null {
  if (type === iban) return ibanComplaint(identifier)
  return anyUuid.safeParse(identifier).success ? null : `must be a UUID for a ${type}`
}

/** Codes differ between an order and a refund only for the sum. */
export function recipient(codes: SumCodes, zero?: Parameters<typeof sum>[1]) {
  return z
    .strictObject({
      receiverType: field(oneOf(['BRANCH', 'USER', iban]), {
        help: 'BRANCH (registered branch), USER (registered user) or IBAN (external account)',
        breachCode: 6098,
      }),
      receiverIdentifier: field(text, {
        help: 'a UUID for BRANCH and USER, the IBAN for IBAN',
        schema: uuidOrIbanForm,
        breachCode: 6099,
        tidy: tidyIdentifier,
      }),
      amount: field(sum(codes, zero), {
        help: "this recipient's part, greater than 0, up to 2 decimals",
        breachCode: codes.format,
      }),
    })
    .superRefine(({ receiverType, receiverIdentifier }, context) => {
      const message = identifierComplaint(receiverType, receiverIdentifier)
      if (message) context.addIssue({ code: 'custom', path: ['receiverIdentifier'], message, params: { code: 6099 } })
    })
}

function sameReceiver({ receiverType, receiverIdentifier }: Members): string {
  return `${String(receiverType)} ${String(receiverIdentifier).toLowerCase()}`
}

export function repeatedReceivers(entries: readonly Members[]): readonly string[] {
  const seen = entries.map(sameReceiver)
  return [...new Set(seen.filter((each, at) => seen.indexOf(each) !== at))]
}

export function sumOfParts(entries: readonly Members[]): bigint | null {
  return entries.reduce<bigint | null>((total, { amount }) => {
    const units = unitsOf(amount)
    return total === null || units === null ? null : total + units
  }, 0n)
}

const breach = (message: string, code: number) => violation('splitDetails', message, code)

function receiversBreach(entries: readonly Members[], receiverId: unknown): Violation[] {
  const main = sameReceiver({ receiverType: 'BRANCH', receiverIdentifier: receiverId })
  const times = entries.filter((entry) => sameReceiver(entry) === main).length
  const twice = repeatedReceivers(entries).filter((each) => each !== main)
  return [
    ...(times === 0 ? [breach("must name the order's own receiver (BRANCH, its receiverId) too", 6060)] : []),
    ...(times > 1 ? [breach("names the order's own receiver more than once", 6061)] : []),
    ...(twice.length > 0 ? [breach('names the same receiver more than once', 6097)] : []),
  ]
}

/** With a plan its price is split. */
function sumBreach(entries: readonly Members[], amount: unknown, plan: unknown): Violation[] {
  const whole = unitsOf(isMembers(plan) ? plan.amount : amount)
  const parts = sumOfParts(entries)
  if (whole === null || parts === null || parts === whole) return []
  const of = isMembers(plan) ? "the plan's amount" : 'the amount'
  return parts > whole
    ? [breach(`add up to more than ${of}`, 6066)]
    : [breach(`add up to less than ${of}: the parts must make the whole`, 6059)]
}

/** B1, unless the service takes an empty one. */
export const splitHasNoEmptyPart: Rule = ({ splitDetails }, { takesEmptyParts = false }) => {
  const parts: readonly unknown[] = Array.isArray(splitDetails) && !takesEmptyParts ? splitDetails : []
  return parts.flatMap((part, at) =>
    isMembers(part) && unitsOf(part.amount) === 0n
      ? [violation(['splitDetails', at, 'amount'], notPositive, orderSumCodes.sign)]
      : [],
  )
}

/**
 * Rules of a split that the codes prove and the specification's table does not name: at least 2 entries, the order's own
 * receiver exactly once, no other receiver twice, amounts that add up to the order's or, with a plan, to the plan's
 * (service.md#splits).
 */
export const splitFits: Rule = ({ splitDetails, receiverId, amount, subscriptionPlan }) => {
  if (!Array.isArray(splitDetails)) return []
  if (splitDetails.length === 0) return [breach('must not be empty: omit it if nothing is split', 6064)]
  const entries = entriesOf(splitDetails)
  if (entries.length < splitDetails.length) return []
  return [
    ...(entries.length === 1 ? [breach('needs at least 2 recipients', 6062)] : []),
    ...receiversBreach(entries, receiverId),
    ...sumBreach(entries, amount, subscriptionPlan),
  ]
}
