/** The outcome of a row as a pain.002 says it. A row that may have been paid is never rejected. */
import { type IsoStatus, isoOutcome, isoReason } from '../../../contract/payout/iso20022.ts'
import type { PainVersion } from '../../read/row.ts'
import { ownIntent, type PaperLine } from '../lines.ts'
import { bankLines } from './words.ts'

export interface ReportedOutcome {
  readonly status: IsoStatus
  /** Of the external code list; NARR where only words say it, and null where nothing has to be said. */
  readonly reason: string | null
  readonly words: string | null
}

const inWordsOnly = 'NARR'

export function paymentOutcome(line: PaperLine, version: PainVersion): ReportedOutcome {
  const { standing, code, why } = line
  if (standing === 'refused') return { status: 'RJCT', reason: isoReason(code) ?? inWordsOnly, words: why || 'refused' }
  if (standing === 'exists' || standing === 'unknown' || standing === 'conflict') {
    const how =
      standing === 'conflict'
        ? 'In conflict: do not pay again'
        : 'The outcome is not known: ask again, do not pay again'
    const words = `${how}. ${why ?? ''}`
    return { status: 'PDNG', reason: inWordsOnly, words }
  }
  if (standing === 'unsent') {
    const status = version === 'pain.001.001.09' ? 'RCVD' : 'PDNG'
    return { status, reason: inWordsOnly, words: why === null ? 'not sent' : `not sent: ${why}` }
  }
  const intent = ownIntent(line)
  const { status, reason } = isoOutcome(intent?.status ?? null)
  // Of a payment that an earlier message has made, the first thing to say is that this one moved nothing.
  if (line.before) return { status, reason: reason ?? inWordsOnly, words: why }
  const said = standing === 'not-paid' ? (intent?.statusDescription ?? '') : ''
  // NARR without a word would be no reason.
  return bankLines(said).length === 0 ? { status, reason, words: null } : { status, reason: inWordsOnly, words: said }
}

/** The status of a group or block of payments. */
export function overallStatus(statuses: ReadonlySet<IsoStatus>): IsoStatus | 'PART' {
  const [first = 'PDNG', ...others] = statuses
  if (others.length === 0) return first
  const isAccepted = statuses.has('ACCP') || statuses.has('ACSC')
  if (!isAccepted) return 'PDNG'
  const isLeft = [...statuses].some((status) => status !== 'ACCP' && status !== 'ACSC')
  return isLeft ? 'PART' : 'ACCP'
}
