/** Writes that are to be resolved, each with the desk of the profile that sent it: the one that is named, or every unknown one. */

import type { Desk } from '../../desk/desk.ts'
import { requireIntent } from '../../desk/payouts.ts'
import type { Done, Receipt } from '../../desk/receipts.ts'
import {
  Desks,
  describeConsent,
  describeOthers,
  type Named,
  needsConsent,
  receipt,
  resolveAs,
  resume,
  resumeEach,
} from '../../desk/resume.ts'
import { withIntent } from '../../desk/thing.ts'
import { Failure } from '../../failure.ts'
import { findByName } from '../../journal/find.ts'
import type { Intent } from '../../journal/intent.ts'
import { isEvery, isNamed } from '../../profile/choose.ts'
import { storeNamed } from '../../profile/named-store.ts'
import { Profiles } from '../../profile/profiles.ts'
import { isSameStore } from '../../store/postgres/address.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { terminalAsker } from '../prompts/ask.ts'
import { type Consent, requireConsent } from '../prompts/confirm.ts'
import { DeskAccess } from './desk.ts'
import { anyOpen } from './journal.ts'

export type Resolved = Receipt | Done

interface ResumeFlags extends SharedFlags, Consent {
  readonly all: boolean
  readonly settle?: 'executed' | 'refused' | undefined
  readonly because?: string | undefined
  readonly 'allow-duplicate'?: string | undefined
}

export class OpenWrites {
  readonly #invocation: Invocation
  readonly #desk: DeskAccess
  #profile: string | null = null

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#desk = new DeskAccess(invocation, anyOpen)
  }

  #desks(flags: SharedFlags): Desks {
    return new Desks((profile, part) => this.#desk.open({ ...flags, profile }, part))
  }

  /** The profile whose payments were asked for; null for those of every profile. */
  get profile(): string | null {
    return this.#profile
  }

  /** The write that is named, resolved: by the service, by the word of a person (`settle`), or sent where it is held. */
  async resolve(id: string, flags: ResumeFlags): Promise<Resolved> {
    const { desk, intent } = await this.#named(id, flags)
    return withIntent(desk, intent, async () => {
      if (flags.settle) return this.#byWord(desk, intent, flags.settle, flags.because ?? '', flags)
      if (needsConsent(intent, desk.journal.moment.now)) await this.#consentToOld(intent, flags)
      return resume(desk, intent, { allowDuplicate: flags['allow-duplicate'] ?? null })
    })
  }

  /** Every unknown write of the profile, or of all. */
  async resolveEvery(flags: ResumeFlags): Promise<Resolved[]> {
    const { open, profile } = await this.#every(flags)
    this.#profile = profile
    const desks = this.#desks(flags)
    const { moment } = await this.#desk.journal()
    return resumeEach(await desks.ofThisWorld(open), (intent) => desks.of(intent), moment.now)
  }

  /** The one that an id or a key means. Throws a Failure: usage, where the profile or the journal has none. */
  async #named(id: string, flags: SharedFlags): Promise<Named> {
    const known = await findByName(await this.#desk.journal(), id)
    const byName = isNamed({ flag: flags.profile, env: this.#invocation.edge.env })
    const usual = this.#desk.profiles.name(flags)
    const profile = await (byName || known.by === null ? usual : usual.catch(() => null))
    const found = await this.#desks(flags).named(id, known, { profile, isNamed: byName })
    if (found) return found
    // The journal knows nothing of it; this says so in the words of a profile.
    const desk = await this.#desk.open(flags, 'payouts')
    return { desk, intent: await requireIntent(desk, id) }
  }

  /**
   * All unknown intents of the profile, or of every profile (null), the oldest first. Reports those that are left to other profiles.
   */
  async #every(
    flags: SharedFlags & { readonly all: boolean },
  ): Promise<{ readonly open: Intent[]; readonly profile: string | null }> {
    const { edge, output } = this.#invocation
    const open = (await (await this.#desk.journal()).list({ states: ['unknown'] })).toReversed()
    const isAll = flags.all && isEvery({ flag: flags.profile, env: edge.env })
    const only = isAll ? null : await this.#desk.profiles.name(flags)
    const meant = open.filter(({ profile }) => only === null || profile === only)
    if (isAll) for (const name of await this.#inOtherStores()) output.warn(inOtherStore(name))
    for (const left of describeOthers(open.filter((intent) => !meant.includes(intent)))) output.warn(left)
    return { open: meant, profile: only }
  }

  async #byWord(desk: Desk, intent: Intent, word: 'executed' | 'refused', because: string, consent: Consent) {
    await this.#ask(
      intent,
      [`Your statement that ${intent.journalId} was ${word}: ${because}`],
      intent.journalId,
      consent,
    )
    const resolved = await resolveAs(desk, intent, word, because)
    const warnings = word === 'executed' ? [] : ['resolved as refused by your statement; nothing was sent']
    return receipt(desk, { intent: resolved, replayed: false, warnings })
  }

  #consentToOld(intent: Intent, consent: Consent): Promise<void> {
    const phrase = describeConsent(intent)
    const done = intent.state === 'held' ? 'held since' : 'first sent'
    const lines = [`${phrase} to ${intent.payee}, ${done} ${intent.openedAt}, more than 24 hours ago`]
    if (consent.confirm === undefined && !this.#invocation.canAsk) {
      const said = `${intent.journalId} is older than 24 hours; to send it add --confirm "${phrase}"`
      throw new Failure('usage', said)
    }
    return this.#ask(intent, lines, phrase, { confirm: consent.confirm })
  }

  async #ask(intent: Intent, lines: readonly string[], phrase: string, consent: Consent): Promise<void> {
    const what = { live: intent.environment === 'live', lines, phrase }
    const { canAsk, edge, signal } = this.#invocation
    await requireConsent(what, consent, canAsk ? terminalAsker(edge, signal) : null)
  }

  /** Profiles whose payments are not in the journal that is open. */
  async #inOtherStores(): Promise<readonly string[]> {
    const { config, team } = this.#invocation.places
    const { names } = await new Profiles(config).read()
    return names.filter((name) => {
      const found = storeNamed(config, name)
      return found !== null && (team === null || !isSameStore(found.address, team))
    })
  }
}

function inOtherStore(name: string): string {
  return `the payments of ${name} are in another store, which was not read: paydesk resume --all -p ${name}`
}
