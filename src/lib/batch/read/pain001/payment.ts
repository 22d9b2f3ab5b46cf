/** One payment of a pain.001 as a row: its values, and the rules of a payout that the schema does not have. */

import { hasGeorgianPattern, hasValidCheckDigits } from '../../../contract/core/iban.ts'
import { ibanComplaint } from '../../../contract/core/rules.ts'
import type { ColumnMap } from '../column-map.ts'
import { fieldOfHeader, type PainBlock, type PainMessage } from '../row.ts'
import type { FilledRow } from '../row-builder.ts'
import { plainAmount, type Scope } from './schema.ts'

/** The names of the cells of a payment in result files. */
export const painHeaders = [
  ...['PmtInfId', 'InstrId', 'EndToEndId', 'UETR', 'InstdAmt', 'Ccy', 'Cdtr/Nm', 'CdtrAcct/Id/IBAN', 'RmtInf/Ustrd'],
] as const

/** The path of the element of each field; '' is the key. */
const paths: Readonly<Record<string, string>> = {
  '': 'PmtId/EndToEndId',
  amount: 'Amt/InstdAmt',
  currency: 'Amt/InstdAmt/@Ccy',
  beneficiaryName: 'Cdtr/Nm',
  toIban: 'CdtrAcct/Id/IBAN',
  description: 'RmtInf/Ustrd',
  fromIban: 'DbtrAcct/Id/IBAN',
}

const fields = new Map(Object.entries(paths).map(([field, path]) => [path, field]))

/** The reference that some countries use instead of a text. */
const structuredReference = 'RmtInf/Strd/CdtrRefInf/Ref'

/** Makes the description of a payment without Ustrd; null if the payment lacks what the map names. */
export type DescriptionOf = (payment: Scope) => string | null

/** The paths of the values that a map may name. */
const describing = new Map([
  ...painHeaders.map((header) => [header, header] as const),
  ['InstrId', 'PmtId/InstrId'],
  ['EndToEndId', 'PmtId/EndToEndId'],
  ['UETR', 'PmtId/UETR'],
  [structuredReference, structuredReference],
])

const ofBlock: ReadonlySet<string> = new Set(['PmtInfId', 'Ccy', 'InstdAmt', 'RmtInf/Ustrd'])

/** How a map makes descriptions, or why the map does not fit a pain.001. */
export function descriptionBy({
  columns,
  constants,
  joins,
  ignored,
}: ColumnMap): DescriptionOf | { readonly why: string } {
  const given = [...columns.values(), ...constants.keys(), ...joins.keys()]
  const isDescription = given.length === 1 && given.every((name) => fieldOfHeader(name)?.name === 'description')
  if (!isDescription || ignored.size > 0) {
    return {
      why: `is a pain.001, of which --map gives the description alone, such as columns: {${structuredReference}: description}`,
    }
  }
  const [constant] = [...constants.values()]
  const [join = { columns: [...columns.keys()], between: '' }] = [...joins.values()]
  const unknown = join.columns.find((name) => !describing.has(name) || ofBlock.has(name))
  if (constant === undefined && unknown !== undefined) {
    return {
      why: `is a pain.001, and --map names ${unknown}: it can name ${[...describing.keys()].filter((name) => !ofBlock.has(name)).join(', ')}`,
    }
  }
  return (values) => {
    if (constant !== undefined) return constant
    const parts = join.columns.flatMap((name) => values.all(describing.get(name) ?? ''))
    return parts.length === 0 ? null : parts.join(join.between || ' ')
  }
}

export function pathOfField(field: string): string {
  return paths[field] ?? field
}

interface PaymentParts {
  readonly number: number
  readonly payment: Scope
  readonly message: PainMessage
  readonly block: PainBlock
  /** The account to debit, if the profile may choose it. */
  readonly fromIban: string | null
  /** For a payment without a text; null without a map. */
  readonly describe: DescriptionOf | null
}

/** Banks fill the element with this word if there is no key. */
const noKey = 'NOTPROVIDED'

function aboutIban(iban: string): string | null {
  const tidy = iban.toUpperCase()
  const complaint = ibanComplaint(tidy)
  // Wrong check digits are reported for every country: the sender can correct them.
  if (complaint === null || hasGeorgianPattern(tidy) || hasValidCheckDigits(tidy)) return complaint
  return `has wrong check digits, and ${complaint}`
}

function aboutAccount(payment: Scope): string | null {
  const iban = payment.one('CdtrAcct/Id/IBAN')
  if (iban !== undefined) return aboutIban(iban)
  return payment.has('CdtrAcct/Id/Othr')
    ? 'is missing: the account is not an IBAN, and only IBANs are paid'
    : 'is missing: there is no account to pay to'
}

function aboutAmount(payment: Scope): string | null {
  if (payment.has('Amt/EqvtAmt')) return 'is missing: an EqvtAmt is refused, because its sum is not said'
  return payment.has('Amt/InstdAmt') ? null : 'is missing'
}

function aboutText(payment: Scope, hasText: boolean): string | null {
  if (hasText) return null
  const missing = 'is missing: there is no text for the payee'
  const reference = payment.one(structuredReference)
  if (reference === undefined) return missing
  return `${missing}; its structured reference is ${reference}, and a --map makes that the text: columns: {${structuredReference}: description}`
}

/** What is wrong with a payment, by field: the rules of payouts, and those of the schema, which go first. */
function wrongWith(payment: Scope, hasText: boolean): ReadonlyMap<string, string> {
  const ofPayouts: readonly (readonly [string, string | null])[] = [
    ['toIban', aboutAccount(payment)],
    ['beneficiaryName', payment.has('Cdtr/Nm') ? null : 'is missing: there is no payee'],
    ['description', aboutText(payment, hasText)],
    ['amount', aboutAmount(payment)],
    ['currency', payment.currency === null && !payment.has('Amt/EqvtAmt') ? 'is missing' : null],
  ]
  return new Map([
    ...ofPayouts.flatMap(([field, why]) => (why === null ? [] : [[field, why] as const])),
    ...[...payment.wrong].map(([path, why]) => [fields.get(path) ?? path, why] as const),
  ])
}

export function filledPayment({ number, payment, message, block, fromIban, describe }: PaymentParts): FilledRow {
  const one = (path: string) => payment.one(path) ?? null
  const { currency } = payment
  const [amount, iban, name] = [one('Amt/InstdAmt'), one('CdtrAcct/Id/IBAN'), one('Cdtr/Nm')]
  const [instructionId, endToEndId, uetr] = [one('PmtId/InstrId'), one('PmtId/EndToEndId') ?? '', one('PmtId/UETR')]
  const lines = payment.all('RmtInf/Ustrd')
  const description = lines.length > 0 ? lines.join(' ') : (describe?.(payment) ?? null)
  const given = {
    amount: amount === null ? null : plainAmount(amount),
    currency,
    description,
    beneficiaryName: name,
    toIban: iban,
    fromIban,
  }
  const values = Object.entries(given).flatMap(([field, value]) => (value === null ? [] : [[field, value]]))
  const cells = [block.paymentInformationId, instructionId, endToEndId, uetr, amount, currency, name, iban, description]
  return {
    number,
    values: Object.fromEntries(values),
    key: endToEndId === noKey || endToEndId === '' ? null : endToEndId,
    source: cells.map((cell) => cell ?? ''),
    payment: { message, block, instructionId, endToEndId, uetr, amount: amount ?? '', currency: currency ?? '' },
    wrong: wrongWith(payment, description !== null),
  }
}
