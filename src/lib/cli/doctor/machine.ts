/**
 * What lies on this machine: places and files (may others read or write them?), and the journal, which is copied to be
 * looked at: opening it would write beside it.
 */
import {
  accessSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { howMany } from '../../contract/core/text.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import type { JournalPlace } from '../../journal/open.ts'
import { othersMayWrite, type Places } from '../../paths.ts'
import { filesOfProfile } from '../../profile/secret.ts'
import type { StoredProfile } from '../../profile/stored.ts'
import { networkFileSystem } from '../../store/engine/file-system.ts'
import type { Invocation } from '../invocation.ts'
import { failureFinding, finding, type OpenFinding, pathWord, type Report } from './report.ts'

/** Bytes without which a payment may not be written down. */
const leastRoom = 64 * 1024 * 1024

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory).map((name) => join(directory, name))
  } catch {
    return []
  }
}

function directoriesOf(places: Places, home: string | null): readonly string[] {
  const own = [places.config, dirname(places.journal), dirname(places.callbacks), places.batches]
  return [...(home === null ? [] : [home]), ...own, places.outbox, places.sandbox, places.tokens]
}

function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What is wrong with the mode of a file or directory; null for nothing. `isPublic`: anybody may read it. */
function findingOfMode(path: string, isPublic = false): OpenFinding | null {
  const stat = statOf(path)
  if (!stat) return null
  const isDirectory = stat.isDirectory()
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0')
  const shown = `${path} (${mode})`
  const by = othersMayWrite(stat)
  if (by === 'owner')
    return finding('files', 'bad', `${shown} belongs to another user`, hint`chown "$(id -u)" ${pathWord(path)}`)
  if (by === 'mode') return finding('files', 'bad', `others may write ${shown}`, hint`chmod go-w ${pathWord(path)}`)
  if (!isDirectory && !isPublic && (stat.mode & 0o077) !== 0)
    return finding('files', 'notice', `others may read ${shown}`, hint`chmod 600 ${pathWord(path)}`)
  if (!isDirectory || mayUse(path)) return null
  const why = `${shown} cannot be read and written by this user`
  return finding('files', 'bad', why, hint`Run it as its owner, or give it to this user with chown.`)
}

export function checkFiles(places: Places, home: string | null, profile: StoredProfile | null): readonly OpenFinding[] {
  if (process.platform === 'win32') return [finding('files', 'unseen', 'file modes are not checked on Windows')]
  const directories = directoriesOf(places, home).filter((path) => statOf(path)?.isDirectory())
  const below = directories.flatMap(entriesOf).filter((path) => statOf(path)?.isFile())
  const named = profile ? filesOfProfile(profile) : { secret: [], open: [] }
  const own = [...directories, ...new Set([...below, ...named.secret])]
  const wrong = [
    ...own.flatMap((path) => findingOfMode(path) ?? []),
    ...named.open.flatMap((path) => findingOfMode(path, true) ?? []),
  ]
  if (wrong.length > 0) return wrong
  if (own.length === 0) return [finding('files', 'good', 'there are none yet')]
  const count = own.length === 1 ? 'one place is' : `${own.length} files and directories are`
  return [finding('files', 'good', `${count} readable by you only`)]
}

/** The nearest directory above that exists. */
function existing(path: string): string {
  return statOf(path)?.isDirectory() || dirname(path) === path ? path : existing(dirname(path))
}

function inMegabytes(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3
  return gigabytes >= 1 ? `${gigabytes.toFixed(1)} GiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`
}

/** The place of the journal, and whether there is room for it. `home`: PAYDESK_HOME. */
export function checkHome({ journal }: Places, home: string | null): OpenFinding {
  const place = home === null ? dirname(dirname(journal)) : resolve(home)
  const said = `${home === null ? 'the place of this system' : 'PAYDESK_HOME'}, ${place}`
  const directory = existing(place)
  const network = networkFileSystem(directory)
  if (network !== null) {
    const says = `${said}, is on a network file system (${network}), where locks are not reliable`
    return finding('home', 'bad', says, hint`Move it to a local disk and set PAYDESK_HOME.`)
  }
  const { bavail, bsize } = statfsSync(directory)
  const free = bavail * bsize
  if (free < leastRoom) {
    const says = `${said}, has ${inMegabytes(free)} left: a payment that cannot be stored is not sent`
    return finding('home', 'bad', says, hint`Make room on its disk.`)
  }
  const missing = directory === place ? '' : ', which is not there yet'
  return finding('home', 'good', `${said}${missing}; ${inMegabytes(free)} free`)
}

interface JournalCheck {
  readonly found: readonly OpenFinding[]
  readonly payments: Report['payments']
  readonly isDamaged: boolean
}

/** The mark first: a commit in between makes the journal larger than its mark says, never smaller. */
const ends = ['-mark', '-wal', ''] as const
const mostTries = 20
const mostTold = 20

function stamp(path: string): string {
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
    const before = stamp(path)
    for (const end of ends) {
      rmSync(copy + end, { force: true })
      if (lstatSync(path + end, { throwIfNoEntry: false }))
        copyFileSync(path + end, copy + end, constants.COPYFILE_FICLONE)
    }
    if (stamp(path) === before) return true
    await edge.clock.sleep(50, signal)
  }
  return false
}

/** Checks the journal of this machine; `team`: a team's store is its place. */
export async function checkJournal(path: string, team: string | null, invocation: Invocation): Promise<JournalCheck> {
  const verify = hint`\`${paste('journal verify')}\` opens and verifies it.`
  if (team !== null) {
    const says = "it is in the team's store, which is not opened here"
    return { found: [finding('journal', 'unseen', says, verify)], payments: null, isDamaged: false }
  }
  const other = checkPlace(path)
  if (other !== null) return other
  const directory = mkdtempSync(join(tmpdir(), 'paydesk-doctor-'))
  try {
    const copy = join(directory, 'journal.db')
    if (await copied(path, copy, invocation)) return await checkCopy(copy, path, invocation)
    const says = 'another process writes it all the time, so it could not be read'
    return { found: [finding('journal', 'unseen', says, verify)], payments: null, isDamaged: false }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function checkPlace(path: string): JournalCheck | null {
  const none = { payments: null, isDamaged: false }
  const stats = [dirname(path), path].map((each) => lstatSync(each, { throwIfNoEntry: false }))
  const link = stats.findIndex((stat) => stat?.isSymbolicLink())
  if (link >= 0) {
    const says = `${link === 0 ? dirname(path) : path} is a link, and links are not followed`
    return { ...none, found: [finding('journal', 'bad', says, hint`Put the directory itself there.`)] }
  }
  if (stats[1] && !stats[1].isFile()) return { ...none, found: [finding('journal', 'bad', `${path} is not a file`)] }
  if (stamp(path).trim() === '')
    return { ...none, payments: [], found: [finding('journal', 'good', 'there is none yet: nothing was ever sent')] }
  return null
}

async function checkCopy(copy: string, path: string, invocation: Invocation): Promise<JournalCheck> {
  try {
    const { openJournal, openJournalStore } = await import('../../journal/open.ts')
    const place: JournalPlace = { journal: copy, team: null }
    const { edge, signal } = invocation
    const verified = await verify(await openJournalStore(place, edge.clock), signal)
    const { journal, close } = await openJournal(place, edge.clock, edge.random)
    const open = await journal.list({ states: ['unknown', 'held'] }).finally(close)
    const payments = open.slice(0, mostTold).map(({ journalId, operation, state, profile, openedAt }) => {
      return { journalId, operation, state, profile, openedAt }
    })
    return {
      found: [verified.found, openPayments(open.map(({ state }) => state))],
      payments,
      isDamaged: !verified.intact,
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const message = error.message.replaceAll(copy, path)
    return {
      found: [failureFinding('journal', new Failure(error.kind, message, error.facts))],
      payments: null,
      isDamaged: error.kind === 'bug',
    }
  }
}

type Opened = Awaited<ReturnType<typeof import('../../journal/open.ts')['openJournalStore']>>

async function verify({ store, reading }: Opened, signal: AbortSignal) {
  const { verifyJournal } = await import('../../journal/chain.ts')
  try {
    const { intact, rows, head, findings, moreFindings } = await verifyJournal(store, null, signal, reading)
    const words = `${howMany(rows, 'row')}, and its chain agrees${head === null ? '' : `; head ${head}`}`
    if (intact) return { intact, found: finding('journal', 'good', words) }
    const [first] = findings
    const count = findings.length + moreFindings
    const says = `it is damaged: ${count === 1 && first ? first.words : `${count} findings`}`
    const evidence = hint`Do not rely on it for payments. Copy the journal and its -wal, -shm and -mark files to a safe place: they are evidence.`
    return {
      intact,
      found: finding('journal', 'bad', says, evidence, hint`\`${paste('journal verify')}\` shows the details.`),
    }
  } finally {
    await store.close()
  }
}

function openPayments(states: readonly string[]): OpenFinding {
  const count = (state: string) => states.filter((each) => each === state).length
  const [unknown, held] = [count('unknown'), count('held')]
  if (unknown + held === 0) return finding('payments', 'good', 'none is unknown, none is held')
  const show = hint`\`${paste('journal show', blank('<journalId>'))}\` shows the details.`
  const says = `${unknown} unknown, ${held} held`
  if (unknown === 0) return finding('payments', 'notice', says, show)
  return finding('payments', 'notice', says, hint`\`${paste('resume', '--all')}\` resolves unknown payments.`, show)
}
