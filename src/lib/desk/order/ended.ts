/** The end of an order without a payment, and what can be done next: its status speaks for its creation, and not for what was done to it since. */
import { orderPayment } from '../../contract/order/status.ts'
import type { StatusFacts } from '../../contract/status.ts'
import { Failure, type MoneyMoved } from '../../failure.ts'
import { filledIn, type Hint, hint, hintInWords, paste } from '../../hint.ts'
import { conflict } from '../../journal/duplicates.ts'
import { findContradiction } from '../../journal/payment-end.ts'
import { contradicted, endedAndMoved } from '../receipt/ended.ts'
import { movedBesides } from '../recover/at-stake.ts'
import { factsOfOrder } from './ask.ts'
import type { FoundOrder } from './find.ts'

const madeElsewhere = hint`This journal did not create it: with a validUntil it may still be paid until then.`

/** "No" of an order that ended unpaid, unless it may have a validUntil that is not known here. */
function moneyAt(status: string, { created }: FoundOrder): MoneyMoved {
  return created ? 'no' : (orderPayment(status, { validUntil: '' })?.money ?? 'no')
}

/** The failure of an order that met a conflict, was told with another sum, or as paid before what is read now; null where nothing contradicts. */
export function orderInDoubt(status: string, { created }: FoundOrder): Failure | null {
  if (created?.isTaken) return conflict(created)
  const doubt = created && (findContradiction(created, status) ?? created.answeredSum)
  return created && doubt !== null ? contradicted(created, 'order', doubt) : null
}

/** Its status speaks for its creation; whatever else was done to it has moved what it moved. */
export function orderEnded(status: string, facts: StatusFacts | null, found: FoundOrder): Failure {
  const inDoubt = orderInDoubt(status, found)
  if (inDoubt) return inDoubt
  const { exit, means, next } = facts ?? { exit: null, means: 'not paid', next: null }
  const moved = movedBesides(found.writes, found.created ?? { journalId: '' })
  if (moved) return contradicted(moved, 'order', endedAndMoved(status, means, moved))
  return new Failure(exit ?? 'refused', `the order ended in ${status} (${means})`, {
    ...factsOfOrder(found),
    status,
    moneyMoved: moneyAt(status, found),
    retry: 'after-fix',
    hints: [
      ...(found.created || moneyAt(status, found) === 'no' ? [] : [madeElsewhere]),
      ...(next === null ? [] : [next]),
    ],
  })
}

/** The next step for an order in this status; null where there is none to take. */
export function nextIn(facts: StatusFacts | null, { integratorOrderId }: FoundOrder): Hint | null {
  const next = facts?.next ?? null
  return next === null ? null : filledIn(next, { integratorOrderId })
}

/** The warnings of a read about changes of the order that were told as not executed, and may have been. */
export function conflictsOf({ writes, created }: FoundOrder): readonly string[] {
  const changes = writes.filter(({ isTaken, journalId }) => isTaken && journalId !== created?.journalId)
  return changes.map(({ operation, journalId, because }) => {
    const show = hintInWords(hint`\`${paste('journal show', journalId)}\``)
    return `its ${operation} is in conflict (${because ?? 'it may have been executed'}): ${show}`
  })
}
