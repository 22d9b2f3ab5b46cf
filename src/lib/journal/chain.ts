/**
 * The journal's hash chain: its head as receipts print it (96 bits of the hash), and the journal held against the chain
 * and against a head that was kept.
 */
import { Failure } from '../failure.ts'
import type { ResultOf } from '../result.ts'
import { type ChainHead, headOf } from '../store/chain/chain.ts'
import { type ChainFinding, type ChainReading, sqliteReading, verifyChain } from '../store/chain/verify.ts'
import type { Store } from '../store/engine/store.ts'
import { rowDigest } from '../store/journal/digest.ts'
import { chained, type JournalTables } from '../store/journal/schema.ts'
import type { verifiedJournalResult } from './result.ts'

const digits = 24

/** "4712-9f3c1a2b4d5e6f7081920304". */
export function formatHead({ links, hash }: ChainHead): string {
  return `${links}-${hash.slice(0, digits)}`
}

export class JournalHead {
  readonly #store: Pick<Store<JournalTables>, 'head' | 'ask'>
  #seen: ChainHead | null = null

  constructor(store: Pick<Store<JournalTables>, 'head' | 'ask'>) {
    this.#store = store
  }

  /** A store that has lost links holds less than was seen of it: the longest counts. */
  get known(): string | null {
    const { head: own } = this.#store
    const newest = (own?.links ?? 0) >= (this.#seen?.links ?? 0) ? own : this.#seen
    return newest && formatHead(newest)
  }

  async now(): Promise<string | null> {
    this.#seen = await this.#store.ask(headOf)
    return this.known
  }
}

/** `hash`: its beginning. Throws usage (2). */
export function parseHead(typed: string): ChainHead {
  const [, links, hash] = /^([1-9]\d{0,14})-([0-9a-f]{24})$/.exec(typed.trim().toLowerCase()) ?? []
  if (links !== undefined && hash !== undefined) return { links: Number(links), hash }
  throw new Failure(
    'usage',
    `--head takes a head as a receipt prints it, like 12-9f3c1a2b4d5e6f7081920304, not "${typed}"`,
  )
}

export type VerifiedJournal = ResultOf<typeof verifiedJournalResult>
type Finding = VerifiedJournal['findings'][number]

/** Of more findings only the number is told. */
const query = { tables: chained, digestOf: rowDigest, mostTold: 1000 }

/** `kept`: a head of a receipt or report. Rejects with the signal's reason when that fires first. */
export async function verifyJournal(
  store: Store<JournalTables>,
  kept: ChainHead | null,
  signal: AbortSignal,
  /** Null for that of a file. */
  reading: ChainReading | null = null,
): Promise<VerifiedJournal> {
  let found: ChainHead | null = null
  const seen = (link: ChainHead) => {
    if (link.links === kept?.links) found = link
  }
  const verified = await store.lend((db) => verifyChain(db, reading ?? sqliteReading, { ...query, seen, signal }))
  const { rows, seals, count, first } = verified
  const ofHead = kept === null ? [] : compareHead(kept, found, verified.head)
  return {
    intact: count + ofHead.length === 0,
    rows,
    links: verified.head?.links ?? 0,
    head: verified.head && formatHead(verified.head),
    sealingLinks: seals,
    findings: [...ofHead, ...first.map(describeFinding)],
    moreFindings: count - first.length,
  }
}

function compareHead(kept: ChainHead, found: ChainHead | null, newest: ChainHead | null): readonly Finding[] {
  if (found?.hash.startsWith(kept.hash)) return []
  const { links: link } = kept
  const name = formatHead(kept)
  const words = found
    ? `link ${link} is not the one of the head ${name}: the journal was rewritten from there or before, or the head is from another journal`
    : `the head ${name} is of link ${link}, but the journal ends with link ${newest?.links ?? 0}: its end was cut off, or an older copy was put back`
  return [{ kind: found ? 'head-differs' : 'head-missing', link, row: null, words }]
}

function describeFinding(finding: ChainFinding): Finding {
  const { kind } = finding
  switch (kind) {
    case 'link-changed': {
      const words = `link ${finding.link} is not what was written there: it was changed, moved or put in`
      return { kind, link: finding.link, row: null, words }
    }
    case 'links-missing': {
      const { link, until } = finding
      const words = `${link === until ? `link ${link} is` : `links ${link} to ${until} are`} missing`
      return { kind, link, row: null, words }
    }
    case 'row-added':
      return { kind, link: null, row: finding.row, words: `${describeRow(finding.row)} was put in outside paydesk` }
    default: {
      const { link, row, isSeal } = finding
      const since = isSeal ? `before link ${link} sealed it, or since` : `after link ${link}`
      const what = kind === 'row-changed' ? 'was changed' : 'was removed'
      return { kind, link, row, words: `${describeRow(row)} ${what} outside paydesk ${since}` }
    }
  }
}

/** "attempts:j-3f9a1c2b7d10/2" in words. */
function describeRow(row: string): string {
  const at = row.indexOf(':')
  const [table, key] = [row.slice(0, at), row.slice(at + 1)]
  const [id = '', number = ''] = key.split('/')
  if (table === 'attempts') return `attempt ${number} of ${id}`
  const things: Readonly<Record<string, string>> = { intents: 'the intent', payees: 'the payee' }
  return `${things[table] ?? `the row of ${table}`} ${key}`
}
