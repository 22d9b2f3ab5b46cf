/** Conflicts of writes that nothing recognises when they come again: they may have been executed, and are not sent once more. */
import type { Members } from '../contract/core/members.ts'
import type { WriteOperation } from '../contract/operation.ts'
import type { Repeats } from '../contract/repeats.ts'
import { type Begun, conflict } from '../journal/duplicates.ts'
import type { Intent } from '../journal/intent.ts'
import type { Verdict } from '../journal/verdict.ts'
import type { Desk } from './desk.ts'

/** The end of an attempt that does not leave, because another process has read or heard that it may have been executed. */
export const takenMeanwhile: Verdict = { kind: 'unsent', why: 'it has met a conflict meanwhile' }

export function isUnrecognised({ isTaken }: Intent, { unanswered }: Repeats): boolean {
  return isTaken && unanswered === 'stop'
}

/** Throws a Failure: duplicate (7) for one that may not be sent again. */
export function mustBeRecognised(operation: WriteOperation, request: Members, intent: Intent): void {
  if (isUnrecognised(intent, operation.repeats(request))) throw conflict(intent)
}

/** The same of one whose attempt is open: it is over before it leaves. */
export async function beginsRecognised(
  { journal }: Pick<Desk, 'journal'>,
  operation: WriteOperation,
  request: Members,
  { intent, attempt }: Begun,
): Promise<void> {
  if (!isUnrecognised(intent, operation.repeats(request))) return
  throw conflict(await journal.finish(intent, attempt, takenMeanwhile))
}
