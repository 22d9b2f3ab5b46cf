/**
 * The answer to a pain.001 that is refused whole: RJCT for the message, without payments, and a reason for each complaint
 * (ISO 20022 external codes: FF01 its form, AM10 a sum, AM18 a count, DU01 its id, NARR words).
 */
import { Failure } from '../../../failure.ts'
import type { CheckedFile } from '../../read/check.ts'
import type { PainMessage } from '../../read/row.ts'
import { groupXml, headerXml } from './group.ts'
import { reasonXml } from './payment.ts'
import { answering } from './versions.ts'

/** Reasons that are told one by one; the last one counts the rest. */
const mostReasons = 50

type Told = CheckedFile['complaints'][number]

function reasonOf({ row, header }: Told): string {
  const element = header?.split('/').at(-1) ?? null
  if (element === 'CtrlSum') return 'AM10'
  if (element === 'NbOfTxs') return 'AM18'
  if (element === 'MsgId') return 'DU01'
  return row === null && element === null ? 'FF01' : 'NARR'
}

function inWords({ row, header, message }: Told): string {
  const place = [row === null ? null : `Payment ${row}`, header].filter(Boolean).join(', ')
  return place === '' ? message : `${place}: ${message}`
}

/** Null for a file that has nothing against it. Throws usage (2) where the header of the message could not be read. */
export function rejectionXml(
  message: PainMessage | null,
  { file, format, complaints, moreComplaints }: CheckedFile,
  now: number,
): string | null {
  if (complaints.length === 0) return null
  if (!message) {
    const why = format === 'pain.001' ? 'the header of its message could not be read' : `it is ${format}`
    throw new Failure('usage', `${file} has no pain.002 that refuses it: ${why}`)
  }
  const told = complaints.slice(0, mostReasons)
  const left = complaints.length - told.length + moreComplaints
  const reasons = told.map((each) => reasonXml(reasonOf(each), inWords(each)))
  const group = groupXml(message, 'RJCT', ...reasons, left === 0 ? '' : reasonXml('NARR', `and ${left} more`))
  return answering(message.version, `${headerXml('refused', now)}\n${group}\n`)
}
