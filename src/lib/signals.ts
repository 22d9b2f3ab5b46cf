/**
 * ^C and SIGTERM. The first one asks a command to stop, which it does in its own way; whatever holds it up then, the second one
 * ends the process at once, with the code and the line that the first one promised.
 */
import type { Edge } from './edge.ts'
import { Failure, type FailureFacts, type FailureName } from './failure.ts'
import { hint, paste } from './hint.ts'

export type Signal = Parameters<Parameters<Edge['onSignal']>[0]>[0]

export function kindOf(signal: unknown): 'interrupted' | 'terminated' {
  return signal === 'SIGTERM' ? 'terminated' : 'interrupted'
}

/** The signal as a person knows it. */
export function signalInWords(signal: unknown): string {
  return signal === 'SIGTERM' ? 'SIGTERM' : '^C'
}

/** The last words about money when a command is ended. */
export interface StoppedFacts extends FailureFacts {
  readonly said: string
}

export const nothingSent: StoppedFacts = {
  said: 'stopped before anything was sent',
  moneyMoved: 'no',
  retry: 'same-id',
}

/** The same where an earlier run may have sent what this one is about, and the journal has not said how that stands. */
export const nothingSentNow: StoppedFacts = {
  said: 'stopped; nothing was sent by this run',
  moneyMoved: 'unknown',
  retry: 'same-id',
  hints: [
    hint`\`${paste('journal list')}\` shows what earlier runs sent; \`${paste('resume')}\` resolves unknown payments.`,
  ],
}

/** A command that was stopped before there was more to say of it. */
export class BareStop extends Failure {
  constructor(kind: FailureName, facts: FailureFacts) {
    super(kind, nothingSent.said, facts)
  }

  override as(kind: FailureName, facts: FailureFacts): Failure {
    return new BareStop(kind, facts)
  }
}

/** The failure for a signal that the command had no time to answer. */
export function endedAtOnce(signal: unknown, stopped: StoppedFacts): Failure {
  const { said, ...facts } = stopped
  return stopped === nothingSent ? new BareStop(kindOf(signal), facts) : new Failure(kindOf(signal), said, facts)
}
