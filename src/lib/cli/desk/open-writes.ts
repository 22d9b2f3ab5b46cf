/** Writes that are to be resolved, each with the desk of the profile that sent it: the one that is named, or every unknown one. */

import { usualSettings } from '../../client/exchange.ts'
import type { Desk } from '../../desk/desk.ts'
import { requireIntent } from '../../desk/payouts.ts'
import type { Done, Receipt } from '../../desk/receipts.ts'
import {
  Desks,
  describeConsent,
  describeEarlierWorlds,
  describeOthers,
  type Named,
  needsConsent,
  receipt,
  resolveAs,
  resume,
  resumeEach,
} from '../../desk/resume.ts'
import { withIntent } from '../../desk/writes.ts'
import { steadyNow } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { findByName } from '../../journal/find.ts'
import type { Intent } from '../../journal/intent.ts'
import { isEvery, isNamed } from '../../profile/choose.ts'
import { Profiles, storeNamed } from '../../profile/profiles.ts'
import { isSameStore } from '../../store/postgres/address.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { terminalAsker } from '../prompts/ask.ts'
import { type Consent, requireConsent } from '../prompts/confirm.ts'
import { openDesk } from './desk.ts'
import { journalOf } from './journal.ts'
import { profileName } from './profile.ts'

/** Milliseconds, in which no answer could come. */
const shortestTry = 500

export type Resolved = Receipt | Done

interface ResumeFlags extends SharedFlags, Consent {
  readonly all: boolean
  readonly settle?: 'executed' | 'refused' | undefined
  readonly because?: string | undefined
  readonly 'allow-duplicate'?: string | undefined
}

const desksOf = (invocation: Invocation, flags: SharedFlags) =>
  new Desks((profile, part) => openDesk(invocation, { ...flags, profile }, part))

/** The write that is named, resolved: by the service, by the word of a person (`settle`), or sent where it is held. */
export async function resolveNamed(invocation: Invocation, id: string, flags: ResumeFlags): Promise<Resolved> {
  const { desk, intent } = await findNamed(invocation, id, flags)
  return withIntent(desk, intent, async () => {
    if (flags.settle) return resolveByWord(invocation, desk, intent, flags.settle, flags)
    if (needsConsent(intent, desk.journal.moment.now)) await agreeToOld(invocation, intent, flags)
    return resume(desk, intent, { allowDuplicate: flags['allow-duplicate'] ?? null })
  })
}

/** Every unknown write of the profile, the oldest first, within the time of the command; null for those of every profile. */
export async function resolveEvery(invocation: Invocation, flags: ResumeFlags) {
  const { edge, output } = invocation
  const end = steadyNow(edge.clock) + (flags.timeout ?? usualSettings.timeout)
  const left = () => end - steadyNow(edge.clock)
  const journal = await journalOf(invocation)
  const open = (await journal.list({ states: ['unknown'] })).toReversed()
  const isAll = flags.all && isEvery({ flag: flags.profile, env: edge.env })
  const profile = isAll ? null : await profileName(invocation, flags)
  const meant = open.filter((each) => profile === null || each.profile === profile)
  if (isAll) for (const name of await inOtherStores(invocation)) output.warn(inOtherStore(name))
  for (const left of describeOthers(open.filter((intent) => !meant.includes(intent)))) output.warn(left)
  const desks = desksOf(invocation, flags)
  const writes = await desks.ofThisWorld(meant)
  for (const line of describeEarlierWorlds(meant.length - writes.length)) output.warn(line)
  const deskOf = async (intent: Intent) => {
    const desk = await desks.of(intent)
    return { ...desk, settings: { ...desk.settings, timeout: left() } }
  }
  const isOver = () => left() < shortestTry
  return { profile, resolved: await resumeEach(writes, deskOf, journal.moment.now, isOver) }
}

/** The one that an id or a key means. Throws a Failure: usage, where the profile or the journal has none. */
async function findNamed(invocation: Invocation, id: string, flags: ResumeFlags): Promise<Named> {
  const known = await findByName(await journalOf(invocation), id)
  const byName = isNamed({ flag: flags.profile, env: invocation.edge.env })
  const usual = profileName(invocation, flags)
  const profile = await (byName || known.by === null ? usual : usual.catch(() => null))
  const found = await desksOf(invocation, flags).named(id, known, {
    ...{ profile, isNamed: byName, settles: flags.settle !== undefined },
  })
  if (found) return found
  // The journal knows nothing of it; this says so in the words of a profile.
  const desk = await openDesk(invocation, flags, 'payouts')
  return { desk, intent: await requireIntent(desk, id) }
}

async function resolveByWord(
  invocation: Invocation,
  desk: Desk,
  intent: Intent,
  word: 'executed' | 'refused',
  { because = '', ...consent }: ResumeFlags,
) {
  await agreeTo(
    invocation,
    intent,
    `Your statement that ${intent.journalId} was ${word}: ${because}`,
    intent.journalId,
    consent,
  )
  const resolved = await resolveAs(desk, intent, word, because)
  const warnings = word === 'executed' ? [] : ['resolved as refused by your statement; nothing was sent']
  return receipt(desk, { intent: resolved, replayed: false, warnings })
}

function agreeToOld(invocation: Invocation, intent: Intent, { confirm }: Consent): Promise<void> {
  const phrase = describeConsent(intent)
  const done = intent.state === 'held' ? 'held since' : 'first sent'
  if (confirm === undefined && !invocation.canAsk) {
    const said = `${intent.journalId} is older than 24 hours; to send it add --confirm "${phrase}"`
    throw new Failure('usage', said)
  }
  const line = `${phrase} to ${intent.payee}, ${done} ${intent.openedAt}, more than 24 hours ago`
  return agreeTo(invocation, intent, line, phrase, { confirm })
}

async function agreeTo(invocation: Invocation, intent: Intent, line: string, phrase: string, consent: Consent) {
  const { canAsk, edge, signal } = invocation
  const what = { live: intent.environment === 'live', lines: [line], phrase }
  await requireConsent(what, consent, canAsk ? terminalAsker(edge, signal) : null)
}

/** Profiles whose payments are not in the journal that is open. */
async function inOtherStores({ places: { config, team } }: Invocation): Promise<readonly string[]> {
  const { names } = await new Profiles(config).read()
  return names.filter((name) => {
    const found = storeNamed(config, name)
    return found !== null && (team === null || !isSameStore(found.address, team))
  })
}

function inOtherStore(name: string): string {
  return `the payments of ${name} are in another store, which was not read: paydesk resume --all -p ${name}`
}
