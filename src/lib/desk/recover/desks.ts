/**
 * The desks of intents that several profiles may have sent. Resolving is done as the profile that sent an intent, or as one
 * that stands for the same client of the same service today, whatever its name was then.
 */
import { Failure } from '../../failure.ts'
import { type Hint, hint, hintInWords, paste } from '../../hint.ts'
import { sameServiceHint } from '../../journal/duplicates.ts'
import { type NameMatch, nameIn } from '../../journal/find.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import { isBuiltIn } from '../../profile/built-in.ts'
import type { Part } from '../../profile/parts.ts'
import type { Desk } from '../desk.ts'
import { looksLikeAnId } from '../payout/find.ts'
import { belongsTo, meantBy, partFor } from './resume.ts'

export interface Named {
  readonly desk: Desk
  readonly intent: Intent
}

export class Desks {
  readonly #open: (profile: string, part: Part) => Promise<Desk>
  readonly #known = new Map<string, Promise<Desk>>()

  constructor(open: (profile: string, part: Part) => Promise<Desk>) {
    this.#open = open
  }

  /** Throws Failure('unknown') where the profile is gone, cannot be used, or is another client now. */
  async of(intent: Intent, profile = intent.profile): Promise<Desk> {
    const desk = await this.#desk(profile, intent).catch((error: unknown) => {
      throw isUnusable(error) ? cannotAsk(intent, error.message) : error
    })
    if (belongsTo(intent, desk)) return desk
    const why = `profile ${profile} is not the service or the client that it was sent with`
    throw cannotAsk(intent, why, [sameServiceHint(intent)])
  }

  /**
   * The intent that an id means, among those that bear it: of the profile that was named, or of the default one. Where none
   * was named, an id (not a key) also finds an intent of another profile. Null for none. Throws Failure('usage') for an
   * intent of a profile that was not named.
   */
  async named(
    id: string,
    { by, intents }: NameMatch,
    { profile, isNamed }: { readonly profile: string | null; readonly isNamed: boolean },
  ): Promise<Named | null> {
    const own = profile === null ? undefined : meantBy(id, await this.#reachable(intents, profile))
    if (own) return { desk: await this.of(own, profile ?? own.profile), intent: own }
    const other = meantBy(id, intents)
    if (!other) return null
    // A key stands for payments of several profiles, and one of them may be live.
    const isKey = by === 'key' || !looksLikeAnId(nameIn(id).text)
    if (isNamed || isKey) throw elsewhere(other, profile)
    return { desk: await this.of(other), intent: other }
  }

  /** The intents that this profile stands for. */
  async #reachable(intents: readonly Intent[], profile: string): Promise<Intent[]> {
    const own: Intent[] = []
    for (const intent of intents) {
      const desk = await this.#desk(profile, intent).catch((error: unknown) => {
        // A profile that lacks a part has sent nothing to it.
        if (isUnusable(error) && intent.profile !== profile) return null
        throw error
      })
      if (desk && belongsTo(intent, desk)) own.push(intent)
    }
    return own
  }

  /** Leaves out the intents of a sandbox whose world is gone: no service is left to ask for them. */
  async ofThisWorld(intents: readonly Intent[]): Promise<Intent[]> {
    const there: Intent[] = []
    for (const intent of intents) {
      if (!isBuiltIn(intent.profile) || belongsTo(intent, await this.#desk(intent.profile, intent))) there.push(intent)
    }
    return there
  }

  #desk(profile: string, intent: Intent): Promise<Desk> {
    const part = partFor(intent)
    const key = `${part} ${profile}`
    const desk = this.#known.get(key) ?? this.#open(profile, part)
    this.#known.set(key, desk)
    return desk
  }
}

function isUnusable(error: unknown): error is Failure {
  return error instanceof Failure && error.kind === 'credentials'
}

function cannotAsk(intent: Intent, why: string, hints: readonly Hint[] = []): Failure {
  return new Failure('unknown', `it could not be asked for: ${why}`, {
    ...factsOf(intent),
    hints: [hint`Mend the profile ${intent.profile}, then \`${paste('resume', intent.journalId)}\`.`, ...hints],
  })
}

function elsewhere(intent: Intent, chosen: string | null): Failure {
  const { journalId, profile } = intent
  const not = chosen === null ? '' : `, not to ${chosen}`
  return new Failure('usage', `${journalId} belongs to profile ${profile}${not}`, {
    ...factsOf(intent),
    hints: [hint`\`${paste('resume', journalId, '-p', profile)}\``],
  })
}

/** A line that names the profiles whose intents are left, those of the sandbox aside; nothing where none are. */
export function othersIn(intents: readonly Intent[]): string[] {
  const names = intents.map(({ profile }) => profile).filter((name) => !isBuiltIn(name))
  if (names.length === 0) return []
  const counted = [...new Set(names)].map((name) => `${name} (${names.filter((each) => each === name).length})`)
  return [
    hintInWords(
      hint`unknown payments of other profiles are left: ${counted.join(', ')}; \`${paste('resume', '--all')}\``,
    ),
  ]
}
