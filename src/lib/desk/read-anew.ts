/** A write whose thing has ended by what the journal has of it, read once more before that is told: a copy that lags behind may have shown it. */
import type { Subject, WriteOperation } from '../contract/operation.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { factsOf, type Intent } from '../journal/intent.ts'
import type { Desk } from './desk.ts'
import { look } from './evidence.ts'
import { asItIsNow } from './recover/at-stake.ts'
import { compareSum } from './recover/shown-sum.ts'

/** The write as it is known behind the read; `unread`: the failure (9) to tell where nothing could be read. */
export interface ReadAnew {
  readonly intent: Intent
  readonly unread: Failure | null
}

/**
 * Any status that is shown counts, one that is not known among them. Throws a Failure: duplicate (7) where another sum is shown,
 * unknown (9) where the journal could not note the status, interrupted.
 */
export async function readAnew(desk: Desk, { about, evidence }: WriteOperation, intent: Intent): Promise<ReadAnew> {
  const { answer, isUnnoted, failure } = evidence ? await look(desk, evidence, intent) : {}
  if (answer && typeof answer.status === 'string') {
    const now = isUnnoted ? null : await asItIsNow(desk, about, intent).catch(() => null)
    const compared = await compareSum(desk, now ?? intent, answer)
    if (now === null) throw unnoted(about, intent, answer.status)
    return { intent: compared ?? now, unread: null }
  }
  if (desk.signal.aborted) throw stopped(about, intent)
  return { intent, unread: cannotBeRead(about, intent, failure?.message ?? 'it shows no status of it') }
}

/** It was read, and nothing of the journal may be told of it. */
export function unnoted(about: Subject, intent: Intent, status: string): Failure {
  const before = intent.status === null ? '' : `was ${intent.status} when it was last read, and `
  const told = `the ${about} ${before}reads ${status} now, which the journal could not note`
  return new Failure('unknown', told, {
    ...factsOf(intent),
    status,
    moneyMoved: 'unknown',
    retry: 'same-id',
    hints: [hint`Mend the disk, or wait until nothing holds the journal, then run it again: never create it anew.`],
  })
}

function cannotBeRead(about: Subject, intent: Intent, why: string): Failure {
  return new Failure(
    'unknown',
    `the ${about} was ${intent.status} when it was last read, and cannot be read now: ${why}`,
    {
      ...factsOf(intent),
      moneyMoved: 'unknown',
      retry: 'same-id',
      hints: [hint`It may have been paid since: never create it anew before it was read.`],
    },
  )
}

function stopped(about: Subject, intent: Intent): Failure {
  const told = `stopped while the ${about} was read anew; it was ${intent.status} when it was last read`
  return new Failure('interrupted', told, { ...factsOf(intent), moneyMoved: 'unknown', retry: 'same-id' })
}
