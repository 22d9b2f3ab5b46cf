/**
 * The intents that a name stands for. An id goes before a key of the same text, whatever is newer; `id:` or `key:`
 * before a name says which it is.
 */
import { isUuid, normalId } from '../contract/core/text.ts'
import { writesAbout } from '../contract/operations.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { type Intent, idAtService, type JournalFilter } from './intent.ts'
import type { Journal } from './journal.ts'

export interface Name {
  readonly text: string
  readonly mayBe: 'id' | 'key' | 'either'
}

export interface NameMatch {
  /** Null where there are none; the journal's own id counts as an id. */
  readonly by: 'id' | 'key' | null
  /** The newest first. */
  readonly intents: readonly Intent[]
}

export function nameIn(typed: string): Name {
  const [, kind, text] = /^(id|key):(.+)$/s.exec(typed) ?? []
  if (text === undefined) return { text: typed, mayBe: 'either' }
  return { text, mayBe: kind === 'id' ? 'id' : 'key' }
}

export function isJournalId(text: string): boolean {
  return /^j-[0-9a-f]{12}$/i.test(text)
}

/** By the journal's id, the service's, or a key, in this order. */
export function matchName(intents: readonly Intent[], { text, mayBe }: Name): NameMatch {
  const id = normalId(text)
  const own = intents.filter(({ journalId }) => journalId === text.toLowerCase())
  const ids = (intent: Intent) => [intent.uniqueId, intent.transactionId, idAtService(intent)]
  const found = own.length > 0 ? own : intents.filter((intent) => ids(intent).includes(id))
  if (mayBe !== 'key' && found.length > 0) return { by: 'id', intents: found }
  const keyed = mayBe === 'id' ? [] : intents.filter(({ idempotencyKey }) => idempotencyKey === text)
  return { by: keyed.length > 0 ? 'key' : null, intents: keyed }
}

export async function findByName(
  journal: Pick<Journal, 'list'>,
  typed: string,
  filter: JournalFilter = {},
): Promise<NameMatch> {
  const name = nameIn(typed)
  const id = isJournalId(name.text) ? name.text.toLowerCase() : normalId(name.text)
  const filters = [{ named: id }, ...(id === name.text ? [] : [{ named: name.text }]), { mayName: id }]
  const lists = await Promise.all(filters.map((each) => journal.list({ ...filter, ...each })))
  const found = [...new Map(lists.flat().map((intent) => [intent.journalId, intent])).values()]
  return matchName(
    found.toSorted((one, other) => Date.parse(other.openedAt) - Date.parse(one.openedAt)),
    name,
  )
}

/**
 * For players of the sandbox, which knows neither keys nor journal ids; the name itself where the journal knows none.
 * Throws usage (2).
 */
export async function findOrderId(journal: () => Promise<Journal>, name: string, worldId: string): Promise<string> {
  const typed = name.trim()
  if (isUuid(typed)) return typed
  const { intents } = await findByName(await journal(), typed, { operations: writesAbout('order') })
  // A key of another world, or of a live service, stands for another order.
  const ofWorld = intents.filter(({ service }) => service === `sandbox:${worldId}`)
  const ofTests = intents.filter(({ environment }) => environment === 'test')
  const ids = [...new Set((ofWorld.length > 0 ? ofWorld : ofTests).map(idAtService))]
  if (ids.length <= 1) return ids[0] ?? typed
  throw new Failure('usage', `${ids.length} orders have the key ${typed}`, {
    hints: [hint`Name it by its integratorOrderId: ${ids.join(', ')}.`],
  })
}

/** The intents of a filter, the newest first, in pages of `size`. */
export async function* readPages(
  journal: Pick<Journal, 'list'>,
  filter: JournalFilter,
  size: number,
): AsyncGenerator<readonly Intent[]> {
  let wanted: JournalFilter = { ...filter, limit: size }
  for (;;) {
    const page = await journal.list(wanted)
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (page.length < size || !last) return
    // `until` says the same as `after`, in the form for which the store has an index: times are text, and a longer one is later.
    wanted = { ...wanted, until: `${last.openedAt}+`, after: { opened_at: last.openedAt, id: last.journalId } }
  }
}
