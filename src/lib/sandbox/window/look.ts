/** The wishes of a visit: a section, words to search for, an entry. */
import { countsOf, type SearchedTable, type Words } from '../../store/sandbox/search.ts'
import type { ClockState } from '../clock/clock.ts'
import type { Fault } from '../faults/fault.ts'
import { type Names, namesOf } from '../log/entry.ts'
import type { Service } from '../service.ts'
import { receivers } from '../world/receiver.ts'
import { requestsSection } from './requests/requests.ts'
import { balancesSection } from './sections/balances.ts'
import { callbacksSection } from './sections/callbacks.ts'
import { cardsSection, subscriptionsSection } from './sections/cards.ts'
import { ordersSection } from './sections/orders.ts'
import { payoutsSection } from './sections/payouts.ts'
import type { Detail, Looking, Row, Section } from './sections/section.ts'
import { walletSection } from './sections/wallet.ts'

export const sections: readonly [Section, ...Section[]] = [
  requestsSection,
  payoutsSection,
  ordersSection,
  walletSection,
  cardsSection,
  subscriptionsSection,
  callbacksSection,
  balancesSection,
]

/** The section of what is done by hand: it lists nothing of the store. */
export const handName = 'clock-and-faults'

export interface PageQuery {
  readonly view: string
  readonly search: string
  readonly id: string | null
  /** A filter of the section, and the group of alike entries that lies open. */
  readonly only: string | null
  readonly unfold: string | null
}

export function wanted(query: URLSearchParams): PageQuery {
  const asked = query.get('view') ?? ''
  const known = asked === handName || sections.some(({ name }) => name === asked)
  const view = known ? asked : sections[0].name
  const filters = sections.find(({ name }) => name === view)?.filters ?? []
  const only = filters.find(({ name }) => name === query.get('only'))?.name ?? null
  return { view, search: (query.get('q') ?? '').trim(), id: query.get('id'), only, unfold: query.get('unfold') }
}

export interface PageState extends PageQuery {
  readonly section: Section | null
  readonly rows: readonly Row[]
  /** Null where no entry was asked for; `gone` where it is not there. */
  readonly detail: Detail | 'gone' | null
  /** The number of entries in each table that hold the words. */
  readonly counts: Readonly<Record<SearchedTable, number>>
  readonly clock: ClockState
  readonly faults: readonly Fault[]
}

/** More words than a person types: every one is looked for in every row. */
const mostWords = 8

/** A name stands for all identities that bear it: rows hold identities. */
function wordsOf(search: string, names: Names): Words {
  const identities = [...names, ...receivers.map(({ receiverId, name }) => [receiverId, name] as const)]
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return words.slice(0, mostWords).map((word) => {
    return [word, ...identities.filter(([, name]) => name.toLowerCase().includes(word)).map(([identity]) => identity)]
  })
}

/** `base` is the address of the sandbox, as the visitor has it. */
export async function see(sandbox: Service, asked: PageQuery, base: string): Promise<PageState> {
  const section = sections.find(({ name }) => name === asked.view) ?? null
  const faults = await sandbox.faults.list()
  const clock = await sandbox.clock()
  return await sandbox.look(async (db, now) => {
    const names = await namesOf(db)
    const { only, unfold } = asked
    const looking: Looking = { db, now, names, only, unfold, base, words: wordsOf(asked.search, names) }
    const rows = section ? await section.rows(looking) : []
    const found = asked.id === null || !section?.detail ? null : await section.detail(looking, asked.id)
    const detail = found ?? (asked.id === null || !section?.detail ? null : 'gone')
    return { ...asked, section, rows, detail, counts: await countsOf(db, looking.words), clock, faults }
  })
}
