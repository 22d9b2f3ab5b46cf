/** A small store of notes for the tests of stores, and how often it was committed. Knows no test runner. */
import { type Kysely, sql } from 'kysely'
import { type OpenSettings, openStore } from '../../src/lib/store/engine/sqlite.ts'
import type { Schema, Store } from '../../src/lib/store/engine/store.ts'

export interface Notes {
  notes: { text: string }
}

export const notesSchema: Schema = {
  title: 'the notebook',
  version: 1,
  tables: ['create table notes (text text not null)'],
}

export function openNotes(path: string, settings: OpenSettings = {}, schema = notesSchema): Promise<Store<Notes>> {
  return openStore<Notes>(path, schema, settings)
}

export function write(store: Store<Notes>, text: string): Promise<unknown> {
  return store.write((db) => db.insertInto('notes').values({ text }).execute())
}

export function notesIn(store: Store<Notes>): Promise<string[]> {
  return store.read(async (db) => {
    const rows = await db.selectFrom('notes').select('text').orderBy('text').execute()
    return rows.map(({ text }) => text)
  })
}

export function commitsOf(store: Store<Notes>): Promise<number> {
  return store.read(async (db) => {
    const found = await sql<{ commits: number }>`select commits from paydesk_store`.execute(db as Kysely<Notes>)
    return found.rows[0]?.commits ?? -1
  })
}

/** Reads twice what is there, while another store of the same notes adds to it in between: both must tell the same. */
export function readTwice(reader: Store<Notes>, other: Store<Notes>): Promise<readonly (readonly string[])[]> {
  return reader.read(async (db) => {
    const texts = async () => (await db.selectFrom('notes').select('text').execute()).map(({ text }) => text)
    const before = await texts()
    await write(other, 'meanwhile')
    return [before, await texts()]
  })
}
