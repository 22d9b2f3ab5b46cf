/**
 * The journal as it lies there: opening it would write beside it, so a copy is opened, and thrown away. While another process
 * writes, it is copied again until nothing has moved meanwhile.
 */

import { constants, copyFileSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { howMany } from '../../contract/core/text.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import type { JournalPlace } from '../../journal/open.ts'
import type { Invocation } from '../invocation.ts'
import { failed, finding, type OpenFinding, type Report } from './finding.ts'
import { shownPath } from './shown-path.ts'

export interface LookedJournal {
  readonly found: readonly OpenFinding[]
  readonly payments: Report['payments']
  readonly isDamaged: boolean
}

/** The mark first: a commit in between makes the journal larger than its mark says, never smaller. */
const ends = ['-mark', '-wal', ''] as const
const mostTries = 20
const mostTold = 20

function standing(path: string): string {
  return ends
    .map((end) => {
      const stat = lstatSync(path + end, { bigint: true, throwIfNoEntry: false })
      return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}` : ''
    })
    .join(' ')
}

/** False where it was written all the time. */
async function copied(path: string, copy: string, { edge, signal }: Invocation): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = standing(path)
    for (const end of ends) {
      rmSync(copy + end, { force: true })
      if (lstatSync(path + end, { throwIfNoEntry: false }))
        copyFileSync(path + end, copy + end, constants.COPYFILE_FICLONE)
    }
    if (standing(path) === before) return true
    await edge.clock.sleep(50, signal)
  }
  return false
}

/** Looks at the journal of this machine; `team`: a team's store is its place. */
export async function lookAtJournal(path: string, team: string | null, invocation: Invocation): Promise<LookedJournal> {
  const verify = hint`\`${paste('journal verify')}\` opens and verifies it.`
  if (team !== null) {
    const says = 'it lies in the store of a team, which is not opened here'
    return { found: [finding('journal', 'unseen', says, verify)], payments: null, isDamaged: false }
  }
  const unlike = lookAtPlace(path)
  if (unlike !== null) return unlike
  const directory = mkdtempSync(join(tmpdir(), 'paydesk-doctor-'))
  try {
    const copy = join(directory, 'journal.db')
    if (await copied(path, copy, invocation)) return await lookAtCopy(copy, path, invocation)
    const says = 'another process writes it all the time, so it could not be looked at'
    return { found: [finding('journal', 'unseen', says, verify)], payments: null, isDamaged: false }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function lookAtPlace(path: string): LookedJournal | null {
  const none = { payments: null, isDamaged: false }
  const stats = [dirname(path), path].map((each) => lstatSync(each, { throwIfNoEntry: false }))
  const link = stats.findIndex((stat) => stat?.isSymbolicLink())
  if (link >= 0) {
    const says = `${shownPath(link === 0 ? dirname(path) : path)} is a link, which is not followed`
    return { ...none, found: [finding('journal', 'bad', says, hint`Put the directory itself there.`)] }
  }
  if (stats[1] && !stats[1].isFile())
    return { ...none, found: [finding('journal', 'bad', `${shownPath(path)} is no file`)] }
  if (standing(path).trim() === '')
    return { ...none, payments: [], found: [finding('journal', 'good', 'there is none yet: nothing was ever sent')] }
  return null
}

async function lookAtCopy(copy: string, path: string, invocation: Invocation): Promise<LookedJournal> {
  try {
    const { openJournal, openJournalStore } = await import('../../journal/open.ts')
    const place: JournalPlace = { journal: copy, team: null }
    const { edge, signal } = invocation
    const verified = await verifiedIn(await openJournalStore(place, edge.clock), signal)
    const { journal, close } = await openJournal(place, edge.clock, edge.random)
    const open = await journal.list({ states: ['unknown', 'held'] }).finally(close)
    const payments = open.slice(0, mostTold).map(({ journalId, operation, state, profile, openedAt }) => {
      return { journalId, operation, state, profile, openedAt }
    })
    return { found: [verified.found, ofOpen(open.map(({ state }) => state))], payments, isDamaged: !verified.intact }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const message = error.message.replaceAll(copy, shownPath(path))
    return {
      found: [failed('journal', new Failure(error.kind, message, error.facts))],
      payments: null,
      isDamaged: error.kind === 'bug',
    }
  }
}

type Opened = Awaited<ReturnType<typeof import('../../journal/open.ts')['openJournalStore']>>

async function verifiedIn({ store, reading }: Opened, signal: AbortSignal) {
  const { verifyJournal } = await import('../../journal/chain.ts')
  try {
    const { intact, rows, head, findings, moreFindings } = await verifyJournal(store, null, signal, reading)
    const words = `${howMany(rows, 'row')}, and its chain agrees${head === null ? '' : `; head ${head}`}`
    if (intact) return { intact, found: finding('journal', 'good', words) }
    const [first] = findings
    const count = findings.length + moreFindings
    const says = `it is damaged: it is not what paydesk wrote, ${count === 1 && first ? first.words : `${count} findings`}`
    const evidence = hint`Pay nothing on its word. Copy the journal and its -wal, -shm and -mark neighbours away: they are evidence.`
    return {
      intact,
      found: finding('journal', 'bad', says, evidence, hint`\`${paste('journal verify')}\` tells each.`),
    }
  } finally {
    await store.close()
  }
}

function ofOpen(states: readonly string[]): OpenFinding {
  const count = (state: string) => states.filter((each) => each === state).length
  const [unknown, held] = [count('unknown'), count('held')]
  if (unknown + held === 0) return finding('payments', 'good', 'none is unknown, none is held')
  const show = hint`\`${paste('journal show', blank('<journalId>'))}\` tells each.`
  const says = `${unknown} unknown, ${held} held`
  if (unknown === 0) return finding('payments', 'notice', says, show)
  return finding('payments', 'notice', says, hint`\`${paste('resume', '--all')}\` resolves what is unknown.`, show)
}
