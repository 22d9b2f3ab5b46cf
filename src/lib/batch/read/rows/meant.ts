/** A name in a file that no field has: the complaint with the name that was meant, where one is near. */
import { orMeant } from '../../../nearest.ts'
import { type BatchRow, type Complaint, complaintAt } from '../row.ts'
import { type DrawnLayout, orTheKey } from './columns.ts'
import { payoutRows } from './contract.ts'

export async function meantColumn<Read extends BatchRow | Complaint>(read: Read, contract = payoutRows): Promise<Read> {
  if (read.kind !== 'complaint' || !read.message.includes(`is no field of ${contract.noun}`)) return read
  const names = [...contract.fields.map(({ name }) => name), 'key']
  const [, mapped] = /^is mapped to "([^"]*)"/.exec(read.message) ?? []
  const meant = await orMeant(mapped ?? read.header ?? '', names)
  // The name of a field that was mistyped is no key.
  return { ...read, message: `${meant === '' ? read.message : read.message.replace(orTheKey, '')}${meant}` }
}

/** Columns that are named in one complaint. */
const mostNamed = 5

/**
 * The complaints about a header, the names that were meant among them. A field that was only mistyped is not missing, too; several
 * columns that mean nothing, and several fields that no column gives, are one complaint.
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
    const meant = await meantColumn(each, contract)
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
  const suggested = contract === payoutRows ? ', and `paydesk batch check --suggest-map` writes a first one' : ''
  const help = `a --map says which column is which${suggested}`
  return `has ${[...lacking, ...unknown].join('; ')}; ${help}`
}
