/**
 * Reads pain.001 (ISO 20022, customer credit transfer initiation), versions 001.001.03 and 001.001.09: builds rows, and compares
 * counts and control sums with the payments.
 */
import type { SaxesTagNS } from 'saxes'
import { dayAtService, momentOfValidUntil } from '../../../contract/date.ts'
import type { Circumstances } from '../../../contract/operation.ts'
import { withoutEnd } from '../../../text.ts'
import { decodeText, markOf } from '../file.ts'
import {
  type BatchFile,
  type BatchRow,
  type Complaint,
  complaintAt,
  type FileSummary,
  type OpenedFile,
  type PainBlock,
  type PainMessage,
  type PainVersion,
  type ReadOptions,
} from '../row.ts'
import { RowBuilder, SeenKeys } from '../row-builder.ts'
import { lastComplaint, onlyComplaints } from '../table.ts'
import { Values, Xml } from '../xml.ts'
import {
  collapsed,
  type DescriptionOf,
  descriptionBy,
  filledPayment,
  painHeaders,
  pathOfField,
  scaled,
} from './payment.ts'
import { Walk, type WalkListener } from './schema.ts'

/** True for a day or a moment in the future of the service. */
function isLater(text: string, now: number): boolean {
  const plain = collapsed(text)
  const moment = plain.length > 10 ? momentOfValidUntil(plain) : null
  return moment === null ? plain.slice(0, 10) > dayAtService(now) : moment > now
}

class PainReader implements WalkListener {
  readonly #circumstances: Circumstances
  readonly #debits: ReadOptions['debits']
  readonly #builder: RowBuilder
  readonly #describe: DescriptionOf | null
  readonly #all = new Counted()
  readonly #blockIds = new SeenKeys()
  readonly #instructions = new SeenKeys()
  #ready: (BatchRow | Complaint)[] = []
  #version: PainVersion = 'pain.001.001.03'
  #message: PainMessage | null = null
  readonly #file = new Scope('')
  readonly #header = new Scope('GrpHdr/')
  #blockScope = new Scope('')
  #payment: Scope | null = null
  /** The innermost one that is open. */
  #scope = this.#file
  #blocks = 0
  #block: PainBlock | null = null
  #counted = new Counted()
  #payments = 0
  #firstAccount: string | null | undefined

  constructor({ circumstances, debits }: ReadOptions, describe: DescriptionOf | null) {
    this.#describe = describe
    this.#circumstances = circumstances
    this.#debits = debits
    this.#builder = new RowBuilder({ circumstances }, (field) => ({ column: null, header: pathOfField(field) }))
  }

  summary(): FileSummary {
    return { ...this.#builder.summary, message: this.#message }
  }

  taken(): readonly (BatchRow | Complaint)[] {
    const taken = this.#ready
    this.#ready = []
    return taken
  }

  version(version: PainVersion): void {
    this.#version = version
  }

  open(type: string): void {
    if (type === 'GrpHdr') this.#scope = this.#header
    else if (type === 'PmtInf') this.#openBlock()
    else if (type === 'CdtTrfTxInf') {
      this.#block ??= this.#beginBlock()
      this.#payment = new Scope('')
      this.#scope = this.#payment
    } else if (type === 'EqvtAmt') this.#payment?.add('Amt/EqvtAmt', '')
  }

  value(path: string, text: string | null, tag: SaxesTagNS): void {
    if (text !== null) this.#scope.add(path, text)
    if (this.#payment && tag.attributes.Ccy && tag.local.endsWith('Amt'))
      this.#currency(this.#payment, tag.attributes.Ccy.value)
  }

  #currency(payment: Scope, currency: string): void {
    payment.currency = currency
    if (!/^[A-Z]{3}$/.test(currency)) payment.wrong.set('Amt/InstdAmt/@Ccy', 'must be 3 capital letters')
  }

  passed(path: string): void {
    this.#payment?.add(path, '')
  }

  wrong(path: string, message: string): void {
    if (path === 'Document') this.#complain('Document', message)
    else if (!this.#payment) this.#complain(`${this.#scope.prefix}${path}`, message)
    else if (!this.#payment.wrong.has(path)) this.#payment.wrong.set(path, message)
  }

  #inBlock(path: string): string {
    return `${this.#blockScope.prefix}${path}`
  }

  #complain(header: string, message: string | null): void {
    if (message !== null) this.#ready.push(complaintAt({ header }, message))
  }

  close(type: string): void {
    if (type === 'GrpHdr') this.#closeHeader()
    else if (type === 'CdtTrfTxInf') this.#closePayment()
    else if (type === 'PmtInf') this.#closeBlock()
    else if (type === 'CstmrCdtTrfInitn') this.#closeFile()
  }

  #closeHeader(): void {
    const one = (path: string) => this.#header.one(path)
    const [messageId = '', createdAt = '', count = ''] = [one('MsgId'), one('CreDtTm'), one('NbOfTxs')]
    this.#message = { version: this.#version, messageId, createdAt, count, sum: one('CtrlSum') ?? null }
    this.#scope = this.#file
  }

  #openBlock(): void {
    this.#blocks += 1
    this.#blockScope = new Scope(`PmtInf[${this.#blocks}]/`)
    this.#scope = this.#blockScope
    this.#block = null
    this.#counted = new Counted()
  }

  #beginBlock(): PainBlock {
    const one = (path: string) => this.#blockScope.one(path)
    const [id = '', date = one('ReqdExctnDt/Dt') ?? one('ReqdExctnDt/DtTm') ?? ''] = [
      one('PmtInfId'),
      one('ReqdExctnDt'),
    ]
    const debtorIban = one('DbtrAcct/Id/IBAN') ?? null
    if (one('PmtMtd') === 'CHK') this.#complain(this.#inBlock('PmtMtd'), 'is CHK: cheques are not paid')
    if (date !== '' && isLater(date, this.#circumstances.now)) {
      this.#complain(this.#inBlock('ReqdExctnDt'), `is ${date}: payouts are sent at once, on the day they are run`)
    }
    const before = id === '' ? null : this.#blockIds.rowBefore(id, this.#blocks)
    if (before !== null) this.#complain(this.#inBlock('PmtInfId'), `has the id of PmtInf[${before}] once more: ${id}`)
    this.#compareAccounts(debtorIban)
    const [count = null, sum = null] = [one('NbOfTxs'), one('CtrlSum')]
    return { number: this.#blocks, paymentInformationId: id, count, sum, executionDate: date, debtorIban }
  }

  #compareAccounts(iban: string | null): void {
    if (this.#debits === null) return
    const path = this.#inBlock('DbtrAcct/Id/IBAN')
    if (this.#debits === 'any-account' && iban === null) this.#complain(path, 'is missing: it would be debited')
    if (this.#firstAccount === undefined) this.#firstAccount = iban
    if (this.#debits === 'any-account' || iban === this.#firstAccount) return
    this.#complain(
      path,
      'is another account than that of PmtInf[1], and the profile may not choose the one that is debited',
    )
  }

  #closePayment(): void {
    const [payment, block, message] = [this.#payment, this.#block, this.#message]
    this.#payment = null
    this.#scope = this.#blockScope
    this.#payments += 1
    if (!payment || !block) return
    const amount = payment.one('Amt/InstdAmt') ?? payment.one('Amt/EqvtAmt/Amt')
    const value = amount === undefined ? null : scaled(amount)
    this.#counted.add(value)
    this.#all.add(value)
    this.#instruction(payment, block)
    const fromIban = this.#debits === 'any-account' ? (block.debtorIban?.toUpperCase() ?? null) : null
    const { wrong, currency } = payment
    const known = message ?? { version: this.#version, messageId: '', createdAt: '', count: '', sum: null }
    const parts = {
      number: this.#payments,
      values: payment,
      wrong,
      currency,
      message: known,
      block,
      fromIban,
      describe: this.#describe,
    }
    for (const each of this.#builder.make(filledPayment(parts))) this.#ready.push(each)
  }

  #instruction(payment: Scope, block: PainBlock): void {
    const id = payment.one('PmtId/InstrId')
    if (id === undefined) return
    const before = this.#instructions.rowBefore(`${block.number}/${id}`, this.#payments)
    if (before !== null) payment.wrong.set('PmtId/InstrId', `has the id of row ${before} once more: ${id}`)
  }

  #closeBlock(): void {
    this.#complain(this.#inBlock('NbOfTxs'), this.#counted.aboutCount(this.#blockScope.one('NbOfTxs')))
    this.#complain(this.#inBlock('CtrlSum'), this.#counted.aboutSum(this.#blockScope.one('CtrlSum')))
    this.#scope = this.#file
  }

  #closeFile(): void {
    this.#complain('GrpHdr/NbOfTxs', this.#all.aboutCount(this.#header.one('NbOfTxs')))
    this.#complain('GrpHdr/CtrlSum', this.#all.aboutSum(this.#header.one('CtrlSum')))
  }
}

/** The values of the group header, a block or a payment by path, and what is wrong with them. */
class Scope extends Values {
  /** Of its paths in complaints. */
  readonly prefix: string
  readonly wrong = new Map<string, string>()
  currency: string | null = null

  constructor(prefix: string) {
    super()
    this.prefix = prefix
  }
}

/** Counts payments and adds their sums, to compare them with the headers. */

/** A scaled sum as people write it, with at least two decimals. */
function unscaled(value: bigint): string {
  const digits = value.toString().padStart(18, '0')
  const fraction = digits.slice(-17)
  return `${digits.slice(0, -17)}.${fraction.slice(0, 2)}${withoutEnd(fraction.slice(2), '0')}`
}

class Counted {
  #payments = 0
  #sum: bigint | null = 0n

  /** Null for a sum that cannot be read: then no control sum is compared. */
  add(amount: bigint | null): void {
    this.#payments += 1
    this.#sum = this.#sum === null || amount === null ? null : this.#sum + amount
  }

  /** The complaint about a NbOfTxs; null if it is right or absent. */
  aboutCount(says: string | undefined): string | null {
    if (says === undefined || BigInt(says) === BigInt(this.#payments)) return null
    return `says ${says}, and there ${this.#payments === 1 ? 'is' : 'are'} ${this.#payments}`
  }

  /** The complaint about a CtrlSum, which adds all amounts whatever their currency. */
  aboutSum(says: string | undefined): string | null {
    if (says === undefined || this.#sum === null || scaled(says) === this.#sum) return null
    return `says ${collapsed(says)}, and the amounts are ${unscaled(this.#sum)}`
  }
}

// The encoding of an XML file: its byte order mark, or its XML declaration.

interface XmlEncoding {
  /** A name that TextDecoder knows. */
  readonly label: string
  /** Bytes of the byte order mark. */
  readonly mark: number
}

/** The encoding, or why the file cannot be read. */
export function xmlEncodingOf(start: Buffer): XmlEncoding | { readonly why: string } {
  const mark = markOf(start)
  const first = start.toString('latin1', mark?.length ?? 0, 1024)
  const [, declared = null] = /^<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/.exec(first) ?? []
  if (mark && mark.encoding !== 'UTF-8') return { label: mark.encoding, mark: mark.length }
  const named = declared ?? 'UTF-8'
  if (mark && !/^utf-?8$/i.test(named)) {
    return { why: `declares the encoding ${named}, and begins with the mark of UTF-8: one of the two is wrong` }
  }
  if (/^utf-?16/i.test(named)) return { why: `declares the encoding ${named}, and its bytes are none of it` }
  try {
    const label = new TextDecoder(named).encoding === 'utf-8' ? 'UTF-8' : named
    return { label, mark: mark?.length ?? 0 }
  } catch {
    return { why: `declares the encoding ${named}, which is not known` }
  }
}

async function* rowsOf(text: AsyncIterable<string>, reader: PainReader): AsyncGenerator<BatchRow | Complaint> {
  const xml = new Xml(new Walk(reader))
  try {
    for await (const piece of text) {
      xml.write(piece)
      yield* reader.taken()
    }
    xml.end()
    yield* reader.taken()
  } catch (error) {
    const last = lastComplaint(error, null)
    yield* reader.taken()
    yield last
  }
}

export async function readPain001({ name, bytes }: OpenedFile, options: ReadOptions): Promise<BatchFile> {
  const about = { name, format: 'pain.001', delimiter: null } as const
  const encoding = xmlEncodingOf(bytes.start)
  const describe = options.map === null ? null : descriptionBy(options.map)
  const keyless = 'is a pain.001, which has no columns: leave --key-column out; EndToEndId is the key'
  const why = options.keyColumn !== null ? keyless : describe !== null && 'why' in describe ? describe.why : null
  if ('why' in encoding || why !== null || (describe !== null && 'why' in describe)) {
    await bytes.all[Symbol.asyncIterator]().return?.()
    const message = why ?? ('why' in encoding ? encoding.why : '')
    return { ...about, encoding: 'none', ...onlyComplaints([complaintAt({}, message)]) }
  }
  const reader = new PainReader(options, describe)
  const text = decodeText(bytes.all, encoding.label, encoding.mark)
  return {
    ...about,
    encoding: encoding.label,
    headers: painHeaders,
    rows: rowsOf(text, reader),
    summary: () => reader.summary(),
  }
}
