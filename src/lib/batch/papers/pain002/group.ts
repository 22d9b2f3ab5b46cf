/** The header of a pain.002, and what it says of the message that it answers, whose facts it repeats as they were written. */
import type { PainMessage } from '../../read/row.ts'
import { leaf, node } from './xml.ts'

/** `about`: the beginning of its id, which the moment makes one of its own; `now` in milliseconds since 1970. */
export function headerXml(about: string, now: number): string {
  const moment = new Date(now).toISOString()
  return node('GrpHdr', leaf('MsgId', `${about}-${moment.replace(/\D/g, '')}`), leaf('CreDtTm', moment))
}

/** `more`: the reasons and counts behind the status. */
export function groupXml(
  { messageId, version, createdAt, count, sum }: PainMessage,
  status: string,
  ...more: readonly string[]
): string {
  return node(
    'OrgnlGrpInfAndSts',
    leaf('OrgnlMsgId', messageId),
    leaf('OrgnlMsgNmId', version),
    leaf('OrgnlCreDtTm', createdAt.trim()),
    leaf('OrgnlNbOfTxs', count.trim()),
    leaf('OrgnlCtrlSum', sum?.trim() ?? null),
    leaf('GrpSts', status),
    ...more,
  )
}
