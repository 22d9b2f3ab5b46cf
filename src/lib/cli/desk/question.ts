/** Questions to the journal of a command that ended early: what earlier runs sent of the thing that its command line names. */

import { normalId } from '../../contract/core/text.ts'
import type { Subject } from '../../contract/operation.ts'
import { operations, writesAbout } from '../../contract/operations.ts'
import type { Failure } from '../../failure.ts'
import { isJournalId, nameIn } from '../../journal/find.ts'
import { type Intent, idAtService } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import { isBuiltIn } from '../../profile/built-in.ts'
import { Profiles } from '../../profile/profiles.ts'
import { UnknownProfile } from '../../profile/unknown-profile.ts'
import type { RequestFile } from '../input/request-file.ts'
import type { Invocation } from '../invocation.ts'
import { idFlags } from './earlier.ts'

/** Finds the writes that a command is about whatever ends it; none where it is about none, or a new one. */
export type Question = (invocation: Invocation, journal: Journal, failure: Failure) => Promise<readonly Intent[]>

/** The question of commands that are there for what is open: however they end early, they were about that. */
export const anyOpen: Question = async (invocation, journal, failure) => {
  if (invocation.line.words.length > 0) return namedThing(invocation, journal, failure)
  return journal.list({ states: ['unknown'], limit: 1 })
}

/** The question of reads: every write to the thing that is named. */
export const namedThing: Question = async (invocation, journal, failure) => {
  const named = invocation.line.words.map((word) => writesTo(invocation, journal, word, failure))
  return (await Promise.all(named)).flat()
}

/**
 * The question of writes: the same write, by its key or by the id of what it is done to. `fileAt`: a file of its request, which may
 * hold the id; `answered`: the id that a person has typed when asked for it. All that is typed counts, also
 * what is too much.
 */
export const sameWrite =
  (fileAt: (path: string) => Pick<RequestFile, 'fieldAtEnd'>, answered: () => string | undefined): Question =>
  async (invocation, journal, failure) => {
    const { id, line } = invocation
    const [keys = [], ...typedIds] = idFlags.map((flag) => line.values(flag))
    const ids = typedIds.flat()
    const own = operations.find(({ name }) => name === id?.replace(':', '.'))
    // Every write to a thing may have moved the money that its cancellation is about.
    const cancels = id?.endsWith(':cancel') === true
    const isSame = ({ operation }: Intent) => operation === own?.name || cancels
    // One without an id cannot be named by its order: a refund, of which an order may have many.
    const idField = own?.effect === 'write' ? own.idField : null
    // An id or a key that is typed goes over the file.
    const files = idField === null || keys.length + ids.length > 0 ? [] : line.values('--file').map(fileAt)
    const inFiles = files.map((file) => file.fieldAtEnd(idField ?? ''))
    const names = idField === null ? ids : [...ids, ...line.words, ...(await Promise.all(inFiles)), answered()]
    const known = names.map((name) => (name === undefined ? [] : writesTo(invocation, journal, name, failure)))
    const byId = (await Promise.all(known)).flat()
    const filter = ofProfile(invocation, failure)
    const byKey = (await Promise.all(keys.map((key) => journal.list({ ...filter, named: key })))).flat()
    const isKeyed = ({ businessKey }: Intent) => businessKey !== null && keys.includes(businessKey)
    return [...byKey.filter(isKeyed), ...byId].filter(isSame)
  }

/** Of every profile where there is none of the name that was typed, which may be mistyped, and where several were. */
function ofProfile(invocation: Invocation, failure: Failure) {
  if (failure instanceof UnknownProfile) return {}
  const [typed, ...others] = invocation.line.values('--profile')
  const profile = others.length > 0 ? undefined : (typed ?? invocation.edge.env.PAYDESK_PROFILE)
  return profile === undefined || !exists(invocation, profile) ? {} : { profile }
}

/** True if there is a profile of this name. A command that needs none never says that there is not. */
function exists({ places }: Invocation, name: string): boolean {
  return isBuiltIn(name) || new Profiles(places.config).readNow().names.includes(name)
}

const subjects: Readonly<Record<string, Subject>> = {
  payout: 'payout',
  order: 'order',
  card: 'order',
  wallet: 'wallet order',
  subscription: 'subscription',
}

/** The writes that a command of this topic can be about; `resume` and `journal` can be about all. */
function meant(invocation: Invocation, failure: Failure) {
  const subject = subjects[invocation.id?.split(':')[0] ?? '']
  return { ...ofProfile(invocation, failure), ...(subject ? { operations: writesAbout(subject) } : {}) }
}

async function writesTo(
  invocation: Invocation,
  journal: Journal,
  typed: string,
  failure: Failure,
): Promise<readonly Intent[]> {
  const { text, mayBe } = nameIn(typed.trim())
  const name = isJournalId(text) ? text.toLowerCase() : normalId(text)
  const filter = meant(invocation, failure)
  const listing = [...new Set([name, text])].map((each) => journal.list({ ...filter, named: each }))
  // A name without its kind may be an id and a key: what is said is then true of both.
  const named = (await Promise.all(listing)).flat().filter(({ businessKey }) => mayBe !== 'id' || businessKey !== text)
  const ids = new Set([
    ...(mayBe === 'key' ? [] : [name]),
    ...named.flatMap((intent) => [intent.uniqueId, idAtService(intent)]),
  ])
  const listed = [...ids].map((mayName) => journal.list({ ...filter, mayName }))
  const found = (await Promise.all(listed))
    .flat()
    .filter((each) => ids.has(each.uniqueId) || ids.has(idAtService(each)))
  return [...new Map(found.map((intent) => [intent.journalId, intent])).values()]
}
