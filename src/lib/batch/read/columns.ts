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

/** The cells that make a field, and the text between them. */
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

/** A layout, as far as the header allows it, and everything that is wrong with the header. */
interface DrawnLayout {
  readonly layout: ColumnLayout
  readonly complaints: readonly Complaint[]
  /** The complaints about columns that no field has. */
  readonly strangers: ReadonlySet<Complaint>
  /** The complaints about missing fields, with the fields. */
  readonly missing: ReadonlyMap<Complaint, string>
  /** Constants with a wrong value: the rows do not repeat that complaint. */
  readonly wrongConstants: ReadonlySet<string>
}

/** The key column; null without one. */
function keyPlace(headers: readonly string[], keyColumn: string | null): number | null {
  const at = headers.findIndex((header) => isKeyHeader(header, keyColumn))
  return at < 0 ? null : at
}

export function isKeyHeader(header: string, keyColumn: string | null): boolean {
  return keyColumn === null ? /^(?:--)?key$/i.test(header.trim()) : header === keyColumn
}

/** Follows the complaint about an unknown column in a file without keys. */
const orTheKey = '--key-column can make it the key, '

/** Builds a layout, and collects what is wrong with it. */
class Drawing {
  readonly complaints: Complaint[] = []
  readonly fields: FieldCells[] = []
  readonly constants: Record<string, string> = {}
  readonly nameless: number[] = []
  readonly strangers = new Set<Complaint>()
  readonly missing = new Map<Complaint, string>()
  readonly wrongConstants = new Set<string>()
  readonly #headers: readonly string[]
  readonly #wanted: WantedColumns
  readonly #contract: RowContract

  constructor(headers: readonly string[], wanted: WantedColumns) {
    this.#headers = headers
    this.#wanted = wanted
    this.#contract = wanted.contract ?? payoutRows
  }

  get #strange(): string {
    return `is not a field of ${this.#contract.noun}`
  }

  #complain(header: string, message: string, at: number | null = null): Complaint {
    const column = at === null ? null : at + 1
    const complaint = complaintAt({ row: this.#wanted.row ?? 1, column, header }, message)
    this.complaints.push(complaint)
    return complaint
  }

  #give(name: string, header: string, cells: readonly number[], between = ''): void {
    const at = cells.length === 1 ? (cells[0] ?? null) : null
    const taken = this.fields.some((each) => each.name === name) || Object.hasOwn(this.constants, name)
    if (taken) this.#complain(header, `gives ${name}, which another column already gives`, at)
    else this.fields.push({ name, cells, between })
  }

  /** The constants and joins of the map. */
  mapped(): void {
    const { constants, joins } = this.#wanted.map
    for (const [name, typed] of constants) {
      const field = this.#contract.fieldOf(name)
      const { value, why } = field ? checkValue(this.#contract, field, typed) : { value: typed, why: this.#strange }
      if (why !== null) this.#complain(name, `${why} (a constant of --map)`)
      const given = field?.name ?? name
      if (why !== null) this.wrongConstants.add(given)
      if (Object.hasOwn(this.constants, given))
        this.#complain(name, `gives ${given}, which another constant gives already`)
      this.constants[given] = value
    }
    for (const [name, { columns, between }] of joins) {
      const field = this.#contract.fieldOf(name)
      const cells = columns.map((part) => this.#headers.indexOf(part)).filter((at) => at >= 0)
      if (field) this.#give(field.name, name, cells, between)
      else this.#complain(name, `${this.#strange} (joined by --map)`)
    }
  }

  /** Columns with two meanings. */
  contradictions(): void {
    const { map, keyColumn } = this.#wanted
    const joined = [...map.joins.values()].flatMap(({ columns }) => columns)
    for (const name of map.ignored) {
      if (map.columns.has(name) || joined.includes(name)) this.#complain(name, 'is both ignored and read by --map')
      else if (keyColumn === null && this.#headers.includes(name) && isKeyHeader(name, null)) {
        this.#complain(name, 'is the key of the rows, but --map ignores it: name the key with --key-column')
      }
    }
    const keys = this.#headers.filter((header) => isKeyHeader(header, keyColumn))
    for (const other of keys.slice(1)) this.#complain(other, `is the key of the rows, which ${keys[0]} is already`)
    const [key = ''] = keys
    if (keyColumn === null && (map.columns.has(key) || joined.includes(key))) {
      this.#complain(key, 'is the key of the rows, but --map reads it as a field: name the key with --key-column')
    }
  }

  column(header: string, at: number): void {
    const { map, keyColumn } = this.#wanted
    const first = this.#headers.findIndex((each) => each.trim() === header.trim())
    if (header.trim() === '') this.nameless.push(at)
    else if (first < at) this.#complain(header, `is already in column ${first + 1}`, at)
    else if (map.columns.has(header)) this.#renamed(header, at, map.columns.get(header) ?? '')
    else if ([...map.joins.values()].some(({ columns }) => columns.includes(header))) return
    else if (map.ignored.has(header) || header.startsWith(ownColumnPrefix)) return
    else this.#plain(header, at, isKeyHeader(header, keyColumn))
  }

  #unknownColumn(): string {
    const { keyColumn } = this.#wanted
    const hasKey = this.#headers.some((header) => isKeyHeader(header, keyColumn))
    const mayBeKey = !hasKey && this.#contract === payoutRows
    return `${this.#strange}: ${mayBeKey ? orTheKey : ''}--map can give it a field, or ignore it`
  }

  #renamed(header: string, at: number, to: string): void {
    const field = this.#contract.fieldOf(to)
    if (field) this.#give(field.name, header, [at])
    else this.#complain(header, `is mapped to "${to}", which ${this.#strange}`, at)
  }

  #plain(header: string, at: number, isKey: boolean): void {
    const field = this.#contract.fieldOf(header)
    if (field) this.#give(field.name, header, [at])
    else if (isKey) return
    else if (/^(--)?unique-?id$/i.test(header.trim())) {
      this.#complain(header, 'cannot come from a file: --key-column names the column of your own ids', at)
    } else {
      const damage = textDamage(header)
      const complaint = this.#complain(header, damage ?? this.#unknownColumn(), at)
      if (damage === null) this.strangers.add(complaint)
    }
  }

  /** Columns that the command line names, and that the file lacks. */
  absent(): void {
    const { map, keyColumn } = this.#wanted
    const joined = [...map.joins.values()].flatMap(({ columns }) => columns)
    for (const name of new Set([...map.columns.keys(), ...joined])) {
      if (!this.#headers.includes(name)) this.#complain(name, 'is named by --map, but the file has no such column')
    }
    if (keyColumn !== null && !this.#headers.includes(keyColumn)) {
      this.#complain(keyColumn, 'is named by --key-column, but the file has no such column')
    }
  }

  /** Required fields that no column gives. */
  unfilled(): void {
    const given = new Set([...this.fields.map(({ name }) => name), ...Object.keys(this.constants)])
    for (const { name, required } of this.#contract.fields) {
      if (required && !given.has(name)) this.#miss(name, 'is required, but the file has no such column')
    }
    if (given.has('toIban') || given.has('receiverId')) return
    this.#miss('toIban', 'or receiverId with receiverType is required, but the file has no such column')
  }

  #miss(field: string, message: string): void {
    this.missing.set(this.#complain(field, message), field)
  }
}

/** The layout of a header, and everything that is wrong with the header. */
export function layoutOf(headers: readonly string[], wanted: WantedColumns): DrawnLayout {
  const drawing = new Drawing(headers, wanted)
  drawing.mapped()
  drawing.contradictions()
  for (const [at, header] of headers.entries()) drawing.column(header, at)
  if (!wanted.anyFields) {
    drawing.absent()
    drawing.unfilled()
  }
  const { fields, constants, nameless, complaints, strangers, missing, wrongConstants } = drawing
  const layout = { headers, fields, constants, nameless, keyAt: keyPlace(headers, wanted.keyColumn) }
  return { layout, complaints, strangers, missing, wrongConstants }
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
  const meant = await orMeant(mapped ?? read.header ?? '', names)
  // The mistyped name of a field is no key.
  return { ...read, message: `${meant === '' ? read.message : read.message.replace(orTheKey, '')}${meant}` }
}

/** Columns that one complaint names. */
const mostNamed = 5

/**
 * The complaints about a header, with the names that were probably meant. A mistyped field is not reported as missing, too. Several
 * unknown columns and missing fields make one complaint.
 */
export async function headerComplaints(
  drawn: DrawnLayout,
  row: number,
  contract = payoutRows,
): Promise<readonly Complaint[]> {
  const strangers: string[] = []
  const mistyped = new Set<string>()
  const told = new Map<Complaint, Complaint>()
  for (const each of drawn.complaints) {
    const meant = await suggestColumn(each, contract)
    told.set(each, meant)
    const [, name] = /; did you mean (\w{1,40})\?$/.exec(meant.message) ?? []
    if (name !== undefined) mistyped.add(name)
    else if (drawn.strangers.has(each)) strangers.push(each.header ?? '')
  }
  const missing = [...drawn.missing.values()].filter((field) => !mistyped.has(field))
  const areOne = strangers.length > 1 || missing.length > 1
  const isInOne = (each: Complaint) => {
    const field = drawn.missing.get(each)
    if (field !== undefined) return areOne || mistyped.has(field)
    return areOne && drawn.strangers.has(each) && told.get(each)?.message === each.message
  }
  const others = [...told].filter(([each]) => !isInOne(each)).map(([, meant]) => meant)
  return areOne ? [...others, complaintAt({ row }, inOne(strangers, missing, contract))] : others
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
