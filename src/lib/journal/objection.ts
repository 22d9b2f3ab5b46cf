/** Objections to a payment, in words: another body, a suspected duplicate, another run. */
import type { WriteOperation } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import { Failure } from '../failure.ts'
import { FailureBeforeSending } from '../failure-before-sending.ts'
import { blank, type Hint, hint, paste } from '../hint.ts'
import { type Draft, factsOf, type Intent, moneyMovedBy, sumOf } from './intent.ts'
import type { HeldBack } from './limits/hold.ts'
import { unmoved } from './verdict.ts'

function inShort(draft: Draft): string {
  const sum = sumOf(draft)
  return sum === null ? `${draft.operation} of ${draft.payee}` : `${sum} to ${draft.payee}`
}

export function otherBody(intent: Intent, draft: Draft): Failure {
  const compare = hint`Compare: \`${paste('journal show', intent.journalId)}\`.`
  const operation = writeNamed(draft.operation)
  if (operation?.onlyOnce) return doneOnce(intent, operation, operation.onlyOnce, compare)
  const name = draft.businessKey === null ? `id ${intent.uniqueId}` : `key ${draft.businessKey}`
  const needed = draft.businessKey === null ? 'id' : '--key'
  return new Failure(
    'duplicate',
    `the ${name} stands for another request (${intent.journalId}: ${inShort(intent)}), this one is ${inShort(draft)}`,
    { ...factsOf(intent), hints: [compare, hint`Another one needs another ${needed}.`] },
  )
}

/** Something that is there already, and that bears its id: no other id would help. */
function doneOnce(intent: Intent, { done }: WriteOperation, next: Hint, compare: Hint): Failure {
  const { state, journalId } = intent
  const sum = sumOf(intent)
  if (state === 'accepted' || state === 'exists') {
    return new Failure('duplicate', `the order was ${done} with ${sum} already (${journalId}); nothing was sent now`, {
      ...factsOf(intent),
      hints: [next, compare],
    })
  }
  return new Failure('duplicate', `an earlier attempt with ${sum} is still open (${journalId})`, {
    ...factsOf(intent),
    hints: [hint`Resolve it first: \`${paste('resume', journalId)}\`.`],
  })
}

export function duplicateSuspected(intent: Intent): Failure {
  const { journalId, state, openedAt, operation } = intent
  const about = { operation, journalId, moneyMoved: moneyMovedBy(intent) }
  if (state === 'held') {
    return new Failure('duplicate', `the same amount to the same payee is held (${journalId}, ${openedAt})`, {
      ...about,
      hints: [
        hint`Send that one, when it fits: \`${paste('resume', journalId)}\`.`,
        hint`If this is meant to be a second payment: --allow-duplicate ${journalId}, or give it a --key.`,
      ],
    })
  }
  if (state === 'accepted' || state === 'exists' || state === 'turned-away' || intent.isTaken) {
    return new Failure(
      'duplicate',
      `the same amount went to the same payee less than 24 hours ago (${journalId}, ${state}, ${openedAt})`,
      {
        ...about,
        hints: [
          hint`Look at it: \`${paste('journal show', journalId)}\`.`,
          hint`If this is meant to be a second payment: --allow-duplicate ${journalId}, or give it a --key.`,
        ],
      },
    )
  }
  return new Failure(
    'duplicate',
    `the same was sent before, and whether it was executed is unknown (${journalId}, ${openedAt})`,
    {
      ...about,
      hints: [
        hint`Resolve it first: \`${paste('resume', journalId)}\`.`,
        hint`If this is meant to be a second one all the same: --allow-duplicate ${journalId}.`,
      ],
    },
  )
}

/** Something else has sent a payout like this row of a plan, which was made before: the run of the plan ends before the row. */
export class AlikeSincePlanning extends FailureBeforeSending {
  readonly intent: Intent

  constructor(intent: Intent) {
    const { operation, journalId, openedAt } = intent
    super('duplicate', `the same amount went to the same payee since the plan was made (${journalId}, ${openedAt})`, {
      operation,
      journalId,
    })
    this.intent = intent
  }
}

/** Advice for a profile that was moved with --another-service although the service is the same. */
export function sameServiceHint({ profile, service }: Pick<Draft, 'profile' | 'service'>): Hint {
  return hint`If it is the same service at a new address: give the profile ${service} again with --another-service, then the new address with --same-service (\`${paste('profile add', profile, '--replace', blank('…'))}\`).`
}

/** The same key or id, sent by the same profile and client to another address. */
export function sentElsewhere(intent: Intent, draft: Draft): Failure {
  const { journalId, service, state } = intent
  const name = draft.businessKey === null ? `id ${draft.uniqueId}` : `key ${draft.businessKey}`
  const open = state !== 'accepted' && state !== 'exists'
  const how = open ? 'and it may have been executed' : 'and it was executed'
  return new Failure('duplicate', `the ${name} was sent to ${service} (${journalId}, ${state}), ${how}`, {
    ...factsOf(intent),
    // One that was turned away and that another run has in flight may be sent again by now.
    ...(unmoved.has(state) ? { moneyMoved: 'unknown' } : {}),
    hints: [
      sameServiceHint(intent),
      hint`If it is another service and another payment: ${draft.businessKey === null ? 'another id' : 'another --key'}.`,
    ],
  })
}

export function takenOver(intent: Intent): Failure {
  return new Failure('locked', 'another run has taken this payment over', {
    ...factsOf(intent),
    moneyMoved: 'unknown',
    hints: [hint`See how it stands: \`${paste('journal show', intent.journalId)}\`.`],
  })
}

/**
 * Throws Failure('locked') where another run has changed an intent since this one looked at it. One that is told as not executed,
 * by a status or by none (null), must not have been read in another one meanwhile either: that may show the execution.
 */
export function mustStandAs(looked: Intent, standing: Intent, deniedBy: string | null | undefined): void {
  const isChanged = standing.state !== looked.state || standing.isTaken !== looked.isTaken
  const isRead = standing.status !== looked.status && standing.status !== deniedBy
  if (isChanged || (deniedBy !== undefined && isRead)) throw changedMeanwhile(standing)
}

function changedMeanwhile(intent: Intent): Failure {
  return new Failure('locked', `another run has changed ${intent.journalId} meanwhile: it is ${intent.state}`, {
    ...factsOf(intent),
    moneyMoved: ['refused', 'unsent'].includes(intent.state) && !intent.isTaken ? 'no' : 'unknown',
    hints: [hint`Look at it before you resolve it: \`${paste('journal show', intent.journalId)}\`.`],
  })
}

/** The service executed something else under this id: another machine sent it with another sum or beneficiary. */
export function otherSum(intent: Intent, differs: string): Failure {
  return new Failure('duplicate', `the service has this id with another sum or beneficiary: ${differs}`, {
    ...factsOf(intent),
    moneyMoved: 'unknown',
    retry: 'never',
    hints: [
      hint`Another machine or program used the id: look there before you pay anew.`,
      hint`See what this journal sent: \`${paste('journal show', intent.journalId)}\`.`,
    ],
  })
}

/** A conflict: the service has its id, and not certainly from this journal. */
export function conflict(intent: Intent): Failure {
  return new Failure('duplicate', `${intent.journalId} is a conflict: ${intent.because ?? 'its id is taken'}`, {
    ...factsOf(intent),
    moneyMoved: 'unknown',
    retry: 'never',
    hints: [hint`Look at the service which request it was, before you do it anew.`],
  })
}

/** It is over a limit, or waits for an approval: stored, and not sent. */
export function heldOver({ intent, waits }: HeldBack): Failure {
  const { journalId, businessKey, because } = intent
  const keyed = businessKey === null ? '' : ', or the same command with its --key'
  const when = waits === null ? 'it fits' : 'it is approved'
  return new Failure('held', `it is held (${journalId}) and nothing was sent: ${because ?? 'over a limit'}`, {
    ...factsOf(intent),
    hints: [
      ...(waits === null ? [] : [nextOf(journalId, waits.asked)]),
      hint`When ${when}: \`${paste('resume', journalId)}\`${keyed}.`,
      ...(waits === null ? [hint`The limits, and what is left of them: \`${paste('profile show')}\`.`] : []),
      hint`Not to be paid any more: \`${paste('resume', journalId, '--settle', 'refused', '--because', blank('"…"'))}\`.`,
    ],
  })
}

/** The next step towards an approval of a payment or a plan: it is asked for, or another person gives it. */
export function nextOf(subjectId: string, asked: string | null): Hint {
  if (asked !== null) return hint`Another person approves it: \`${paste('approval approve', asked)}\`.`
  return hint`Ask for an approval: \`${paste('approval request', subjectId)}\`.`
}

/** A suspected duplicate where a profile only warns of it. */
export function duplicateWarning({ journalId, state, openedAt }: Intent): string {
  if (state === 'held') return `the same amount to the same payee is held: ${journalId} (${openedAt})`
  return `the same amount went to the same payee less than 24 hours ago: ${journalId} (${state}, ${openedAt})`
}
