/** Resolving what is open: by sending it once more under the same id, or by the operator's word. */

import { sumOf } from '../../contract/core/decimal.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { isSameService } from '../../contract/service.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { conflict, otherSum } from '../../journal/duplicates.ts'
import { withCurrency } from '../../journal/entry.ts'
import { factsOf, type Intent, isInConflict } from '../../journal/intent.ts'
import { isRecord, readJson } from '../../json.ts'
import type { Part } from '../../profile/parts.ts'
import { partOf } from '../../profile/settings/part.ts'
import type { Desk } from '../desk.ts'
import { scopeOf } from '../draft.ts'
import type { AskedBefore } from '../guard.ts'
import { notEndedUnpaid } from '../receipt/ended.ts'
import { type Done, type Receipt, receiptFor } from '../receipt/receipt.ts'
import { resubmit, type Submitted } from '../submit.ts'

/** An intent older than this is sent again only with a confirmation. */
const oldAfter = 24 * 60 * 60 * 1000

/** True if resolving it may send it again, long after it was meant. Reading what the service shows needs no consent. */
export function needsConsent(intent: Intent, now: number): boolean {
  if (now - Date.parse(intent.openedAt) <= oldAfter) return false
  if (intent.state === 'turned-away' || intent.state === 'held') return true
  const request = readJson(intent.body)
  return (
    intent.state === 'unknown' && operationOf(intent).repeats(isRecord(request) ? request : {}).unanswered === 'repeat'
  )
}

/** The one that an id means among those that bear it: an open one before a resolved one, the newest first. */
export function meantBy(id: string, intents: readonly Intent[]): Intent | undefined {
  const open = intents.filter(({ state }) => state === 'unknown')
  if (open.length <= 1) return open[0] ?? ofState('turned-away', intents) ?? ofState('held', intents) ?? intents[0]
  const names = open.map(({ journalId, operation }) => `${journalId} (${operation})`)
  throw new Failure('usage', `${id} names ${open.length} that are unknown: ${names.join(', ')}`, {
    moneyMoved: 'unknown',
    hints: [hint`Name one of them by its journal id.`],
  })
}

function ofState(state: Intent['state'], intents: readonly Intent[]): Intent | undefined {
  return intents.find((intent) => intent.state === state)
}

/** The write that an intent stands for. */
export function operationOf(intent: Intent): WriteOperation {
  const operation = operations.find(({ name }) => name === intent.operation)
  if (operation?.effect === 'write') return operation
  throw new Failure('bug', `${intent.journalId} is a ${intent.operation}, which this paydesk does not know`)
}

/** The object of the consent: the price of a plan, the sum, or the id where no sum moves. */
export function agreedTo(intent: Intent): string {
  const request = readJson(intent.body)
  const price = isRecord(request) ? operationOf(intent).moves(request).price : null
  return price ?? sumOf(intent) ?? intent.uniqueId
}

/** The part of the service that an intent belongs to. */
export function partFor(intent: Intent): Part {
  return partOf(operationOf(intent))
}

/** True if an intent belongs to this part of this service, and to this client of it. */
export function belongsTo(intent: Intent, { profile }: Pick<Desk, 'profile'>): boolean {
  return isSameService(intent, scopeOf(profile)) && partFor(intent) === profile.part
}

/**
 * Resolves one intent, or sends one that is held. A resolved one is told as it stands: receipt, refused (5), unsent (11). The
 * profile of this desk may be another than that of the command, so what is advised names it.
 */
export async function resume(desk: Desk, intent: Intent, looked: AskedBefore = {}): Promise<Receipt | Done> {
  try {
    return await resumed(desk, intent, looked)
  } catch (error) {
    throw error instanceof Failure ? error.ofProfile(desk.profile.name) : error
  }
}

async function resumed(desk: Desk, intent: Intent, looked: AskedBefore): Promise<Receipt | Done> {
  if (intent.otherSum !== null) throw otherSum(intent, intent.otherSum)
  if (intent.state === 'accepted' || intent.state === 'exists') {
    return receipt(desk, await notEndedUnpaid(desk, operationOf(intent), { intent, replayed: true, warnings: [] }))
  }
  if (intent.state === 'refused' || intent.state === 'unsent') throw overAlready(intent)
  return receipt(desk, await resubmit(desk, operationOf(intent), intent, looked))
}

/** With the currency of its order, where that is known here. */
export async function receipt(desk: Pick<Desk, 'journal' | 'naming'>, submitted: Submitted): Promise<Receipt | Done> {
  // The receipt of a finished write is told, whether or not the journal can be read once more.
  const [intent = submitted.intent] = await withCurrency(desk.journal, [submitted.intent]).catch(() => [])
  return receiptFor({ ...submitted, intent }, desk)
}

function overAlready(intent: Intent): Failure {
  if (intent.isTaken) return conflict(intent)
  const kind = intent.state === 'unsent' ? 'unsent' : 'refused'
  const what = kind === 'unsent' ? 'never left this machine' : 'was refused'
  return new Failure(
    kind,
    `${intent.journalId} is resolved: it ${what}${intent.because ? ` (${intent.because})` : ''}`,
    {
      ...factsOf(intent),
      hints: [hint`See \`${paste('journal show', intent.journalId)}\`; to do it, run its command again.`],
    },
  )
}

/** The operator's word about an open intent, kept as such in the journal. */
export async function resolveAs(
  desk: Pick<Desk, 'journal'>,
  intent: Intent,
  word: 'executed' | 'refused',
  because: string,
): Promise<Intent> {
  // An operator may correct their own word.
  if (intent.state === 'exists' && word === 'refused' && intent.operatorWord === null && intent.disputed === null) {
    throw new Failure('usage', `the service itself says that it has ${intent.uniqueId}`, {
      ...factsOf(intent),
      hints: [hint`See \`${paste('journal show', intent.journalId)}\`.`],
    })
  }
  if (intent.state === 'held' && word === 'executed') {
    throw new Failure('usage', `${intent.journalId} is held: nothing of it was ever sent`, factsOf(intent))
  }
  if (!isInConflict(intent) && !['unknown', 'exists', 'turned-away', 'held'].includes(intent.state)) {
    throw new Failure('usage', `${intent.journalId} is resolved already: ${intent.state}`, factsOf(intent))
  }
  const executed = intent.state === 'accepted' ? 'accepted' : 'exists'
  return desk.journal.close(intent, word === 'executed' ? executed : 'refused', because, { byOperator: true })
}
