/** The words of paydesk itself, explained: what to do after each exit code, and the states of the journal. */
import { type FailureName, failures } from '../../failure.ts'
import { blank, type Hint, hint, paste } from '../../hint.ts'
import type { State } from '../../journal/verdict.ts'

const lookUp = hint`\`${paste('journal list')}\` says how everything stands; \`${paste('resume')}\` resolves what is unknown.`

export const afterExit: Readonly<Record<FailureName, Hint>> = {
  bug: hint`Pay nothing before you have looked. ${lookUp} \`${paste('journal verify')}\` says whether the journal was changed.`,
  usage: hint`Mend what the error line names and run it again: nothing was sent.`,
  declined: hint`Run it again and agree to it, if it is right: nothing was sent.`,
  credentials: hint`\`${paste('profile check')}\` says which address or key does not work. Mend it and run it again.`,
  refused: hint`Read the code and the words of the service; mend the request, then it may be sent again. What was taken and has ended unpaid needs a new id.`,
  'not-found': hint`Check the id and the profile: \`${paste('journal list')}\` shows what is known here.`,
  duplicate: hint`Send nothing anew. Look which payment has this id or key: \`${paste('journal show', blank('<id>'))}\`.`,
  pending: hint`Wait on: \`${paste('payout wait', blank('<id>'))}\` or \`${paste('order wait', blank('<id>'))}\`. Never create it anew.`,
  unknown: hint`Never create it anew: \`${paste('resume')}\` finds out, and sends it again only under the same id.`,
  partial: hint`\`${paste('batch report', blank('<plan>'))}\` says which rows failed and why.`,
  unsent: hint`Run the same command again: nothing left this machine.`,
  locked: hint`Wait for the other run, or plan the file anew, then run it again.`,
  held: hint`\`${paste('resume', blank('<id>'))}\` sends it when it fits or is approved.`,
  interrupted: lookUp,
  terminated: lookUp,
}

interface Explained {
  readonly means: string
  readonly moneyMoved: string
  readonly next: Hint
  readonly exit: number | null
}

const nothing = 'no'

export const journalStates: Readonly<Record<State, Explained>> = {
  accepted: {
    means: 'the service took it and said its number',
    moneyMoved: 'as its status says',
    next: hint`\`${paste('payout list', '--refresh')}\` reads its status.`,
    exit: 0,
  },
  exists: {
    means: 'the service has it, but never told its number, or its answer was lost',
    moneyMoved: 'as its status says; unknown without one',
    next: hint`Close a payout when a statement names it: \`${paste('payout reconcile', blank('<uniqueId>'), '--transaction-id', blank('<n>'))}\`. Never create it anew.`,
    exit: 0,
  },
  refused: {
    means: 'definitely not executed; or a conflict (7): another request has its id',
    moneyMoved: 'no; after a conflict unknown',
    next: hint`\`${paste('journal show', blank('<id>'))}\` says why. Mend it; the id may be used again, but not after a conflict.`,
    exit: failures.refused.exit,
  },
  'turned-away': {
    means: 'turned away by the token or the rate, before the service looked at it',
    moneyMoved: nothing,
    next: hint`\`${paste('resume', blank('<id>'))}\`, or the same command with the same id.`,
    exit: null,
  },
  unsent: {
    means: 'not a byte left this machine',
    moneyMoved: nothing,
    next: afterExit.unsent,
    exit: failures.unsent.exit,
  },
  unknown: {
    means: 'sent, and no definite answer came',
    moneyMoved: 'unknown',
    next: afterExit.unknown,
    exit: failures.unknown.exit,
  },
  held: {
    means: 'over a limit of its profile, or waiting for an approval: kept, and not sent',
    moneyMoved: nothing,
    next: afterExit.held,
    exit: failures.held.exit,
  },
}
