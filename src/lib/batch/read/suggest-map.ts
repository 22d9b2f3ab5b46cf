/** Suggests a first `--map` for a file with headers of its own: a draft that a person has to check. */

import { basename } from 'node:path'
import { hasGeorgianPattern, tidyIban } from '../../contract/core/iban.ts'
import { currencies } from '../../contract/payout/request.ts'
import { Failure } from '../../failure.ts'
import type { CheckedFile } from './check.ts'
import { isKeyHeader } from './columns.ts'
import { type BatchFile, fieldOfHeader, ownColumnPrefix, rowFields } from './row.ts'

/** Names of the fields in programs and in English, German, Georgian and Russian. Letters and digits only. */
const words: Readonly<Record<string, string>> = {
  amount: 'amount sum value total netpay net payable betrag summe zahlbetrag auszahlung nettolohn თანხა сумма',
  currency: 'currency ccy cur währung waehrung ვალუტა валюта',
  description:
    'description purpose paymentpurpose details paymentdetails reference remittance memo verwendungszweck zweck grund დანიშნულება назначение назначениеплатежа',
  toIban:
    'iban account accountnumber accountno bankaccount beneficiaryiban beneficiaryaccount payeeiban payeeaccount recipientiban konto kontonummer ანგარიში ანგარიშისნომერი счет счёт номерсчета',
  beneficiaryName:
    'name fullname beneficiary payee payeename recipient recipientname employeename employee accountholder empfänger empfaenger kontoinhaber მიმღები სახელიგვარი получатель фио',
  beneficiaryIdentityNumber:
    'identitynumber idnumber personalid personalnumber nationalid taxid taxnumber პირადინომერი პირადი личныйномер инн',
  birthDate: 'birthdate birthday dateofbirth dob geburtsdatum დაბადებისთარიღი датарождения',
  beneficiaryAddress: 'address beneficiaryaddress adresse anschrift მისამართი адрес',
}

const [firstNames, lastNames] = [
  'firstname givenname forename vorname სახელი имя'.split(' '),
  'lastname surname familyname nachname name გვარი фамилия'.split(' '),
]

const fieldByWord = new Map(
  Object.entries(words).flatMap(([field, all]) => all.split(' ').map((word) => [word, field] as const)),
)

function plain(header: string): string {
  return header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function fieldOfCell(cell: string): string | null {
  if (hasGeorgianPattern(tidyIban(cell))) return 'toIban'
  return (currencies as readonly string[]).includes(cell.trim()) ? 'currency' : null
}

/**
 * The map as YAML, with comments for what the person has to decide. `first`: the cells of the first row. Throws usage (2) for a file
 * without columns.
 */
export async function suggestedMap(
  { file, format }: Pick<CheckedFile, 'file' | 'format'>,
  { headers, first = [] }: Pick<BatchFile, 'headers' | 'first'>,
): Promise<string> {
  if ((format !== 'csv' && format !== 'xlsx') || headers.length === 0) {
    throw new Failure('usage', `${file} has no header to make a map of: CSV and XLSX have one`)
  }
  const open = headers.filter(
    (header) =>
      header.trim() !== '' &&
      fieldOfHeader(header) === null &&
      !isKeyHeader(header, null) &&
      !header.startsWith(ownColumnPrefix),
  )
  const given = new Set(headers.flatMap((header) => fieldOfHeader(header)?.name ?? []))
  const columns: Record<string, string> = {}
  const joins: Record<string, string[]> = {}
  const give = (header: string, field: string | null | undefined) => {
    if (field === null || field === undefined || given.has(field) || Object.hasOwn(columns, header)) return
    given.add(field)
    columns[header] = field
  }
  for (const header of open) give(header, fieldOfCell(first[headers.indexOf(header)] ?? ''))
  const firstName = open.find((header) => firstNames.includes(plain(header)))
  const lastName = open.find((header) => header !== firstName && lastNames.includes(plain(header)))
  if (firstName !== undefined && lastName !== undefined && !given.has('beneficiaryName')) {
    given.add('beneficiaryName')
    joins.beneficiaryName = [firstName, lastName]
  }
  const isJoined = (header: string) => joins.beneficiaryName?.includes(header) === true
  for (const header of open.filter((each) => !isJoined(each))) give(header, fieldByWord.get(plain(header)))
  const ignore = open.filter((header) => !isJoined(header) && !Object.hasOwn(columns, header))
  const missing = rowFields.filter(({ name, required }) => required && !given.has(name)).map(({ name }) => name)
  const parts = { columns, joins, ignore }
  const filled = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0)
  const { stringify } = await import('yaml')
  const toFill = missing.map((field) => `#   ${field}: `)
  return [
    `# A first map for ${JSON.stringify(basename(file))}: look at every line, because a wrong one pays wrong sums or the wrong people.`,
    filled.length > 0 ? stringify(Object.fromEntries(filled)).trimEnd() : '',
    ...(missing.length > 0
      ? ['# No column gives these: name a column above, or set one value for all rows.', '# constants:', ...toFill]
      : []),
    ...(given.has('toIban') || given.has('receiverId')
      ? []
      : ['# No column gives the account: name it above, as toIban.']),
    ...(headers.some((header) => isKeyHeader(header, null))
      ? []
      : ['# A column with a key of its own for each row is named on the command line: --key-column.']),
  ]
    .filter((line) => line !== '')
    .join('\n')
}
