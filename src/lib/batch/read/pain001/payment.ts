/** One payment of a pain.001 as a row: its values, and the rules that the schema does not have. */
import { hasGeorgianPattern, hasValidCheckDigits } from '../../../contract/core/iban.ts'
import { ibanComplaint } from '../../../contract/core/rules.ts'
import { fieldOfHeader } from '../rows/contract.ts'
import type { Filled } from '../rows/maker.ts'
import type { ColumnMap } from '../rows/map.ts'
import type { PainBlock, PainMessage } from './facts.ts'
import { plainAmount } from './values.ts'

/** The names of the cells that a payment is given back with. */
export const painHeaders = [
  ...['PmtInfId', 'InstrId', 'EndToEndId', 'UETR', 'InstdAmt', 'Ccy', 'Cdtr/Nm', 'CdtrAcct/Id/IBAN', 'RmtInf/Ustrd'],
] as const

/** The way to the element of each field; '' is the key. */
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

/** The reference that some countries write in the place of a text. */
const structuredReference = 'RmtInf/Strd/CdtrRefInf/Ref'

/** Makes the text of a payment that has no Ustrd, as a `--map` says; null where the payment lacks what it names. */
export type DescriptionOf = (values: PaymentParts['values']) => string | null

/** The ways to the values that a map may name, by their names: the headers of the row, and the structured reference. */
const describing = new Map([
  ...painHeaders.map((header) => [header, header] as const),
  ['InstrId', 'PmtId/InstrId'],
  ['EndToEndId', 'PmtId/EndToEndId'],
  ['UETR', 'PmtId/UETR'],
  [structuredReference, structuredReference],
])

const ofBlock: ReadonlySet<string> = new Set(['PmtInfId', 'Ccy', 'InstdAmt', 'RmtInf/Ustrd'])

/** The description by a map, or why the map is none for a pain.001. */
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
    const parts = join.columns.flatMap((name) => values.get(describing.get(name) ?? '') ?? [])
    return parts.length === 0 ? null : parts.join(join.between || ' ')
  }
}

export function pathOfField(field: string): string {
  return paths[field] ?? field
}

export interface PaymentParts {
  readonly number: number
  /** Values by their paths. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly currency: string | null
  /** Complaints of the schema by their paths. */
  readonly wrong: ReadonlyMap<string, string>
  /** Elements that stand in it, with or without a good value. */
  readonly message: PainMessage
  readonly block: PainBlock
  /** The account that is debited, where the profile may choose one. */
  readonly fromIban: string | null
  /** Of a payment without a text; null where no map gives it one. */
  readonly describe: DescriptionOf | null
}

/** No key: banks fill the element with this word where there is none. */
const noKey = 'NOTPROVIDED'

function aboutIban(iban: string): string | null {
  const tidy = iban.toUpperCase()
  const complaint = ibanComplaint(tidy)
  // A wrong digit is told of any country: it is the fault that its sender can see.
  if (complaint === null || hasGeorgianPattern(tidy) || hasValidCheckDigits(tidy)) return complaint
  return `has wrong check digits (mod-97), and ${complaint}`
}

/** The rules of our own: a payment needs a payee, an account and a text, and an amount of its own currency. */
function ownRules({ values, currency }: PaymentParts, hasText: boolean): Map<string, string> {
  const own = new Map<string, string>()
  const iban = values.get('CdtrAcct/Id/IBAN')?.[0]
  const about = iban === undefined ? null : aboutIban(iban)
  if (about !== null) own.set('toIban', about)
  if (iban === undefined) {
    const other = values.has('CdtrAcct/Id/Othr')
    own.set(
      'toIban',
      other
        ? 'is missing: the account is no IBAN, and only IBANs are paid'
        : 'is missing: there is no account to pay to',
    )
  }
  if (!values.has('Cdtr/Nm')) own.set('beneficiaryName', 'is missing: there is no payee')
  if (!hasText) own.set('description', withoutText(values.get(structuredReference)?.[0]))
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

export function filledPayment(parts: PaymentParts): Filled {
  const { number, values, currency, wrong, message, block, fromIban } = parts
  const one = (path: string) => values.get(path)?.[0] ?? null
  const [amount, iban, name] = [one('Amt/InstdAmt'), one('CdtrAcct/Id/IBAN'), one('Cdtr/Nm')]
  const [instructionId, endToEndId, uetr] = [one('PmtId/InstrId'), one('PmtId/EndToEndId') ?? '', one('PmtId/UETR')]
  const lines = values.get('RmtInf/Ustrd') ?? []
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
