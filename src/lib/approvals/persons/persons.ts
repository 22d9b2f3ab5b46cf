/** The persons of a store, as their signatures prove them: each was added by an administrator, the first one by itself. */
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { personsIn } from '../../store/journal/approvals.ts'
import { damagedRow } from '../../store/journal/intents.ts'
import type { JournalReader, PersonRow } from '../../store/journal/schema.ts'
import { isSignedBy } from './person-key.ts'
import type { Statement } from './signed.ts'

export const personRoles = ['administrator', 'member'] as const

export function isAdministrator({ role }: Pick<PersonRow, 'role'>): boolean {
  return role === personRoles[0]
}

/** The statement that adds a person. */
export function additionOf(
  row: Pick<PersonRow, 'id' | 'name' | 'public_key' | 'role' | 'added_by' | 'added_at'>,
): Statement<'person'> {
  const { id, name, public_key, role, added_by, added_at } = row
  return { person: id, name, publicKey: public_key, role, by: added_by, at: added_at }
}

/** The statement that revokes one. */
export function revocationOf(
  row: Pick<PersonRow, 'id' | 'public_key'>,
  by: string,
  at: string,
): Statement<'revocation'> {
  return { person: row.id, publicKey: row.public_key, by, at }
}

/** Persons whose signatures were looked at. */
export class ProvenPersons {
  readonly all: readonly PersonRow[]
  readonly #byId: ReadonlyMap<string, PersonRow>

  constructor(rows: readonly PersonRow[]) {
    this.all = rows
    this.#byId = new Map(rows.map((row) => [row.id, row]))
  }

  /** One who may act: null for a person who is not known, or revoked. */
  active(id: string): PersonRow | null {
    const row = this.#byId.get(id)
    return row && row.revoked_at === null ? row : null
  }

  /** The one whose key it is. */
  ofKey(publicKey: string): PersonRow | null {
    return this.all.find(({ public_key, revoked_at }) => public_key === publicKey && revoked_at === null) ?? null
  }

  /** One who is an administrator, or was: what they signed then stands when they have gone. */
  administrator(id: string): PersonRow | null {
    const row = this.#byId.get(id)
    return row && isAdministrator(row) ? row : null
  }

  nameOf(id: string): string {
    return this.#byId.get(id)?.name ?? id
  }
}

/** Throws bug (1) where a person was put in, or changed, without an administrator's signature. */
export async function provenPersons(db: JournalReader): Promise<ProvenPersons> {
  const rows = await personsIn(db)
  const persons = new ProvenPersons(rows)
  for (const row of rows) if (!isProven(row, rows, persons)) throw damagedRow(`the person ${row.id}`)
  return persons
}

function isProven(row: PersonRow, rows: readonly PersonRow[], persons: ProvenPersons): boolean {
  const isFirst = row.added_by === row.id
  // Only one may stand for itself.
  if (isFirst && rows.some((other) => other.id !== row.id && other.added_by === other.id)) return false
  const by = persons.administrator(row.added_by)
  if (!by || !isSignedBy(by.public_key, 'person', additionOf(row), row.signature)) return false
  if (row.revoked_at === null) return true
  const end = persons.administrator(row.revoked_by ?? '')
  const statement = revocationOf(row, row.revoked_by ?? '', row.revoked_at)
  return end !== null && isSignedBy(end.public_key, 'revocation', statement, row.revocation ?? '')
}

/** The person whose key it is. Throws credentials (4). */
export function requirePerson(persons: ProvenPersons, publicKey: string): PersonRow {
  const person = persons.ofKey(publicKey)
  if (person) return person
  throw new Failure('credentials', 'this key is that of no person in the store', {
    moneyMoved: 'no',
    hints: [
      hint`\`${paste('team key list')}\` shows the persons. An administrator adds you: \`${paste('team key add', 'you', '--public-key', publicKey)}\`.`,
    ],
  })
}

/** The same of an administrator. */
export function requireAdministrator(persons: ProvenPersons, publicKey: string): PersonRow {
  const person = requirePerson(persons, publicKey)
  if (isAdministrator(person)) return person
  throw new Failure('credentials', `${person.name} is no administrator: this is signed by one`, {
    moneyMoved: 'no',
    hints: [hint`\`${paste('team key list')}\` shows who is.`],
  })
}
