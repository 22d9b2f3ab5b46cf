/**
 * Reads pain.001 (ISO 20022, customer credit transfer initiation), versions 001.001.03 and 001.001.09: builds rows, and compares
 * counts and control sums with the payments.
 */
import { dayAtService, momentOfValidUntil } from '../../../contract/date.ts'
import type { Circumstances } from '../../../contract/operation.ts'
import { withoutEnd } from '../../../text.ts'
import { byteOrderMark, decodeText } from '../file.ts'
import {
  type BatchFile,
  type BatchRow,
  type Complaint,
  complaintAt,
  type FileSummary,
  type OpenedFile,
  type PainBlock,
  type PainMessage,
  type ReadOptions,
} from '../row.ts'
import { RowBuilder, SeenKeys } from '../row-builder.ts'
import { lastComplaint, onlyComplaints } from '../table.ts'
import { Xml } from '../xml.ts'
import { type DescriptionOf, descriptionBy, filledPayment, painHeaders, pathOfField } from './payment.ts'
import { collapsed, Scope, type ScopeListener, scaled, Walk } from './schema.ts'

function isLater(text: string, now: number): boolean {
  const plain = collapsed(text)
  const moment = plain.length > 10 ? momentOfValidUntil(plain) : null
  return moment === null ? plain.slice(0, 10) > dayAtService(now) : moment > now
}

class PainReader implements ScopeListener {
  readonly #circumstances: Circumstances
  readonly #debits: ReadOptions['debits']
  readonly #describe: DescriptionOf | null
  readonly #builder: RowBuilder
  readonly #walk = new Walk(this)
  readonly #xml = new Xml(this.#walk)
  #ready: (BatchRow | Complaint)[] = []
  #message: PainMessage | null = null
  readonly #all = new Counted()
  readonly #blockIds = new SeenKeys()
  readonly #instructions = new SeenKeys()
  #header = new Scope('GrpHdr', 'GrpHdr/')
  #payments = 0
  // Of the block that is being read; its facts are known where its first payment begins.
  #blocks = 0
  #scope = new Scope('PmtInf')
  #block: PainBlock | null = null
  #counted = new Counted()
  #firstAccount: string | null | undefined

  constructor({ circumstances, debits }: ReadOptions, describe: DescriptionOf | null) {
    this.#circumstances = circumstances
    this.#debits = debits
    this.#describe = describe
    this.#builder = new RowBuilder({ circumstances }, (field) => ({ column: null, header: pathOfField(field) }))
  }

  summary(): FileSummary {
    return { ...this.#builder.summary, message: this.#message }
  }

  async *read(text: AsyncIterable<string>): AsyncGenerator<BatchRow | Complaint> {
    try {
      for await (const piece of text) {
        this.#xml.write(piece)
        yield* this.#taken()
      }
      this.#xml.end()
      yield* this.#taken()
    } catch (error) {
      const last = lastComplaint(error, null)
      yield* this.#taken()
      yield last
    }
  }

  #taken(): readonly (BatchRow | Complaint)[] {
    const taken = this.#ready
    this.#ready = []
    return taken
  }

  open(scope: Scope): void {
    if (scope.type === 'PmtInf') {
      this.#blocks += 1
      this.#scope = scope
      this.#block = null
      this.#counted = new Counted()
    } else if (scope.type === 'CdtTrfTxInf') this.#block ??= this.#beginBlock(this.#scope)
  }

  close(scope: Scope): void {
    if (scope.type === 'GrpHdr') this.#closeHeader(scope)
    else if (scope.type === 'CdtTrfTxInf') this.#closePayment(scope)
    else this.#compare(scope.type === 'PmtInf' ? [scope, this.#counted] : [this.#header, this.#all])
  }

  complain(header: string, message: string): void {
    this.#ready.push(complaintAt({ header }, message))
  }

  #closeHeader(scope: Scope): void {
    this.#header = scope
    const [messageId = '', createdAt = ''] = [scope.one('MsgId'), scope.one('CreDtTm')]
    const [count = '', sum = null] = [scope.one('NbOfTxs'), scope.one('CtrlSum')]
    this.#message = { version: this.#walk.version, messageId, createdAt, count, sum }
  }

  #beginBlock(scope: Scope): PainBlock {
    const complain = (path: string, message: string) => this.complain(`${scope.prefix}${path}`, message)
    const dates = ['ReqdExctnDt', 'ReqdExctnDt/Dt', 'ReqdExctnDt/DtTm'].map((path) => scope.one(path))
    const [id = '', date = ''] = [scope.one('PmtInfId'), dates.find(Boolean)]
    const debtorIban = scope.one('DbtrAcct/Id/IBAN') ?? null
    if (scope.one('PmtMtd') === 'CHK') complain('PmtMtd', 'is CHK: cheques are not paid')
    if (date !== '' && isLater(date, this.#circumstances.now)) {
      complain('ReqdExctnDt', `is ${date}: payouts are sent at once, on the day they are run`)
    }
    const before = id === '' ? null : this.#blockIds.rowBefore(id, this.#blocks)
    if (before !== null) complain('PmtInfId', `has the same id as PmtInf[${before}]: ${id}`)
    const about = this.#aboutDebtor(debtorIban)
    if (about !== null) complain('DbtrAcct/Id/IBAN', about)
    const [count = null, sum = null] = [scope.one('NbOfTxs'), scope.one('CtrlSum')]
    return { number: this.#blocks, paymentInformationId: id, count, sum, executionDate: date, debtorIban }
  }

  #aboutDebtor(iban: string | null): string | null {
    if (this.#debits === 'any-account') return iban === null ? 'is missing: it would be debited' : null
    if (this.#firstAccount === undefined) this.#firstAccount = iban
    if (this.#debits === null || iban === this.#firstAccount) return null
    return 'is another account than that of PmtInf[1], and the profile may not choose the one that is debited'
  }

  #closePayment(payment: Scope): void {
    this.#payments += 1
    const block = this.#block
    if (!block) return
    const amount = payment.one('Amt/InstdAmt') ?? payment.one('Amt/EqvtAmt/Amt')
    const value = amount === undefined ? null : scaled(amount)
    this.#counted.add(value)
    this.#all.add(value)
    const id = payment.one('PmtId/InstrId')
    const before = id === undefined ? null : this.#instructions.rowBefore(`${block.number}/${id}`, this.#payments)
    if (before !== null) payment.wrong.set('PmtId/InstrId', `has the same id as row ${before}: ${id}`)
    const fromIban = this.#debits === 'any-account' ? (block.debtorIban?.toUpperCase() ?? null) : null
    const unread = { version: this.#walk.version, messageId: '', createdAt: '', count: '', sum: null }
    const [number, message, describe] = [this.#payments, this.#message ?? unread, this.#describe]
    this.#ready.push(...this.#builder.make(filledPayment({ number, payment, message, block, fromIban, describe })))
  }

  #compare([scope, counted]: readonly [Scope, Counted]): void {
    for (const [path, why] of [
      ['NbOfTxs', counted.aboutCount(scope.one('NbOfTxs'))],
      ['CtrlSum', counted.aboutSum(scope.one('CtrlSum'))],
    ] as const) {
      if (why !== null) this.complain(`${scope.prefix}${path}`, why)
    }
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

export function xmlEncodingOf(start: Buffer): XmlEncoding | { readonly why: string } {
  const mark = byteOrderMark(start)
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
    rows: reader.read(text),
    summary: () => reader.summary(),
  }
}
