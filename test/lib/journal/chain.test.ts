/** The head of a journal that two processes write to. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPayout } from '../../../src/lib/contract/payout/payout.ts'
import { judge } from '../../../src/lib/desk/unpaid-end.ts'
import { realClock, realRandom } from '../../../src/lib/edge.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import { thisProcess } from '../../../src/lib/journal/lease.ts'
import type { Profile } from '../../../src/lib/profile/profile.ts'
import { openStore } from '../../../src/lib/store/engine/sqlite.ts'
import { type JournalTables, journalSchema } from '../../../src/lib/store/journal/schema.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'
import { intent } from '../../kit/store.ts'

const profile: Profile = {
  ...{ name: 'acme', environment: 'live', part: 'payouts', clientId: 'c' },
  ...{ service: 'https://service.example', serviceId: 'https://service.example', baseUrl: 'https://service.example' },
  ...{ seal: null, permits: new Set<never>(), orderType: null, duplicateGuard: 'off', limits: [], transport: {} },
  clientSecret: () => Promise.reject(new Error('nothing is sent')),
}

async function twoJournals() {
  const path = join(temporaryDirectory('head'), 'journal.db')
  const open = async () =>
    new Journal(await openStore<JournalTables>(path, journalSchema), realClock, realRandom, thisProcess())
  const [own, other] = [await open(), await open()]
  const written = () => other.payees.add('hand', { name: 'Nino Beridze', account: 'GE29NB0000000101904917' })
  return { own, other, written }
}

test('what another process writes is covered by the head of the moment, not by that of before', async () => {
  const { own, other, written } = await twoJournals()
  expect(await own.headNow()).toBeNull()
  await written()
  expect(own.head).toBeNull()
  expect(await own.headNow()).toMatch(/^1-[0-9a-f]{24}$/)
  expect(own.head).toBe(other.head)
})

test('the receipt of what another process recorded is covered by its head', async () => {
  const { own, other, written } = await twoJournals()
  await written()
  const taken = { intent: intent({ state: 'accepted' }), replayed: true, warnings: [] }
  await judge({ journal: own, profile }, createPayout, taken)
  expect(own.head).toBe(other.head)
})
