/** One payment of a pain.002: the original ids as they were written, and what came of it. */
import type { PainPayment } from '../../read/row.ts'
import { ownIntent, type PaperLine } from '../lines.ts'
import type { ReportedOutcome } from './outcome.ts'
import { bankLines } from './words.ts'
import { leaf, node } from './xml.ts'

const longestReference = 35

export function reasonXml(reason: string, words: string | null): string {
  const lines = words === null ? [] : bankLines(words)
  return node('StsRsnInf', node('Rsn', leaf('Cd', reason)), ...lines.map((line) => leaf('AddtlInf', line)))
}

/** `headers`: of the plan's cells. It has no line end. */
export function paymentXml(
  line: PaperLine,
  payment: PainPayment,
  { status, reason, words }: ReportedOutcome,
  headers: readonly string[],
): string {
  const { journalId = null, transactionId = null } = ownIntent(line) ?? {}
  const reference = transactionId !== null && transactionId.length <= longestReference ? transactionId : null
  const isLater = payment.message.version === 'pain.001.001.09'
  return node(
    'TxInfAndSts',
    leaf('StsId', journalId),
    leaf('OrgnlInstrId', payment.instructionId),
    leaf('OrgnlEndToEndId', payment.endToEndId),
    leaf('OrgnlUETR', isLater ? payment.uetr : null),
    leaf('TxSts', status),
    reason === null ? '' : reasonXml(reason, words),
    leaf('AcctSvcrRef', reference),
    originalXml(line, payment, headers),
  )
}

function originalXml({ planned }: PaperLine, payment: PainPayment, headers: readonly string[]): string {
  const source = JSON.parse(planned.source) as readonly string[]
  const cell = (name: string) => source[headers.indexOf(name)] || null
  const isLater = payment.message.version === 'pain.001.001.09'
  const name = leaf('Nm', cell('Cdtr/Nm'))
  return node(
    'OrgnlTxRef',
    node('Amt', leaf('InstdAmt', payment.amount.trim(), { Ccy: payment.currency })),
    executionXml(payment.block.executionDate.trim(), isLater),
    node('Cdtr', isLater ? node('Pty', name) : name),
    node('CdtrAcct', node('Id', leaf('IBAN', cell('CdtrAcct/Id/IBAN')))),
  )
}

function executionXml(date: string, isLater: boolean): string {
  if (!isLater) return leaf('ReqdExctnDt', date)
  return node('ReqdExctnDt', leaf(date.includes('T') ? 'DtTm' : 'Dt', date))
}
