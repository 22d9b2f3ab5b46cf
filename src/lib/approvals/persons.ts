/** The persons of a store, as their signatures prove them: an administrator has added each, the first one itself. */
import type { Clock, Random } from '../edge.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { Store } from '../store/engine/store.ts'
import { personsIn } from '../store/journal/approvals.ts'
import { damagedRow } from '../store/journal/intents.ts'
import type { JournalReader, JournalTables, JournalWriter, PersonRow } from '../store/journal/schema.ts'
import { isSignedBy, type Statement } from './signatures.ts'

export const personRoles = ['administrator', 'member'] as const

export function isAdministrator({ role }: Pick<PersonRow, 'role'>): boolean {
  return role === personRoles[0]
}

export function additionOf(
  row: Pick<PersonRow, 'id' | 'name' | 'public_key' | 'role' | 'added_by' | 'added_at'>,
): Statement<'person'> {
  const { id, name, public_key, role, added_by, added_at } = row
  return { person: id, name, publicKey: public_key, role, by: added_by, at: added_at }
}

export function revocationOf(
  row: Pick<PersonRow, 'id' | 'public_key'>,
  by: string,
  at: string,
): Statement<'revocation'> {
  return { person: row.id, publicKey: row.public_key, by, at }
}

export class ProvenPersons {
  readonly all: readonly PersonRow[]
  readonly #byId: ReadonlyMap<string, PersonRow>

  constructor(rows: readonly PersonRow[]) {
    this.all = rows
    this.#byId = new Map(rows.map((row) => [row.id, row]))
  }

  /** Null for a person who is not known, or revoked. */
  active(id: string): PersonRow | null {
    const row = this.#byId.get(id)
    return row && row.revoked_at === null ? row : null
  }

  ofKey(publicKey: string): PersonRow | null {
    return this.all.find(({ public_key, revoked_at }) => public_key === publicKey && revoked_at === null) ?? null
  }

  /** Or was one: what they signed then stands. */
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

/** Throws credentials (4). */
export function requirePerson(persons: ProvenPersons, publicKey: string): PersonRow {
  const person = persons.ofKey(publicKey)
  if (person) return person
  throw new Failure('credentials', 'this key belongs to no person in the store', {
    moneyMoved: 'no',
    hints: [
      hint`\`${paste('team key list')}\` lists the persons. An administrator can add you: \`${paste('team key add', 'you', '--public-key', publicKey)}\`.`,
    ],
  })
}

export function requireAdministrator(persons: ProvenPersons, publicKey: string): PersonRow {
  const person = requirePerson(persons, publicKey)
  if (isAdministrator(person)) return person
  throw new Failure('credentials', `${person.name} is not an administrator, and only an administrator may sign this`, {
    moneyMoved: 'no',
    hints: [hint`\`${paste('team key list')}\` lists the administrators.`],
  })
}

export class ActingStore {
  readonly store: Store<JournalTables>
  readonly #clock: Clock
  readonly #random: Random

  constructor(store: Store<JournalTables>, clock: Clock, random: Random) {
    this.store = store
    this.#clock = clock
    this.#random = random
  }

  get now(): number {
    return this.#clock.now()
  }

  get iso(): string {
    return new Date(this.now).toISOString()
  }

  /** The id of a new row, and the chance in its digest. */
  newName(letter: string): { readonly id: string; readonly salt: string } {
    const drawn = this.#random.uuid().replaceAll('-', '')
    return { id: `${letter}-${drawn.slice(0, 12)}`, salt: drawn.slice(12) }
  }

  /** A transaction that begins something: not from an older paydesk. */
  change<Result>(work: (db: JournalWriter) => Promise<Result>): Promise<Result> {
    return this.store.write(async (db) => {
      if (this.store.outdated) throw this.store.outdated
      return work(db)
    })
  }
}

const longest = 200

/** Throws usage (2) for a line end in the words, or what no terminal shows. */
export function plainWords(text: string, what: string): string {
  const words = text.trim().normalize('NFC')
  if (words.length > longest) throw new Failure('usage', `${what} may have ${longest} characters at most`)
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(words))
    throw new Failure('usage', `${what} must be one line of plain text`)
  return words
}
