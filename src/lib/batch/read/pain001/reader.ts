/** Makes rows of a walk through a pain.001, and compares what its headers say with what there is. */
import type { SaxesTagNS } from 'saxes'
import { dayAtService, momentOfValidUntil } from '../../../contract/date.ts'
import type { Circumstances } from '../../../contract/operation.ts'
import type { ReadingOptions } from '../options.ts'
import { type BatchRow, type Complaint, complaintAt, type FileTold } from '../row.ts'
import { SeenKeys } from '../rows/keys.ts'
import { RowMaker } from '../rows/maker.ts'
import { Counted } from './counts.ts'
import type { PainBlock, PainMessage, PainVersion } from './facts.ts'
import { type DescriptionOf, filledPayment, pathOfField } from './payment.ts'
import { Scope } from './scope.ts'
import { collapsed, scaled } from './values.ts'
import type { WalkListener } from './walk.ts'

/** True for a day or a moment that is still to come at the service. */
function isLater(text: string, now: number): boolean {
  const plain = collapsed(text)
  const moment = plain.length > 10 ? momentOfValidUntil(plain) : null
  return moment === null ? plain.slice(0, 10) > dayAtService(now) : moment > now
}

export class PainReader implements WalkListener {
  readonly #circumstances: Circumstances
  readonly #debits: ReadingOptions['debits']
  readonly #maker: RowMaker
  readonly #describe: DescriptionOf | null
  readonly #all = new Counted()
  readonly #blockIds = new SeenKeys()
  readonly #instructions = new SeenKeys()
  #ready: (BatchRow | Complaint)[] = []
  #version: PainVersion = 'pain.001.001.03'
  #message: PainMessage | null = null
  #header = new Scope()
  #blockScope = new Scope()
  #payment: Scope | null = null
  #place: 'file' | 'header' | 'block' = 'file'
  #blocks = 0
  #block: PainBlock | null = null
  #counted = new Counted()
  #payments = 0
  #firstAccount: string | null | undefined

  constructor({ circumstances, debits }: ReadingOptions, describe: DescriptionOf | null) {
    this.#describe = describe
    this.#circumstances = circumstances
    this.#debits = debits
    this.#maker = new RowMaker({ circumstances }, (field) => ({ column: null, header: pathOfField(field) }))
  }

  told(): FileTold {
    return { ...this.#maker.told, message: this.#message }
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
    if (type === 'GrpHdr') this.#place = 'header'
    else if (type === 'PmtInf') this.#openBlock()
    else if (type === 'CdtTrfTxInf') {
      this.#block ??= this.#beginBlock()
      this.#payment = new Scope()
    } else if (type === 'EqvtAmt') this.#payment?.add('Amt/EqvtAmt', '')
  }

  value(path: string, text: string | null, tag: SaxesTagNS): void {
    const scope = this.#payment ?? (this.#place === 'block' ? this.#blockScope : this.#header)
    if (text !== null) scope.add(path, text)
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
    else if (!this.#payment) this.#complain(this.#inFile(path), message)
    else if (!this.#payment.wrong.has(path)) this.#payment.wrong.set(path, message)
  }

  #inFile(path: string): string {
    if (this.#place === 'file') return path
    return this.#place === 'header' ? `GrpHdr/${path}` : `PmtInf[${this.#blocks}]/${path}`
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
    this.#place = 'file'
  }

  #openBlock(): void {
    this.#place = 'block'
    this.#blocks += 1
    this.#blockScope = new Scope()
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
    if (one('PmtMtd') === 'CHK') this.#complain(this.#inFile('PmtMtd'), 'is CHK: cheques are not paid')
    if (date !== '' && isLater(date, this.#circumstances.now)) {
      this.#complain(this.#inFile('ReqdExctnDt'), `is ${date}: payouts are sent at once, on the day they are run`)
    }
    const before = id === '' ? null : this.#blockIds.rowBefore(id, this.#blocks)
    if (before !== null) this.#complain(this.#inFile('PmtInfId'), `has the id of PmtInf[${before}] once more: ${id}`)
    this.#compareAccounts(debtorIban)
    const [count = null, sum = null] = [one('NbOfTxs'), one('CtrlSum')]
    return { number: this.#blocks, paymentInformationId: id, count, sum, executionDate: date, debtorIban }
  }

  #compareAccounts(iban: string | null): void {
    if (this.#debits === null) return
    const path = this.#inFile('DbtrAcct/Id/IBAN')
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
    this.#payments += 1
    if (!payment || !block) return
    const amount = payment.one('Amt/InstdAmt') ?? payment.one('Amt/EqvtAmt/Amt')
    const value = amount === undefined ? null : scaled(amount)
    this.#counted.add(value)
    this.#all.add(value)
    this.#instruction(payment, block)
    const fromIban = this.#debits === 'any-account' ? (block.debtorIban?.toUpperCase() ?? null) : null
    const { values, wrong, currency } = payment
    const known = message ?? { version: this.#version, messageId: '', createdAt: '', count: '', sum: null }
    const parts = {
      number: this.#payments,
      values,
      wrong,
      currency,
      message: known,
      block,
      fromIban,
      describe: this.#describe,
    }
    for (const each of this.#maker.make(filledPayment(parts))) this.#ready.push(each)
  }

  #instruction(payment: Scope, block: PainBlock): void {
    const id = payment.one('PmtId/InstrId')
    if (id === undefined) return
    const before = this.#instructions.rowBefore(`${block.number}/${id}`, this.#payments)
    if (before !== null) payment.wrong.set('PmtId/InstrId', `has the id of row ${before} once more: ${id}`)
  }

  #closeBlock(): void {
    this.#complain(this.#inFile('NbOfTxs'), this.#counted.aboutCount(this.#blockScope.one('NbOfTxs')))
    this.#complain(this.#inFile('CtrlSum'), this.#counted.aboutSum(this.#blockScope.one('CtrlSum')))
    this.#place = 'file'
  }

  #closeFile(): void {
    this.#complain('GrpHdr/NbOfTxs', this.#all.aboutCount(this.#header.one('NbOfTxs')))
    this.#complain('GrpHdr/CtrlSum', this.#all.aboutSum(this.#header.one('CtrlSum')))
  }
}
