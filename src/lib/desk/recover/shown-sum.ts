/** The sum that a read shows, held against the write of this journal that it is about. */
import { differenceIn } from '../../contract/answer.ts'
import type { Members } from '../../contract/core/members.ts'
import { writeNamed } from '../../contract/operations.ts'
import { Failure } from '../../failure.ts'
import { otherSum } from '../../journal/duplicates.ts'
import { withCurrency } from '../../journal/entry.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import { isRecord, readJson } from '../../json.ts'
import type { Desk } from '../desk.ts'
import { showsAmount } from '../evidence.ts'
import { resolveIt } from './at-stake.ts'

/**
 * Gives the write as the journal has it then. Throws a Failure where the read shows another sum: duplicate (7) for a write that was
 * accepted, and the journal remembers it; unknown (9) for one whose answer was lost.
 */
export async function compareSum(desk: Desk, intent: Intent | null, answer: Members): Promise<Intent | null> {
  const evidence = intent && writeNamed(intent.operation)?.evidence
  const request = intent && readJson(intent.body)
  if (!intent || !evidence || !isRecord(request)) return intent
  const [{ currency } = intent] = await withCurrency(desk.journal, [intent])
  const asked = evidence.sum({ ...(currency === null ? {} : { currency }), ...request })
  const differs = differenceIn(answer, asked)
  if (intent.state === 'unknown' && differs !== null) throw openAndAnother(intent, differs)
  if (intent.state !== 'accepted' && intent.state !== 'exists') return intent
  const isThis =
    Object.hasOwn(asked, 'amount') && showsAmount(answer) && (evidence.showsSum || intent.otherSum !== null)
  if (differs === null && !isThis) return intent
  const noting = desk.journal.noteSum(intent, differs)
  const noted = await noting.catch(() => desk.tell.say('the journal could not note the sum that was read'))
  if (differs !== null) throw otherSum(intent, differs)
  return noted ?? intent
}

function openAndAnother(intent: Intent, differs: string): Failure {
  const told = `the service shows another sum: ${differs}; whether the ${intent.operation} was executed is unknown`
  return new Failure('unknown', told, {
    ...factsOf(intent),
    hints: [resolveIt(intent)],
  })
}
