/** One payment of a pain.001 as a row: its values, and the rules of a payout that the schema does not have. */

import { hasGeorgianPattern, hasValidCheckDigits } from '../../../contract/core/iban.ts'
import { ibanComplaint } from '../../../contract/core/rules.ts'
import { strangeCharacter } from '../../../contract/core/text.ts'
import { isRealDashedDate } from '../../../contract/date.ts'
import { withoutEnd, withoutEnds } from '../../../text.ts'
import type { ColumnMap } from '../column-map.ts'
import { fieldOfHeader, type PainBlock, type PainMessage } from '../row.ts'
import type { FilledRow } from '../row-builder.ts'
import type { Values } from '../xml.ts'

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
export type DescriptionOf = (values: PaymentParts['values']) => string | null

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
  /** Values by path. */
  readonly values: Pick<Values, 'has' | 'all' | 'one'>
  readonly currency: string | null
  /** Complaints of the schema by path. */
  readonly wrong: ReadonlyMap<string, string>
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
  return `has wrong check digits (mod-97), and ${complaint}`
}

/** The rules of payouts: a payee, an account and a text, and an amount in its own currency. */
function ownRules({ values, currency }: PaymentParts, hasText: boolean): Map<string, string> {
  const own = new Map<string, string>()
  const iban = values.one('CdtrAcct/Id/IBAN')
  const about = iban === undefined ? null : aboutIban(iban)
  if (about !== null) own.set('toIban', about)
  if (iban === undefined) {
    const other = values.has('CdtrAcct/Id/Othr')
    own.set(
      'toIban',
      other
        ? 'is missing: the account is not an IBAN, and only IBANs are paid'
        : 'is missing: there is no account to pay to',
    )
  }
  if (!values.has('Cdtr/Nm')) own.set('beneficiaryName', 'is missing: there is no payee')
  if (!hasText) own.set('description', withoutText(values.one(structuredReference)))
  if (values.has('Amt/EqvtAmt')) own.set('amount', 'is missing: an EqvtAmt is refused, because its sum is not said')
  else if (!values.has('Amt/InstdAmt')) own.set('amount', 'is missing')
  if (currency === null && !values.has('Amt/EqvtAmt')) own.set('currency', 'is missing')
  return own
}

function withoutText(reference: string | undefined): string {
  const missing = 'is missing: there is no text for the payee'
  if (reference === undefined) return missing
  return `${missing}; its structured reference is ${reference}, and a --map makes that the text: columns: {${structuredReference}: description}`
}

export function filledPayment(parts: PaymentParts): FilledRow {
  const { number, values, currency, wrong, message, block, fromIban } = parts
  const one = (path: string) => values.one(path) ?? null
  const [amount, iban, name] = [one('Amt/InstdAmt'), one('CdtrAcct/Id/IBAN'), one('Cdtr/Nm')]
  const [instructionId, endToEndId, uetr] = [one('PmtId/InstrId'), one('PmtId/EndToEndId') ?? '', one('PmtId/UETR')]
  const lines = values.all('RmtInf/Ustrd')
  const description = lines.length > 0 ? lines.join(' ') : (parts.describe?.(values) ?? null)
  const given = {
    amount: amount === null ? null : plainAmount(amount),
    currency,
    description,
    beneficiaryName: name,
    toIban: iban,
    fromIban,
  }
  const ofSchema = [...wrong].map(([path, why]) => [fields.get(path) ?? path, why] as const)
  return {
    number,
    values: Object.fromEntries(
      Object.entries(given).flatMap(([field, value]) => (value === null ? [] : [[field, value]])),
    ),
    key: endToEndId === noKey || endToEndId === '' ? null : endToEndId,
    source: [
      ...[block.paymentInformationId, instructionId, endToEndId, uetr, amount, currency, name, iban],
      description ?? '',
    ].map((cell) => cell ?? ''),
    payment: { message, block, instructionId, endToEndId, uetr, amount: amount ?? '', currency: currency ?? '' },
    wrong: new Map([...ownRules(parts, description !== null), ...ofSchema]),
  }
}

// The forms of values in the schemas, and decimals.

export type ValueKind =
  | 'id'
  | 'name'
  | 'line'
  | 'count'
  | 'sum'
  | 'amount'
  | 'method'
  | 'date'
  | 'moment'
  | 'iban'
  | 'uetr'

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

/** XML ignores blanks around a number or a date. */
export function collapsed(text: string): string {
  return withoutEnds(text, ' \t\r\n')
}

/** Places after the point that a sum may have. */
const places = 17

/** The value of a decimal times 10^17; null for a wrong decimal. */
export function scaled(text: string): bigint | null {
  const plain = collapsed(text)
  if (!decimal.test(plain)) return null
  const [whole = '', fraction = ''] = plain.replace(/^[+-]/, '').split('.')
  if (fraction.length > places) return null
  const value = BigInt(`${whole}${fraction.padEnd(places, '0')}`)
  return plain.startsWith('-') ? -value : value
}

/** The decimal as the contract writes it: "+010.500" is "10.50". */
function plainAmount(text: string): string {
  const [whole = '', fraction = ''] = collapsed(text).replace(/^\+/, '').split('.')
  const short = fraction.slice(0, 2) + withoutEnd(fraction.slice(2), '0')
  const integer = whole.replace(/^0+(?=\d)/, '') || '0'
  return short === '' ? integer : `${integer}.${short}`
}

function digitsOf(text: string): { readonly all: number; readonly after: number } {
  const [whole = '', fraction = ''] = collapsed(text).replace(/^[+-]/, '').split('.')
  const after = withoutEnd(fraction, '0').length
  return { all: whole.replace(/^0+/, '').length + after, after }
}

function atMost(length: number) {
  return (text: string) => {
    const characters = Array.from(text).length
    if (characters === 0) return 'is empty'
    return characters > length ? `has ${characters} characters, and ${length} are allowed` : null
  }
}

function decimalOf(after: number) {
  return (text: string) => {
    if (!decimal.test(collapsed(text))) return 'must be a decimal number like 12.50, without exponent or separators'
    const digits = digitsOf(text)
    if (digits.all > 18 || digits.after > after) return `has more than 18 digits, or more than ${after} after the point`
    return collapsed(text).startsWith('-') && /[1-9]/.test(text) ? 'must not be less than 0' : null
  }
}

const zone = '(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)?'
const date = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})${zone}$`)
const moment = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,12})?${zone}$`)

function dayLike(form: RegExp, words: string) {
  return (text: string) => {
    const [, day = ''] = form.exec(collapsed(text)) ?? []
    return isRealDashedDate(day) ? null : `must be ${words}`
  }
}

function form(expression: RegExp, words: string) {
  return (text: string) => (expression.test(text) ? null : `must be ${words}${strangeCharacter(text)}`)
}

const rules: Readonly<Record<ValueKind, (text: string) => string | null>> = {
  id: atMost(35),
  name: atMost(140),
  line: atMost(140),
  count: form(/^\d{1,15}$/, 'a whole number of at most 15 digits'),
  sum: decimalOf(17),
  amount: decimalOf(5),
  method: form(/^(?:TRF|TRA|CHK)$/, 'TRF, TRA or CHK'),
  date: dayLike(date, 'a date of the calendar, yyyy-MM-dd'),
  moment: dayLike(moment, 'a moment of the calendar, yyyy-MM-ddTHH:mm:ss'),
  iban: form(/^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/, 'an IBAN: 2 capital letters, 2 digits, at most 30 letters and digits'),
  uetr: form(
    /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/,
    'a UUID, version 4, in small letters',
  ),
}

/** The complaint about a value; null for a good value. */
export function valueComplaint(kind: ValueKind, text: string): string | null {
  return rules[kind](text)
}
