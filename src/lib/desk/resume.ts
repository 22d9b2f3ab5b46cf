/** Resolving what is open: by evidence, by sending it once more under the same id, or by the word of the operator. */
import { sumOf } from '../contract/core/decimal.ts'
import { howMany } from '../contract/core/text.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import { isSameService } from '../contract/service.ts'
import { Failure, type MoneyMoved } from '../failure.ts'
import { blank, type Hint, hint, hintInWords, paste } from '../hint.ts'
import { conflict, otherSum, sameServiceHint } from '../journal/duplicates.ts'
import { withCurrency } from '../journal/entry.ts'
import { type NameMatch, nameIn } from '../journal/find.ts'
import { type Intent, intentFailure, isInConflict, moneyMovedBy } from '../journal/intent.ts'
import { isPaidHere, requestIn } from '../journal/payment-end.ts'
import { isExecuted } from '../journal/verdict.ts'
import { isBuiltIn } from '../profile/built-in.ts'
import { type Part, partOf } from '../profile/parts.ts'
import type { Desk } from './desk.ts'
import { elsewhere, isOfEarlierWorld } from './elsewhere.ts'
import { scopeOf } from './new-intent.ts'
import { looksLikeAnId } from './payouts.ts'
import type { AskedBefore } from './preflight.ts'
import { type Done, type Receipt, receiptFor } from './receipts.ts'
import { resubmit, type Submitted } from './submit.ts'
import { refuseIfEnded } from './unpaid-end.ts'
import { withIntent } from './writes.ts'

/** An intent older than this is sent again only with a confirmation. */
const oldAfter = 24 * 60 * 60 * 1000

/** True if resolving it may send it again, long after it was meant. */
export function needsConsent(intent: Intent, now: number): boolean {
  if (now - Date.parse(intent.openedAt) <= oldAfter) return false
  if (intent.state === 'turned-away' || intent.state === 'held') return true
  return intent.state === 'unknown' && operationOf(intent).retryPolicy(requestIn(intent.body)).unanswered === 'repeat'
}

/** The intent that an id means: an open one before a resolved one, the newest first. */
export function findMeant(id: string, intents: readonly Intent[]): Intent | undefined {
  const open = intents.filter(({ state }) => state === 'unknown')
  const ofState = (state: Intent['state']) => intents.find((intent) => intent.state === state)
  if (open.length <= 1) return open[0] ?? ofState('turned-away') ?? ofState('held') ?? intents[0]
  const names = open.map(({ journalId, operation }) => `${journalId} (${operation})`)
  throw new Failure('usage', `${id} matches several unknown payments: ${names.join(', ')}`, {
    moneyMoved: 'unknown',
    hints: [hint`Name one of them by its journal id.`],
  })
}

export function operationOf(intent: Intent): WriteOperation {
  const operation = writeNamed(intent.operation)
  if (operation) return operation
  throw new Failure('bug', `${intent.journalId} is a ${intent.operation}, which this version of paydesk does not know`)
}

/** What a person consents to: the price of a plan, the sum, or the id. */
export function describeConsent(intent: Intent): string {
  return operationOf(intent).moves(requestIn(intent.body)).price ?? sumOf(intent) ?? intent.uniqueId
}

export function partFor(intent: Intent): Part {
  return partOf(operationOf(intent))
}

/** True if an intent is of this part, service and client. */
export function belongsTo(intent: Intent, { profile }: Pick<Desk, 'profile'>): boolean {
  return isSameService(intent, scopeOf(profile)) && partFor(intent) === profile.part
}

/**
 * Resolves one intent, or sends one that is held. A resolved one is told as it stands: receipt, refused (5), unsent
 * (11). Advice names the profile of this desk.
 */
export async function resume(desk: Desk, intent: Intent, looked: AskedBefore = {}): Promise<Receipt | Done> {
  try {
    if (intent.otherSum !== null) throw otherSum(intent, intent.otherSum)
    const operation = operationOf(intent)
    if (isExecuted(intent))
      return await receipt(desk, await refuseIfEnded(desk, operation, { intent, replayed: true, warnings: [] }))
    if (intent.state === 'refused' || intent.state === 'unsent') throw resolvedAlready(intent, intent.state)
    return await receipt(desk, await resubmit(desk, operation, intent, looked))
  } catch (error) {
    throw error instanceof Failure ? error.ofProfile(desk.profile.name) : error
  }
}

export async function receipt(desk: Pick<Desk, 'journal' | 'naming'>, submitted: Submitted): Promise<Receipt | Done> {
  // The receipt of a finished write is told, whether or not the journal can be read once more.
  const [intent = submitted.intent] = await withCurrency(desk.journal, [submitted.intent]).catch(() => [])
  return receiptFor({ ...submitted, intent }, desk)
}

function resolvedAlready(intent: Intent, state: 'refused' | 'unsent'): Failure {
  const { journalId, because, isTaken } = intent
  if (isTaken) return conflict(intent)
  const how = `${state === 'unsent' ? 'never left this machine' : 'was refused'}${because ? ` (${because})` : ''}`
  return intentFailure(state, `${journalId} is resolved: it ${how}`, intent, {
    hints: [hint`See \`${paste('journal show', journalId)}\`; to do it, run its command again.`],
  })
}

/** Closes an open intent by the operator's word. */
export async function resolveAs(
  desk: Pick<Desk, 'journal'>,
  intent: Intent,
  word: 'executed' | 'refused',
  because: string,
): Promise<Intent> {
  // An operator may correct their own word.
  const { state, journalId, uniqueId, operatorWord, disputed } = intent
  if (state === 'exists' && word === 'refused' && operatorWord === null && disputed === null) {
    throw intentFailure('usage', `the service itself says that it has ${uniqueId}`, intent, {
      hints: [hint`See \`${paste('journal show', journalId)}\`.`],
    })
  }
  if (state === 'held' && word === 'executed')
    throw intentFailure('usage', `${journalId} is held: it was never sent`, intent)
  if (!isInConflict(intent) && !['unknown', 'exists', 'turned-away', 'held'].includes(state))
    throw intentFailure('usage', `${journalId} is already resolved: ${state}`, intent)
  const executed = state === 'accepted' ? 'accepted' : 'exists'
  return desk.journal.close(intent, word === 'executed' ? executed : 'refused', because, { byOperator: true })
}

// --- Several, and what came of all together

/**
 * Resolves intents one after the other. Throws the worst of what remains: unknown (9), conflict (7), locked (12),
 * refused (5), the rest; partial (10) with the receipts where that would say that no money moved and another one moved
 * some. Not sent: old ones, one whose profile cannot be used any more, and one that was not reached before `isOver`.
 */
export async function resumeEach(
  open: readonly Intent[],
  deskOf: (intent: Intent) => Promise<Desk>,
  now: number,
  isOver: () => boolean = () => false,
): Promise<(Receipt | Done)[]> {
  const receipts: (Receipt | Done)[] = []
  const resolved: Intent[] = []
  const failures: Failure[] = []
  for (const intent of open) {
    try {
      if (isOver()) throw notReached(intent)
      if (needsConsent(intent, now)) throw tooOldFailure(intent)
      const desk = await deskOf(intent)
      const told = await withIntent(desk, intent, () => resume(desk, intent, { sendsHeld: false }))
      receipts.push(told)
      resolved.push({ ...intent, state: 'exists', status: told.status ?? null })
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error
      failures.push(error)
    }
  }
  const [worst] = failures.toSorted((a, b) => severity(a) - severity(b))
  if (!worst) return receipts
  if (open.length === 1) throw worst
  // A refused intent is resolved, too.
  const settled = receipts.length + failures.filter(({ kind }) => kind === 'refused').length
  const message = `${settled} of ${open.length} resolved; ${worst.message}`
  const hints = [
    ...resolved.map((intent) => hint`${intent.journalId}: ${describeExecuted(intent)}`),
    ...failures.map((failure) => hint`${failure.facts.journalId ?? ''}: ${failure.message}`),
  ]
  const moved = resolved.map(movedBy)
  const moneyMoved = (['yes', 'unknown'] as const).find((each) => moved.includes(each)) ?? 'no'
  if (moneyMoved === 'no' || worst.moneyMoved !== 'no')
    throw new Failure(worst.kind, message, { ...worst.facts, hints })
  throw new Failure('partial', message, { moneyMoved, retry: 'after-fix', hints, document: receipts })
}

const movedBy = (intent: Intent): MoneyMoved =>
  isPaidHere(intent) ? 'yes' : intent.amountMinor === null ? 'no' : moneyMovedBy(intent)

/** Its thing may be there and not paid. */
function describeExecuted(intent: Intent): string {
  if (movedBy(intent) !== 'unknown') return 'it was executed'
  return intent.status === null ? 'the service has it' : `the service has it (${intent.status})`
}

function severity({ kind }: Failure): number {
  const worstFirst: readonly Failure['kind'][] = ['unknown', 'duplicate', 'locked', 'pending', 'refused']
  const at = worstFirst.indexOf(kind)
  return at < 0 ? worstFirst.length : at
}

function notReached(intent: Intent): Failure {
  const hints = [hint`\`${paste('resume', intent.journalId)}\` resolves it.`]
  return intentFailure('unknown', 'it was not reached within --timeout, and is open as before', intent, { hints })
}

function tooOldFailure(intent: Intent): Failure {
  const hints = [hint`${paste('resume', intent.journalId, '--confirm', blank('"<CURRENCY> <amount>"'))}`]
  return intentFailure('unknown', 'it is older than 24 hours and was not sent again', intent, { hints })
}

// --- The desks of intents that several profiles may have sent

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
    if (isOfEarlierWorld(intent, desk.profile))
      throw elsewhere(intent.state === 'unknown' ? 'unknown' : 'not-found', intent, desk.profile, 'it')
    const why = `profile ${profile} has another service or client than the one that sent it`
    throw cannotAsk(intent, why, [sameServiceHint(intent)])
  }

  /**
   * The intent that an id means: of the profile that was named, or of the default one; where none was named, an id (not
   * a key) also finds an intent of another profile. `settles`: a person says how it ended, and no service is asked.
   * Throws usage (2) for an intent of a profile that was not named.
   */
  async named(
    id: string,
    { by, intents }: NameMatch,
    {
      profile,
      isNamed,
      settles,
    }: { readonly profile: string | null; readonly isNamed: boolean; readonly settles: boolean },
  ): Promise<Named | null> {
    const own = profile === null ? undefined : findMeant(id, await this.#reachable(intents, profile))
    if (own) return { desk: await this.of(own, profile ?? own.profile), intent: own }
    const other = findMeant(id, intents)
    if (!other) return null
    // A key stands for payments of several profiles, and one of them may be live.
    const isKey = by === 'key' || !looksLikeAnId(nameIn(id).text)
    if ((isNamed || isKey) && other.profile !== profile) throw ofOtherProfile(other, profile)
    const desk = settles ? await this.#desk(other.profile, other) : null
    if (desk && isOfEarlierWorld(other, desk.profile)) return { desk, intent: other }
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

  /** Leaves out intents of a sandbox that is gone. */
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
  const mend = hint`Correct the profile ${intent.profile}, then run \`${paste('resume', intent.journalId)}\`.`
  return intentFailure('unknown', `it could not be asked for: ${why}`, intent, { hints: [mend, ...hints] })
}

function ofOtherProfile(intent: Intent, chosen: string | null): Failure {
  const { journalId, profile } = intent
  const not = chosen === null ? '' : `, not to ${chosen}`
  const hints = [hint`\`${paste('resume', journalId, '-p', profile)}\``]
  return intentFailure('usage', `${journalId} belongs to profile ${profile}${not}`, intent, { hints })
}

/** A line about unknown payments to worlds of the sandbox that are gone. */
export function describeEarlierWorlds(count: number): string[] {
  if (count === 0) return []
  const what = `${howMany(count, 'unknown payment')} ${count === 1 ? 'was' : 'were'} sent to an earlier world of the sandbox`
  return [hintInWords(hint`${what} and cannot be asked for: \`${paste('journal list', '--state', 'unknown')}\``)]
}

/** A line that names the profiles whose intents are left, the sandbox aside. */
export function describeOthers(intents: readonly Intent[]): string[] {
  const names = intents.map(({ profile }) => profile).filter((name) => !isBuiltIn(name))
  if (names.length === 0) return []
  const counted = [...new Set(names)].map((name) => `${name} (${names.filter((each) => each === name).length})`)
  const all = paste('resume', '--all')
  return [hintInWords(hint`other profiles have unknown payments: ${counted.join(', ')}; \`${all}\``)]
}
