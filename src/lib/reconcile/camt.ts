/**
 * camt.053 (statement) and camt.054 (notification) of ISO 20022, versions 001.02, 001.04 and 001.08, read as they come. The limits
 * are those of payment files: no DTD, bounded depth and sizes. Elements that say nothing about a payment are passed over.
 */

import type { SaxesTagNS } from 'saxes'
import { BrokenFile, decodeText, type Peeked } from '../batch/read/file.ts'
import { xmlEncodingOf } from '../batch/read/pain001/pain001.ts'
import { type PathListener, pathParser, Values } from '../batch/read/xml.ts'
import { fromMinorUnits } from '../contract/core/decimal.ts'
import { howMany } from '../contract/core/text.ts'
import { readEntry, sumIn } from './entry.ts'
import { type BankFile, type Booking, dayOf, refusedFile, type Statement } from './statement.ts'

/** What is read of each part: the name of a value, and the elements that may have it. Where versions differ, those of all of them. */
const parts = {
  statement: {
    path: '',
    values: {
      id: ['Id'],
      from: ['FrToDt/FrDtTm'],
      to: ['FrToDt/ToDtTm'],
      account: ['Acct/Id/IBAN', 'Acct/Id/Othr/Id'],
      currency: ['Acct/Ccy'],
    },
  },
  balance: {
    path: '/Bal',
    values: {
      type: ['Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry'],
      amount: ['Amt'],
      direction: ['CdtDbtInd'],
      day: ['Dt/Dt', 'Dt/DtTm'],
    },
  },
  entry: {
    path: '/Ntry',
    values: {
      reference: ['NtryRef'],
      amount: ['Amt'],
      direction: ['CdtDbtInd'],
      reversal: ['RvslInd'],
      status: ['Sts', 'Sts/Cd'],
      day: ['BookgDt/Dt', 'BookgDt/DtTm'],
      valueDay: ['ValDt/Dt', 'ValDt/DtTm'],
      bankReference: ['AcctSvcrRef'],
      purpose: ['BkTxCd/Domn/Fmly/SubFmlyCd'],
      text: ['AddtlNtryInf'],
      batch: ['NtryDtls/Btch/PmtInfId', 'NtryDtls/Btch/MsgId'],
      payments: ['NtryDtls/Btch/NbOfTxs'],
    },
  },
  details: {
    path: '/Ntry/NtryDtls/TxDtls',
    values: {
      bankReference: ['Refs/AcctSvcrRef', 'Refs/TxId', 'Refs/ClrSysRef'],
      reference: ['Refs/InstrId', 'Refs/UETR', 'RmtInf/Strd/CdtrRefInf/Ref'],
      endToEndId: ['Refs/EndToEndId'],
      label: ['Refs/Prtry/Tp'],
      labelled: ['Refs/Prtry/Ref'],
      amount: ['Amt'],
      direction: ['CdtDbtInd'],
      ordered: ['AmtDtls/InstdAmt/Amt'],
      booked: ['AmtDtls/TxAmt/Amt'],
      charge: ['Chrgs/Amt', 'Chrgs/Rcrd/Amt'],
      chargesTotal: ['Chrgs/TtlChrgsAndTaxAmt'],
      creditor: ['RltdPties/Cdtr/Nm', 'RltdPties/Cdtr/Pty/Nm'],
      debtor: ['RltdPties/Dbtr/Nm', 'RltdPties/Dbtr/Pty/Nm'],
      creditorAccount: ['RltdPties/CdtrAcct/Id/IBAN', 'RltdPties/CdtrAcct/Id/Othr/Id'],
      debtorAccount: ['RltdPties/DbtrAcct/Id/IBAN', 'RltdPties/DbtrAcct/Id/Othr/Id'],
      text: ['RmtInf/Ustrd'],
      moreText: ['AddtlTxInf'],
      purpose: ['BkTxCd/Domn/Fmly/SubFmlyCd'],
      returnReason: ['RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry'],
      returnText: ['RtrInf/AddtlInf'],
    },
  },
} as const

type Part = keyof typeof parts

const roots = {
  'camt.053': 'Document/BkToCstmrStmt/Stmt',
  'camt.054': 'Document/BkToCstmrDbtCdtNtfctn/Ntfctn',
} as const

type Kind = keyof typeof roots

/** Parts, and names of values, by the paths of their elements. */
const [partAt, nameAt] = [new Map<string, Part>(), new Map<string, string>()]
for (const root of Object.values(roots)) {
  for (const [part, { path, values }] of Object.entries(parts)) {
    partAt.set(`${root}${path}`, part as Part)
    for (const [name, elements] of Object.entries(values)) {
      for (const element of elements) nameAt.set(`${root}${path}/${element}`, name)
    }
  }
}

const namespace = /^urn:iso:std:iso:20022:tech:xsd:(camt\.05[34])\.001\.(?:02|04|08)$/

/** The most characters of one value: a line of a text has 140. */
const longestValue = 4096

interface Balance {
  readonly type: string
  readonly units: bigint
  readonly currency: string
  readonly day: string
}

/** What the entries of a statement add up to, as far as it was read. */
function noEntries() {
  return { entries: 0, pending: 0, effect: 0n, currencies: new Set<string>(), days: [] as string[] }
}

/** Collects the values of each part, and makes statements and bookings of them where the part ends. */
class CamtReader implements PathListener {
  readonly statements: Statement[] = []
  readonly bookings: Booking[] = []
  readonly warnings: string[] = []
  readonly #file: string
  #kind: Kind | null = null
  #namespace = ''
  /** The values of the parts that are open, the innermost last. */
  readonly #open: Values[] = []
  #value = ''
  #currency = ''
  #balances: Balance[] = []
  /** Of the entry that is being read. */
  #details: Values[] = []
  #sum = noEntries()
  readonly #ids = new Set<string>()

  constructor(file: string) {
    this.#file = file
  }

  /** False inside of elements that another program has added. */
  readonly isOwn = (uri: string): boolean => this.#kind === null || uri === this.#namespace

  get kind(): Kind {
    return this.#kind ?? 'camt.053'
  }

  open(path: string, tag: SaxesTagNS): void {
    this.#kind ??= this.#readRoot(tag)
    if (partAt.has(path)) this.#open.push(new Values())
    this.#value = ''
    this.#currency = tag.attributes.Ccy?.value ?? ''
  }

  #readRoot({ local, uri }: SaxesTagNS): Kind {
    this.#namespace = uri
    const [, named] = namespace.exec(uri) ?? []
    if (local === 'Document' && named !== undefined) return named as Kind
    const known = 'camt.053 and camt.054 can be read, in the versions 001.02, 001.04 and 001.08'
    throw new BrokenFile(`is no bank statement: it is ${local} in ${uri || 'no namespace'}; ${known}`)
  }

  text(path: string, text: string): void {
    if (this.#value.length <= longestValue && nameAt.has(path)) this.#value += text
  }

  close(path: string): void {
    const [name, part, text] = [nameAt.get(path), partAt.get(path), this.#value.trim()]
    this.#value = ''
    if (name !== undefined && text !== '') {
      this.#open.at(-1)?.add(name, this.#currency === '' ? text : `${text} ${this.#currency}`)
    }
    const values = part && this.#open.pop()
    if (!values) return
    if (part === 'balance') this.#balances.push(this.#readBalance(values))
    else if (part === 'details') this.#details.push(values)
    else if (part === 'entry') this.#endEntry(values)
    else this.#endStatement(values)
  }

  #readBalance(values: Values): Balance {
    const sum = sumIn(values.one('amount'))
    if (!sum) throw refusedFile(this.#file, `has a balance without a sum: ${values.one('amount') ?? 'none'}`)
    const units = values.one('direction') === 'DBIT' ? -sum.units : sum.units
    return { type: values.one('type') ?? '', units, currency: sum.currency, day: dayOf(values.one('day')) ?? '' }
  }

  #endEntry(values: Values): void {
    const sum = this.#sum
    sum.entries += 1
    const where = { file: this.#file, statement: this.statements.length, number: sum.entries }
    const entry = readEntry(values, this.#details, where)
    this.#details = []
    if (!entry.isBooked) {
      sum.pending += 1
      return
    }
    sum.effect += entry.effect
    sum.currencies.add(entry.currency)
    if (entry.day !== null) sum.days.push(entry.day)
    for (const booking of entry.bookings) this.bookings.push(booking)
  }

  #endStatement(values: Values): void {
    const id = values.one('id') ?? String(this.statements.length + 1)
    const account = values.one('account')?.replaceAll(' ', '').toUpperCase() ?? null
    const name = JSON.stringify([id, account])
    if (this.#ids.has(name)) throw refusedFile(this.#file, `has statement ${id} twice`)
    this.#ids.add(name)
    const [balances, { pending, days }] = [this.#balances, this.#sum]
    const currency = this.#onlyCurrency(id, values.one('currency'))
    const [opening, closing] = this.kind === 'camt.054' ? [null, null] : this.#checkBalances(id, currency)
    if (this.kind === 'camt.053') days.push(...balances.map(({ day }) => day).filter(Boolean))
    days.sort()
    const [from, to] = [dayOf(values.one('from')) ?? days[0] ?? null, dayOf(values.one('to')) ?? days.at(-1) ?? null]
    this.statements.push({ id, account, currency, opening, closing, from, to })
    if (pending > 0) {
      const are = pending === 1 ? 'is' : 'are'
      const words = `${howMany(pending, 'entry', 'entries')} of statement ${id} ${are} not booked yet`
      this.warnings.push(`${words}: nothing was compared with that`)
    }
    this.#balances = []
    this.#sum = noEntries()
  }

  #onlyCurrency(id: string, stated: string | undefined): string | null {
    const { currencies } = this.#sum
    const [first] = currencies
    const currency = stated ?? this.#balances[0]?.currency ?? first ?? null
    const other = [...currencies].find((each) => each !== currency)
    if (other === undefined) return currency
    throw refusedFile(this.#file, `has an entry in ${other} in statement ${id}, whose account is in ${currency}`)
  }

  /** The balances at both ends. Throws where they do not add up. */
  #checkBalances(id: string, currency: string | null): readonly [bigint, bigint] {
    const own = this.#balances
      .filter((each) => each.currency === currency)
      .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    const ofType = (wanted: string) => own.filter(({ type }) => type === wanted)
    // A page in the middle of a long statement begins and ends with interim balances.
    const interim = ofType('ITBD')
    const begin = ofType('OPBD')[0] ?? ofType('PRCD')[0] ?? interim[0]
    const end = ofType('CLBD').at(-1) ?? interim.filter((each) => each !== begin).at(-1)
    if (!begin || !end) {
      const missing = begin ? 'closing balance (CLBD)' : 'opening balance (OPBD or PRCD)'
      throw refusedFile(this.#file, `has no ${missing} in statement ${id}: an entry may be missing`)
    }
    const reached = begin.units + this.#sum.effect
    if (reached === end.units) return [begin.units, end.units]
    const sums = [begin.units, reached, end.units, end.units - reached].map(fromMinorUnits)
    const [opens, leads, closes, difference] = sums.map((sum) => `${currency ?? ''} ${sum}`.trim())
    throw refusedFile(
      this.#file,
      `does not add up: statement ${id} opens with ${opens}, its entries lead to ${leads}, and it closes with ${closes} (${difference} more)`,
    )
  }
}

/** Warnings where one statement of an account does not begin with the balance that the one before it closed with. */
function findGaps(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ account, currency, id, opening }, at) => {
    const before = statements.slice(0, at).findLast((each) => each.account === account && each.currency === currency)
    if (before?.closing == null || opening === null || before.closing === opening) return []
    const [closed, opens] = [before.closing, opening].map(fromMinorUnits)
    return [
      `statement ${before.id} closes with ${closed}, and ${id} opens with ${opens}: a statement between them is missing`,
    ]
  })
}

/** Reads a file whole. Throws usage (2) for one that is no statement, is damaged, or does not add up. */
export async function readCamt(name: string, bytes: Peeked): Promise<BankFile> {
  const encoding = xmlEncodingOf(bytes.start)
  if ('why' in encoding) throw refusedFile(name, encoding.why)
  const reader = new CamtReader(name)
  const xml = pathParser(reader, reader.isOwn)
  try {
    for await (const piece of decodeText(bytes.all, encoding.label, encoding.mark)) xml.write(piece)
    xml.end()
  } catch (error) {
    throw error instanceof BrokenFile ? refusedFile(name, error.message) : error
  }
  const { kind, statements, bookings, warnings } = reader
  if (statements.length === 0) throw refusedFile(name, 'has no statement inside')
  const unchecked = 'a camt.054 has no balances, so missing entries cannot be detected'
  const all = [...warnings, ...findGaps(statements), ...(kind === 'camt.054' ? [unchecked] : [])]
  return { name, format: kind, statements, bookings, warnings: all }
}
