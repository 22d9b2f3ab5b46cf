/** Things of the journal, page by page, each with what was sent about it. */
import { writesAbout } from '../contract/operations.ts'
import { type Intent, idAtService, isOf } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import { kinds, type ListedSubject } from './kinds.ts'
import type { ListedThing } from './row.ts'
import type { ListWish } from './wish.ts'

export type ListedJournal = Pick<Journal, 'list'>

/** A clock that was set back puts what was sent later before what it is about. */
const margin = 86_400_000

function nameOf(intent: Intent): string {
  const { serviceId, environment, clientId } = intent
  return JSON.stringify([serviceId, environment, clientId, idAtService(intent)])
}

function changes(subject: ListedSubject) {
  const { creation } = kinds[subject]
  return writesAbout(subject).filter((each) => each.name !== creation.name)
}

/** The same creations with everything that was sent about what they made. */
async function withWrites(journal: ListedJournal, subject: ListedSubject, created: readonly Intent[]) {
  const operations = changes(subject)
  const oldest = created.at(-1)
  const others = new Map<string, Intent[]>()
  if (oldest && operations.length > 0) {
    const since = new Date(Date.parse(oldest.openedAt) - margin).toISOString()
    for (const write of await journal.list({ operations, since })) {
      const name = nameOf(write)
      others.set(name, [...(others.get(name) ?? []), write])
    }
  }
  return created.map(
    (each): ListedThing => ({
      created: each,
      writes: [each, ...(others.get(nameOf(each)) ?? [])],
      read: null,
    }),
  )
}

/** Things of a kind that were made as the wish says, the newest first, in pages of `size`. */
export async function* thingsOf(
  journal: ListedJournal,
  { subject, profile, since, until, key }: ListWish,
  size: number,
): AsyncGenerator<readonly ListedThing[]> {
  let after: { readonly opened_at: string; readonly id: string } | undefined
  for (;;) {
    const page = await journal.list({
      operations: [kinds[subject].creation],
      limit: size,
      ...(profile === null ? {} : { profile }),
      ...(since === null ? {} : { since }),
      ...(until === null ? {} : { until }),
      ...(key === null || key.endsWith('*') ? {} : { businessKeys: [key] }),
      ...(after ? { after } : {}),
    })
    if (page.length > 0) yield await withWrites(journal, subject, page)
    const last = page.at(-1)
    if (page.length < size || !last) return
    after = { opened_at: last.openedAt, id: last.journalId }
  }
}

/** The same things as the journal knows them by now. */
export async function knownNow(
  journal: ListedJournal,
  subject: ListedSubject,
  things: readonly ListedThing[],
): Promise<readonly ListedThing[]> {
  const uniqueIds = things.map(({ created }) => created.uniqueId)
  const found = await journal.list({ operations: [kinds[subject].creation], uniqueIds })
  const byId = new Map(found.map((intent) => [intent.journalId, intent]))
  const created = things.map((thing) => byId.get(thing.created.journalId) ?? thing.created)
  const told = await withWrites(journal, subject, created)
  return told.map((thing, at) => ({ ...thing, read: things[at]?.read ?? null }))
}

/** Writes of unknown outcome about things that this journal did not make: no row tells of them. */
export async function openElsewhere(journal: ListedJournal, { subject, profile }: ListWish): Promise<number> {
  const operations = changes(subject)
  if (operations.length === 0) return 0
  const open = await journal.list({ operations, states: ['unknown'], ...(profile === null ? {} : { profile }) })
  if (open.length === 0) return 0
  const creations = await journal.list({
    operations: [kinds[subject].creation],
    uniqueIds: [...new Set(open.map(idAtService))],
  })
  const made = new Set(creations.filter((each) => isOf(each, kinds[subject].creation)).map(nameOf))
  return open.filter((each) => !made.has(nameOf(each))).length
}
