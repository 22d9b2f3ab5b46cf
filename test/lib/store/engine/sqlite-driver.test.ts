/** Statements are kept, and a table may get other columns meanwhile: from a newer paydesk, or from another program. */
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../../../src/lib/store/engine/store.ts'
import { type Notes, openNotes, write } from '../../../kit/notes.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'

const ways = {
  'by itself': (store: Store<Notes>) => store.ask((db) => db.selectFrom('notes').selectAll().execute()),
  'in a transaction that reads': (store: Store<Notes>) =>
    store.read((db) => db.selectFrom('notes').selectAll().execute()),
  'in a transaction that writes': (store: Store<Notes>) =>
    store.write(async (db) => {
      await sql`update notes set text = text`.execute(db)
      return db.selectFrom('notes').selectAll().execute()
    }),
}

test.each(Object.entries(ways))(
  'a value stands under the name of its column as it is now, read %s',
  async (_, read) => {
    const path = join(temporaryDirectory('store'), 'notes.db')
    const store = await openNotes(path)
    onTestFinished(() => store.close())
    await write(store, 'milk')
    expect(await read(store)).toEqual([{ text: 'milk' }])
    const other = new DatabaseSync(path)
    other.exec(`begin; create table newer (author text, text text); insert into newer select 'Nino', text from notes;
    drop table notes; alter table newer rename to notes; commit`)
    expect(await read(store)).toEqual([{ author: 'Nino', text: 'milk' }])
    other.exec(`begin; create table newer (text text, author text); insert into newer select text, author from notes;
    drop table notes; alter table newer rename to notes; commit`)
    other.close()
    expect(await read(store)).toEqual([{ author: 'Nino', text: 'milk' }])
  },
)
