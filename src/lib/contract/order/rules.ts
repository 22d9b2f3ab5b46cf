/**
 * Rules over several fields of an order (specification B1; codes: service.md#order-codes), and remarks on an order that keeps
 * them.
 */
import { orderBreach } from '../assumed.ts'
import type { Members } from '../core/members.ts'
import { isIdentityNumber } from '../core/scalar.ts'
import type { Rule } from '../operation.ts'
import { violation } from '../violation.ts'
import { providerFields, providersInUse } from './fields.ts'
import { amountFitsPlan, planSavesCard, planStartsInTime } from './plan.ts'
import { propertiesFit, remarksOnProperties } from './property.ts'
import { splitHasNoEmptyPart, splitRule } from './split.ts'
import { momentOfValidUntil } from './valid-until.ts'

const oneProviderAtMost: Rule = (request) => {
  const [first, ...more] = providerFields.filter((name) => request[name] !== undefined)
  return more.map((name) => violation(name, `and ${first} exclude each other: give one provider at most`, 6034))
}

const savingNeedsCardPayment: Rule = ({ saveCard, directLinkProvider }) =>
  saveCard === 'true' && directLinkProvider === undefined
    ? [violation('directLinkProvider', 'is required to save the card', 6091)]
    : []

/** An installment names the payer, and says whether the payer is a foreigner. */
const installmentNamesPayer: Rule = ({ installmentPaymentProvider, personalNumber, isForeign }) => {
  if (installmentPaymentProvider === undefined) return []
  const why = 'is required together with an installment provider'
  return [
    ...(personalNumber === undefined ? [violation('personalNumber', why, 6070)] : []),
    ...(isForeign === undefined ? [violation('isForeign', why, orderBreach)] : []),
  ]
}

const georgianPersonalNumber: Rule = ({ personalNumber, isForeign }) =>
  typeof personalNumber !== 'string' ||
  personalNumber.trim() === '' ||
  isForeign === 'true' ||
  isIdentityNumber(personalNumber)
    ? []
    : [violation('personalNumber', 'must be 9 or 11 digits, unless isForeign is true', orderBreach)]

const validInFuture: Rule = ({ validUntil }, { now }) => {
  const until = typeof validUntil === 'string' ? momentOfValidUntil(validUntil) : null
  return until !== null && until <= now ? [violation('validUntil', 'must be in the future', 6035)] : []
}

export const orderRules: readonly Rule[] = [
  amountFitsPlan,
  oneProviderAtMost,
  savingNeedsCardPayment,
  installmentNamesPayer,
  georgianPersonalNumber,
  validInFuture,
  planSavesCard,
  planStartsInTime,
  splitHasNoEmptyPart,
  splitRule,
  propertiesFit,
]

function remarksOnProviders(request: Members): readonly string[] {
  return providerFields.flatMap((name) => {
    const code = request[name]
    const known: readonly string[] = providersInUse[name]
    if (typeof code !== 'string' || known.includes(code)) return []
    const notHere = `${name} ${code} is not among the codes known here (${known.join(', ')})`
    return [`${notHere}${ofOtherFields(code)}; it is sent as it is`]
  })
}

/** The fields whose code it is: a bank offers open banking, and no page for cards. */
function ofOtherFields(code: string): string {
  const fields = providerFields.filter((name) => providersInUse[name].some((known) => known === code))
  return fields.length === 0 ? '' : `, but among those of ${fields.join(' and ')}`
}

/** The specification does not say that the two belong together, so half a tip receiver passes. */
function remarksOnTip({ tipReceiverId, tipReceiverType }: Members): readonly string[] {
  if ((tipReceiverId === undefined) === (tipReceiverType === undefined)) return []
  const [given, missing] =
    tipReceiverId === undefined ? ['tipReceiverType', 'tipReceiverId'] : ['tipReceiverId', 'tipReceiverType']
  return [`${given} is given without ${missing}: the service may not know who gets the tip`]
}

export function orderRemarks(request: Members): readonly string[] {
  return [...remarksOnTip(request), ...remarksOnProviders(request), ...remarksOnProperties(request.orderProperties)]
}
