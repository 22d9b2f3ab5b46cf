/**
 * The columns of a file, and the field that each holds. A header names a field (`toIban`) or its flag (`to-iban`, `--to-iban`). Every
 * other column is refused, unless a map names it: a mistyped header would otherwise leave a field out of every row.
 */
import { textDamage } from '../../contract/core/text.ts'
import { orMeant } from '../../nearest.ts'
import { type ColumnMap, noMap } from './column-map.ts'
import {
  type BatchRow,
  type Complaint,
  checkValue,
  complaintAt,
  ownColumnPrefix,
  payoutRows,
  type RowContract,
} from './row.ts'

interface FieldCells {
  readonly name: string
  readonly cells: readonly number[]
  readonly between: string
}

export interface ColumnLayout {
  readonly headers: readonly string[]
  readonly fields: readonly FieldCells[]
  readonly constants: Readonly<Record<string, string>>
  readonly keyAt: number | null
  /** Columns without a header: their cells must be empty. */
  readonly nameless: readonly number[]
}

interface WantedColumns {
  readonly map: ColumnMap
  /** The header of the key column; null: `key`, if there is such a column. */
  readonly keyColumn: string | null
  /** True if each row names its own fields: a line of NDJSON. */
  readonly anyFields: boolean
  /** The row of the header; 1 by default. */
  readonly row?: number
  readonly contract?: RowContract | undefined
}

interface HeaderComplaint {
  readonly complaint: Complaint
  readonly isStranger: boolean
  /** The required field that no column gives; null for another complaint. */
  readonly missing: string | null
}

/** A layout, as far as the header allows it, and everything that is wrong with the header. */
interface DrawnLayout {
  readonly layout: ColumnLayout
  readonly complaints: readonly HeaderComplaint[]
  /** Fields about which the rows do not complain once more: they are missing, or have a wrong constant. */
  readonly wrongFields: ReadonlySet<string>
}

export function isKeyHeader(header: string, keyColumn: string | null): boolean {
  return keyColumn === null ? /^(?:--)?key$/i.test(header.trim()) : header === keyColumn
}

/** Follows the complaint about an unknown column in a file without keys. */
const orTheKey = '--key-column can make it the key, '

export function layoutOf(headers: readonly string[], wanted: WantedColumns): DrawnLayout {
  const { map, keyColumn, anyFields, row = 1, contract = payoutRows } = wanted
  const strange = `is not a field of ${contract.noun}`
  const complaints: HeaderComplaint[] = []
  const wrongFields = new Set<string>()
  const fields: FieldCells[] = []
  const constants: Record<string, string> = {}
  const nameless: number[] = []
  const joined = [...map.joins.values()].flatMap(({ columns }) => columns)
  const keys = headers.filter((header) => isKeyHeader(header, keyColumn))

  const complain = (header: string, message: string, at: number | null = null, isStranger = false) => {
    const complaint = complaintAt({ row, column: at === null ? null : at + 1, header }, message)
    complaints.push({ complaint, isStranger, missing: null })
  }
  const miss = (field: string, message: string) => {
    complaints.push({ complaint: complaintAt({ row, header: field }, message), isStranger: false, missing: field })
    wrongFields.add(field)
  }
  const give = (name: string, header: string, cells: readonly number[], between = '') => {
    const taken = fields.some((each) => each.name === name) || Object.hasOwn(constants, name)
    const at = cells.length === 1 ? (cells[0] ?? null) : null
    if (taken) complain(header, `gives ${name}, which another column already gives`, at)
    else fields.push({ name, cells, between })
  }

  for (const [name, typed] of map.constants) {
    const field = contract.fieldOf(name)
    const { value, why } = field ? checkValue(contract, field, typed) : { value: typed, why: strange }
    const given = field?.name ?? name
    if (why !== null) {
      complain(name, `${why} (a constant of --map)`)
      wrongFields.add(given)
    }
    if (Object.hasOwn(constants, given)) complain(name, `gives ${given}, which another constant gives already`)
    constants[given] = value
  }
  for (const [name, { columns, between }] of map.joins) {
    const field = contract.fieldOf(name)
    const cells = columns.map((part) => headers.indexOf(part)).filter((at) => at >= 0)
    if (field) give(field.name, name, cells, between)
    else complain(name, `${strange} (joined by --map)`)
  }
  for (const name of map.ignored) {
    if (map.columns.has(name) || joined.includes(name)) complain(name, 'is both ignored and read by --map')
    else if (keyColumn === null && headers.includes(name) && isKeyHeader(name, null)) {
      complain(name, 'is the key of the rows, but --map ignores it: name the key with --key-column')
    }
  }
  const [key = '', ...otherKeys] = keys
  for (const other of otherKeys) complain(other, `is the key of the rows, which ${key} is already`)
  if (keyColumn === null && (map.columns.has(key) || joined.includes(key))) {
    complain(key, 'is the key of the rows, but --map reads it as a field: name the key with --key-column')
  }

  const readColumn = (header: string, at: number) => {
    const first = headers.findIndex((each) => each.trim() === header.trim())
    if (header.trim() === '') return nameless.push(at)
    if (first < at) return complain(header, `is already in column ${first + 1}`, at)
    const mapped = map.columns.get(header)
    const isRead = joined.includes(header) || map.ignored.has(header) || header.startsWith(ownColumnPrefix)
    if (mapped === undefined && isRead) return
    const field = contract.fieldOf(mapped ?? header)
    if (field) return give(field.name, header, [at])
    if (mapped !== undefined) return complain(header, `is mapped to "${mapped}", which ${strange}`, at)
    if (isKeyHeader(header, keyColumn)) return
    if (/^(--)?unique-?id$/i.test(header.trim())) {
      return complain(header, 'cannot come from a file: --key-column names the column of your own ids', at)
    }
    const damage = textDamage(header)
    if (damage !== null) return complain(header, damage, at)
    const help = keys.length === 0 && contract === payoutRows ? orTheKey : ''
    complain(header, `${strange}: ${help}--map can give it a field, or ignore it`, at, true)
  }
  for (const [at, header] of headers.entries()) readColumn(header, at)

  if (!anyFields) {
    for (const name of new Set([...map.columns.keys(), ...joined])) {
      if (!headers.includes(name)) complain(name, 'is named by --map, but the file has no such column')
    }
    if (keyColumn !== null && !headers.includes(keyColumn)) {
      complain(keyColumn, 'is named by --key-column, but the file has no such column')
    }
    const given = new Set([...fields.map(({ name }) => name), ...Object.keys(constants)])
    for (const { name, required } of contract.fields) {
      if (required && !given.has(name)) miss(name, 'is required, but the file has no such column')
    }
    if (!given.has('toIban') && !given.has('receiverId')) {
      miss('toIban', 'or receiverId with receiverType is required, but the file has no such column')
    }
  }
  const keyAt = keys.length === 0 ? null : headers.indexOf(key)
  return { layout: { headers, fields, constants, nameless, keyAt }, complaints, wrongFields }
}

/** True for a header that names a field, or a column that `options` name. */
export function knownHeader({
  map,
  keyColumn,
  contract = payoutRows,
}: Pick<WantedColumns, 'keyColumn' | 'contract'> & { readonly map: ColumnMap | null }) {
  const { columns, joins, ignored } = map ?? noMap
  const joined = new Set([...joins.values()].flatMap((join) => join.columns))
  return (header: string): boolean =>
    contract.fieldOf(header) !== null ||
    columns.has(header) ||
    joined.has(header) ||
    ignored.has(header) ||
    isKeyHeader(header, keyColumn) ||
    header.startsWith(ownColumnPrefix)
}

/** Adds the name that was probably meant to the complaint about an unknown column. */
export async function suggestColumn<Read extends BatchRow | Complaint>(
  read: Read,
  contract = payoutRows,
): Promise<Read> {
  if (read.kind !== 'complaint' || !read.message.includes(`is not a field of ${contract.noun}`)) return read
  const names = [...contract.fields.map(({ name }) => name), 'key']
  const [, mapped] = /^is mapped to "([^"]*)"/.exec(read.message) ?? []
  const meant = orMeant(mapped ?? read.header ?? '', names)
  // The mistyped name of a field is no key.
  return { ...read, message: `${meant === '' ? read.message : read.message.replace(orTheKey, '')}${meant}` }
}

const mostNamed = 5

/**
 * The complaints about a header, with the names that were probably meant. A mistyped field is not reported as missing, too. Several
 * unknown columns and missing fields make one complaint.
 */
export async function headerComplaints(
  { complaints }: DrawnLayout,
  row: number,
  contract = payoutRows,
): Promise<readonly Complaint[]> {
  const told: (HeaderComplaint & { readonly meant: string | null })[] = []
  for (const each of complaints) {
    const complaint = await suggestColumn(each.complaint, contract)
    const [, meant = null] = /; did you mean (\w{1,40})\?$/.exec(complaint.message) ?? []
    told.push({ ...each, complaint, meant })
  }
  const mistyped = new Set(told.map(({ meant }) => meant))
  const others = told.filter(({ missing }) => missing === null || !mistyped.has(missing))
  const isUnknown = ({ isStranger, meant }: (typeof told)[number]) => isStranger && meant === null
  const strangers = others.filter(isUnknown).map(({ complaint }) => complaint.header ?? '')
  const missing = others.flatMap((each) => each.missing ?? [])
  if (strangers.length <= 1 && missing.length <= 1) return others.map(({ complaint }) => complaint)
  const single = others.filter((each) => each.missing === null && !isUnknown(each)).map(({ complaint }) => complaint)
  return [...single, complaintAt({ row }, inOne(strangers, missing, contract))]
}

function inOne(strangers: readonly string[], missing: readonly string[], contract: typeof payoutRows): string {
  const named = strangers.slice(0, mostNamed).map((each) => `"${each}"`)
  const more = strangers.length > named.length ? ` and ${strangers.length - named.length} more` : ''
  const unknown = named.length === 0 ? [] : [`${named.join(', ')}${more}: no field of ${contract.noun}`]
  const lacking = missing.length === 0 ? [] : [`no column for ${missing.join(', ')}`]
  const suggested = contract === payoutRows ? '; `paydesk batch check --suggest-map` drafts one' : ''
  const help = `name the columns with --map${suggested}`
  return `has ${[...lacking, ...unknown].join('; ')}; ${help}`
}
