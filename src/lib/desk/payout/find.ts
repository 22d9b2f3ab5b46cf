/**
 * Finds the payout that an operator means: by a transactionId, or by a uniqueId, journal id or business key that the journal
 * knows.
 */
import { isUuid } from '../../contract/core/text.ts'
import { createPayout } from '../../contract/payout/payout.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import { conflict, otherSum } from '../../journal/duplicates.ts'
import { findByName, isJournalId, nameIn } from '../../journal/find.ts'
import { factsOf, type Intent, type JournalFilter } from '../../journal/intent.ts'
import type { Desk } from '../desk.ts'
import { scopeOf } from '../draft.ts'
import { writesTo } from '../recover/at-stake.ts'

export interface Found {
  readonly transactionId: string
  /** Null for a payout that another machine made. */
  readonly intent: Intent | null
  /** Everything that this journal sent about it. */
  readonly writes: readonly Intent[]
}

/** The newest intent of this profile that an id names, null where the journal knows none. */
async function knownIntent(
  desk: Pick<Desk, 'journal' | 'profile'>,
  id: string,
  operations?: JournalFilter['operations'],
): Promise<Intent | null> {
  const filter = { scope: scopeOf(desk.profile), ...(operations ? { operations } : {}) }
  const { intents } = await findByName(desk.journal, id, filter)
  return intents[0] ?? null
}

/** A journal id or a UUID; anything else that names a payment is a key. */
export function looksLikeAnId(text: string): boolean {
  return isJournalId(text) || isUuid(text)
}

/** The intent of this profile that an id names. Throws a Failure: not-found (6), usage (2) for what can be no id. */
export async function requireIntent(desk: Desk, id: string, operations?: JournalFilter['operations']): Promise<Intent> {
  const intent = await knownIntent(desk, id, operations)
  if (intent) return intent
  if (!looksLikeAnId(nameIn(id).text)) {
    throw new Failure('usage', `"${id}" is no transaction id (a number), no UUID, no journal id and no known --key`)
  }
  throw new Failure('not-found', `the journal knows no payment ${id} of the profile ${desk.profile.name}`, {
    hints: [hint`\`${paste('journal list')}\` shows what it knows; another profile may have made it.`],
  })
}

/** The transaction that an id names. Throws as `requireIntent`, unknown (9) where the service has not told it, and duplicate (7) for a conflict. */
export async function payoutOfId(desk: Desk, id: string): Promise<Found> {
  const { text, mayBe } = nameIn(id)
  if (/^\d+$/.test(text) && mayBe !== 'key') return transactionNamed(desk, text, mayBe)
  const intent = await requireIntent(desk, id, [createPayout])
  if (intent.transactionId !== null) return found(desk, intent.transactionId, intent)
  throw withoutTransaction(intent)
}

/**
 * The transaction of this number, which the journal may not know. Throws usage (2) where it knows the number as a key only: the
 * transaction of that number may be somebody else's.
 */
async function transactionNamed(desk: Desk, number: string, mayBe: 'id' | 'either'): Promise<Found> {
  const ofProfile = { scope: scopeOf(desk.profile), operations: [createPayout] }
  const { intents } = await findByName(desk.journal, `id:${number}`, ofProfile)
  const [intent = null] = intents
  const keyed = intent || mayBe === 'id' ? [] : (await findByName(desk.journal, `key:${number}`)).intents
  const [payment] = keyed
  if (!payment) return found(desk, number, intent)
  throw new Failure(
    'usage',
    `${number} is the key of ${payment.journalId}, and may be the number of another transaction`,
    {
      ...factsOf(payment),
      hints: [hint`The payment with this key: key:${number}. The transaction with this number: id:${number}.`],
    },
  )
}

async function found(desk: Desk, transactionId: string, intent: Intent | null): Promise<Found> {
  return { transactionId, intent, writes: intent ? await writesTo(desk, 'payout', intent.uniqueId) : [] }
}

function withoutTransaction(intent: Intent): Failure {
  const facts = factsOf(intent)
  if (intent.otherSum !== null) return otherSum(intent, intent.otherSum)
  if (intent.isTaken) return conflict(intent)
  if (intent.state === 'unknown') {
    return new Failure('unknown', `the outcome of ${intent.journalId} is unknown, so it has no transactionId yet`, {
      ...facts,
      hints: [hint`Resolve it: \`${paste('resume', intent.journalId)}\`.`],
    })
  }
  if (intent.state === 'exists') {
    return new Failure('unknown', `the service has ${intent.uniqueId}, but never told its transactionId`, {
      ...facts,
      moneyMoved: 'unknown',
      retry: 'after-fix',
      hints: [hint`Close it: \`${paste('payout reconcile', intent.uniqueId, '--transaction-id', blank('<n>'))}\`.`],
    })
  }
  const why = intent.because ?? `it is ${intent.state}`
  return new Failure('not-found', `${intent.journalId} has no transactionId: ${why}`, {
    ...facts,
    hints: [hint`See why: \`${paste('journal show', intent.journalId)}\`.`],
  })
}
