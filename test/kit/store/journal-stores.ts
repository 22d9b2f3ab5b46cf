/** Stores for the journal's tests: in memory, or in Postgres where the same tests run once more on that engine. */
import { onTestFinished } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import type { Store } from '../../../src/lib/store/engine/store.ts'
import { type JournalTables, journalSchema } from '../../../src/lib/store/journal/schema.ts'
import { openTeam } from '../../../src/lib/store/team/schema.ts'
import { memoryStore } from './memory.ts'
import { postgresServer } from './postgres.ts'

/** True if every store has a way to go: a property is tried less often. */
export const isOnServer = process.env.PAYDESK_TEST_STORE === 'postgres'

/** Called at the beginning of a test file; gives what makes an empty store. */
export function journalStores(): () => Promise<Store<JournalTables>> {
  if (!isOnServer) return () => memoryStore<JournalTables>(journalSchema)
  const server = postgresServer()
  return async () => {
    const store = await openTeam<JournalTables>(await server.newAddress(), {
      machine: realClock,
    })
    onTestFinished(() => store.close())
    return store
  }
}
