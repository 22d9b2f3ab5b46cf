/**
 * Writes pain.002, the answer to a pain.001: what came of the message, of each block and of each payment. The status of a block
 * stands before its payments and is known after them, so payments go to a temporary file first.
 */

import { fromMinorUnits } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import { payoutEnd } from '../../contract/payout/status.ts'
import { Failure } from '../../failure.ts'
import { SumsBy } from '../count.ts'
import type { Plan } from '../plan.ts'
import type { CheckedFile } from '../read/check.ts'
import type { PainBlock, PainMessage, PainPayment, PainVersion } from '../read/row.ts'
import { ownIntent } from '../row-state.ts'
import { paymentOf } from '../rows.ts'
import { SentBeforeSummary } from '../sent-before.ts'
import type { GrowingFile } from './files.ts'
import type { ReportRow } from './report.ts'

/**
 * Outcomes of a payout as a pain.002 (ISO 20022, payment status report) calls them. ACSP and ACCC are never said: the service
 * tells neither that a payout is sure to be executed, nor that the payee's account has it.
 */
export type IsoStatus = 'ACCP' | 'ACSC' | 'PDNG' | 'RJCT' | 'RCVD'

interface IsoOutcome {
  readonly status: IsoStatus
  /** Of the external code list; null where there is nothing to explain. */
  readonly reason: string | null
}

/** The outcome of an accepted payout by its newest status; of a status that nobody knows, that it was accepted. */
export function isoOutcome(status: string | null): IsoOutcome {
  const end = status === null ? null : payoutEnd(status)
  if (end === 'paid') return { status: 'ACSC', reason: null }
  if (end === 'not-paid') return { status: 'RJCT', reason: 'MS03' }
  if (status === 'INITIAL_INSUFFICIENT_BALANCE') return { status: 'PDNG', reason: 'AM04' }
  return { status: 'ACCP', reason: null }
}

/** Reasons of the external code list for codes of the service. */
const reasons: ReadonlyMap<number, string> = new Map([
  [5023, 'AC01'],
  [5038, 'AM04'],
  [5041, 'BE06'],
  [5045, 'AM06'],
  [5046, 'AM02'],
  [5050, 'AM03'],
  [5051, 'AM03'],
])

class Tally {
  readonly #sums = new SumsBy<IsoStatus>([])

  add(status: IsoStatus, { planned }: ReportRow): void {
    this.#sums.of(status).add(planned)
  }

  get rows(): number {
    return this.#sums.entries.reduce((count, [, { rows }]) => count + rows, 0)
  }

  get status() {
    return overallStatus(new Set(this.#sums.entries.map(([status]) => status)))
  }

  /** `NbOfTxsPerSts`, an element for each status. */
  xml(): string {
    const xml = this.#sums.entries.map(([status, { rows, control }]) => {
      const sum = leaf('DtldCtrlSum', fromMinorUnits(control))
      return node('NbOfTxsPerSts', leaf('DtldNbOfTxs', String(rows)), leaf('DtldSts', status), sum)
    })
    return xml.join('')
  }
}

interface BlockTally {
  readonly block: PainBlock
  readonly tally: Tally
}

export class StatusReport {
  readonly #plan: Plan
  readonly #message: PainMessage
  readonly #payments: GrowingFile
  readonly #now: number
  readonly #all = new Tally()
  readonly #blocks: BlockTally[] = []
  readonly #before = new SentBeforeSummary()

  /** `payments`: the temporary file of the payments. Throws usage (2) for a plan of another format. */
  constructor(plan: Plan, payments: GrowingFile, now: number) {
    this.#plan = plan
    this.#message = messageOf(plan)
    this.#payments = payments
    this.#now = now
  }

  async add(lines: readonly ReportRow[]): Promise<void> {
    for (const line of lines) {
      const payment = paymentOf(line.planned)
      if (!payment)
        throw new Failure('bug', `row ${line.planned.number} of ${this.#plan.planId} has no original payment`)
      const outcome = paymentOutcome(line, this.#message.version)
      const block = this.#blockOf(payment.block)
      block.tally.add(outcome.status, line)
      this.#all.add(outcome.status, line)
      if (line.before) this.#before.add(line.planned, line.before)
      await this.#payments.write(`${paymentXml(line, payment, outcome, this.#plan.headers)}\n`)
    }
  }

  #blockOf(block: PainBlock): BlockTally {
    const last = this.#blocks.at(-1)
    if (last?.block.number === block.number) return last
    const next = { block, tally: new Tally() }
    this.#blocks.push(next)
    return next
  }

  async finish(write: (text: string) => Promise<void>): Promise<void> {
    const [begin, end] = frameOf(this.#message.version)
    await write(begin)
    await write(`${headerXml(this.#plan.planId, this.#now)}\n${this.#group()}\n`)
    const payments = linesIn(this.#payments.read())
    for (const { block, tally } of this.#blocks) {
      await write(`<OrgnlPmtInfAndSts>${blockXml(block, tally)}\n`)
      for (let count = 0; count < tally.rows; count += 1) {
        const { value } = await payments.next()
        await write(`${value ?? ''}\n`)
      }
      await write('</OrgnlPmtInfAndSts>\n')
    }
    await write(end)
  }

  #group(): string {
    const { status, rows } = this.#all
    const before = this.#before.rows
    const [were, them] = before === 1 ? ['was', 'it'] : ['were', 'them']
    const sent = `Of ${howMany(rows, 'payment')} ${before} ${were} sent before this message, and nothing moved for ${them} now`
    const about = before > 0 ? sent : status === 'ACCP' || status === 'ACSC' ? null : `Plan ${this.#plan.planId}`
    const reason = about === null ? '' : reasonXml('NARR', `${about}: see each payment`)
    return groupXml(this.#message, status, reason, this.#all.xml())
  }
}

function messageOf({ message, planId, format }: Plan): PainMessage {
  if (message) return message
  throw new Failure('usage', `${planId} is the plan of a ${format} file, but a pain.002 answers only a pain.001`)
}

function blockXml({ paymentInformationId, count, sum }: PainBlock, tally: Tally): string {
  return [
    leaf('OrgnlPmtInfId', paymentInformationId),
    leaf('OrgnlNbOfTxs', count?.trim() ?? null),
    leaf('OrgnlCtrlSum', sum?.trim() ?? null),
    leaf('PmtInfSts', tally.status),
    tally.xml(),
  ].join('')
}

async function* linesIn(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

// The answer to a pain.001 that is refused whole: RJCT for the message, without payments, and a reason for each complaint (external
// codes of ISO 20022: FF01 its form, AM10 a sum, AM18 a count, DU01 its id, NARR words).

/** Reasons that are told one by one; one more counts the rest. */
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

/** Null for a file without complaints. Throws usage (2) if the header of the message cannot be read. */
export function rejectionXml(
  message: PainMessage | null,
  { file, format, complaints, moreComplaints }: CheckedFile,
  now: number,
): string | null {
  if (complaints.length === 0) return null
  if (!message) {
    const why = format === 'pain.001' ? 'the header of its message could not be read' : `it is ${format}`
    throw new Failure('usage', `no pain.002 can be written for ${file}: ${why}`)
  }
  const told = complaints.slice(0, mostReasons)
  const left = complaints.length - told.length + moreComplaints
  const reasons = told.map((each) => reasonXml(reasonOf(each), inWords(each)))
  const group = groupXml(message, 'RJCT', ...reasons, left === 0 ? '' : reasonXml('NARR', `and ${left} more`))
  return frameOf(message.version).join(`${headerXml('refused', now)}\n${group}\n`)
}

// The headers: facts of the original message are repeated as they were written.

/** `about`: the beginning of the message id; the time makes it unique. `now`: milliseconds since 1970. */
function headerXml(about: string, now: number): string {
  const moment = new Date(now).toISOString()
  return node('GrpHdr', leaf('MsgId', `${about}-${moment.replace(/\D/g, '')}`), leaf('CreDtTm', moment))
}

/** `more`: the reasons and counts behind the status. */
function groupXml(
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

// One payment: its original ids as they were written, and what came of it.

const longestReference = 35

function reasonXml(reason: string, words: string | null): string {
  const lines = words === null ? [] : bankLines(words)
  return node('StsRsnInf', node('Rsn', leaf('Cd', reason)), ...lines.map((line) => leaf('AddtlInf', line)))
}

/** Without line ends. `headers`: the headers of the plan's cells. */
function paymentXml(
  line: ReportRow,
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

function originalXml({ planned }: ReportRow, payment: PainPayment, headers: readonly string[]): string {
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

// The outcome of a row. A row that may have been paid is never rejected.

interface ReportedOutcome {
  readonly status: IsoStatus
  /** A code of ISO 20022; NARR if only words say it, null without a reason. */
  readonly reason: string | null
  readonly words: string | null
}

const inWordsOnly = 'NARR'

export function paymentOutcome(line: ReportRow, version: PainVersion): ReportedOutcome {
  const { standing, code, why } = line
  if (standing === 'refused')
    return { status: 'RJCT', reason: reasons.get(code ?? 0) ?? inWordsOnly, words: why || 'refused' }
  if (standing === 'exists' || standing === 'unknown' || standing === 'conflict') {
    const how =
      standing === 'conflict' ? 'In conflict: do not pay again' : 'The outcome is unknown: ask again, do not pay again'
    const words = `${how}. ${why ?? ''}`
    return { status: 'PDNG', reason: inWordsOnly, words }
  }
  if (standing === 'unsent') {
    const status = version === 'pain.001.001.09' ? 'RCVD' : 'PDNG'
    return { status, reason: inWordsOnly, words: why === null ? 'not sent' : `not sent: ${why}` }
  }
  const intent = ownIntent(line)
  const { status, reason } = isoOutcome(intent?.status ?? null)
  // Nothing moved for this message: that must be said, although an earlier message was paid.
  if (line.before) return { status, reason: reason ?? inWordsOnly, words: why }
  const said = standing === 'not-paid' ? (intent?.statusDescription ?? '') : ''
  // NARR without words would say nothing.
  return bankLines(said).length === 0 ? { status, reason, words: null } : { status, reason: inWordsOnly, words: said }
}

export function overallStatus(statuses: ReadonlySet<IsoStatus>): IsoStatus | 'PART' {
  const [first = 'PDNG', ...others] = statuses
  if (others.length === 0) return first
  const isAccepted = statuses.has('ACCP') || statuses.has('ACSC')
  if (!isAccepted) return 'PDNG'
  const isLeft = [...statuses].some((status) => status !== 'ACCP' && status !== 'ACSC')
  return isLeft ? 'PART' : 'ACCP'
}

// Words for banks: their letters, in lines of the length that the message allows.

/** Other characters, and those that stand for them in the same place. */
const [others, spelled] = ['"`’‘“”;_–—=[]{}&', "'''''',---:()()+"]
const longer: Readonly<Record<string, string>> = { '…': '...', '%': ' per cent' }

/** Changes the letters of a text of paydesk or of the service, never of a payment. */
export function bankWords(text: string): string {
  const letters = text.replace(/[^A-Za-z0-9\u10D0-\u10FF/\-?:().,'+ ]/gu, (each) => {
    const at = others.indexOf(each)
    return at >= 0 ? spelled.charAt(at) : (longer[each] ?? (/\s/.test(each) ? ' ' : '.'))
  })
  return letters.replace(/ {2,}/g, ' ').trim()
}

const longestLine = 105
/** A support person reads the first sentences; the journal has the rest. */
const mostLines = 4

/** The words in lines, broken between words if possible. */
export function bankLines(text: string): readonly string[] {
  const lines: string[] = []
  let rest = bankWords(text)
  while (rest !== '' && lines.length < mostLines) {
    const blank = rest.length <= longestLine ? rest.length : rest.lastIndexOf(' ', longestLine)
    const end = blank > 0 ? blank : longestLine
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trim()
  }
  return lines
}

const answers: Readonly<Record<PainVersion, string>> = {
  'pain.001.001.03': 'pain.002.001.03',
  'pain.001.001.09': 'pain.002.001.10',
}

function frameOf(version: PainVersion): readonly [begin: string, end: string] {
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${answers[version]}`
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}"><CstmrPmtStsRpt>\n`,
    '</CstmrPmtStsRpt></Document>\n',
  ]
}

// XML as text. Names come from this program, values from anywhere.

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a value. Line ends and tabs become numbers, because a parser would read them as blanks. Other control characters are not allowed in XML. */
function escaped(value: string): string {
  return value.replace(/[&<>"\t\r\n]|\p{Cc}|[\uFFFE\uFFFF]|\p{Cs}/gu, (each) => {
    if (/[\t\r\n]/.test(each)) return `&#${each.charCodeAt(0)};`
    return escapes[each] ?? '\uFFFD'
  })
}

/** An element with a value; '' without a value. */
export function leaf(name: string, value: string | null, attributes: Readonly<Record<string, string>> = {}): string {
  if (value === null) return ''
  const given = Object.entries(attributes).map(([key, each]) => ` ${key}="${escaped(each)}"`)
  return `<${name}${given.join('')}>${escaped(value)}</${name}>`
}

/** An element with elements inside; '' without any. */
function node(name: string, ...inside: readonly string[]): string {
  const text = inside.join('')
  return text === '' ? '' : `<${name}>${text}</${name}>`
}
