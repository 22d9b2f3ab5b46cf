/**
 * camt.053 (statement) and camt.054 (notification) of ISO 20022, versions 001.02, 001.04 and 001.08, read as they come. The limits
 * are those of payment files: no DTD, bounded depth and sizes. Elements that say nothing about a payment are passed over.
 */

import type { SaxesTagNS } from 'saxes'
import { BrokenFile, decodeText, type Peeked } from '../batch/read/file.ts'
import { xmlEncodingOf } from '../batch/read/pain001/pain001.ts'
import { type PathListener, pathParser, Values, type Xml } from '../batch/read/xml.ts'
import { fromMinorUnits } from '../contract/core/decimal.ts'
import { howMany } from '../contract/core/text.ts'
import { type Entry, readEntry, sumIn } from './entry.ts'
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

/** A parser that gives each part with its values when it ends. Other elements are passed over. */
function partParser(onPart: (part: Part, values: Values, kind: Kind) => void): Xml {
  const open: Values[] = []
  let kind: Kind | null = null
  let [uri, value, currency] = ['', '', '']
  const readRoot = (tag: SaxesTagNS) => {
    uri = tag.uri
    const [, named] = namespace.exec(uri) ?? []
    if (tag.local === 'Document' && named !== undefined) return named as Kind
    const known = 'camt.053 and camt.054 can be read, in the versions 001.02, 001.04 and 001.08'
    throw new BrokenFile(`is no bank statement: it is ${tag.local} in ${uri || 'no namespace'}; ${known}`)
  }
  const listener: PathListener = {
    open(path, tag) {
      kind ??= readRoot(tag)
      if (partAt.has(path)) open.push(new Values())
      value = ''
      currency = tag.attributes.Ccy?.value ?? ''
    },
    text(path, text) {
      if (value.length <= longestValue && nameAt.has(path)) value += text
    },
    close(path) {
      const [name, part, text] = [nameAt.get(path), partAt.get(path), value.trim()]
      value = ''
      if (name !== undefined && text !== '') open.at(-1)?.add(name, currency === '' ? text : `${text} ${currency}`)
      const values = part && open.pop()
      if (values && kind) onPart(part, values, kind)
    },
  }
  return pathParser(listener, (each) => kind === null || each === uri)
}

interface Balance {
  readonly type: string
  readonly units: bigint
  readonly currency: string
  readonly day: string
}

/** The statement that is being read, as far as it was read. */
interface Draft {
  readonly balances: Balance[]
  /** The details of the entry that is being read. */
  details: Values[]
  entries: number
  pending: number
  /** Signed minor units of all entries. */
  effect: bigint
  readonly currencies: Set<string>
  readonly days: string[]
}

function newDraft(): Draft {
  return { balances: [], details: [], entries: 0, pending: 0, effect: 0n, currencies: new Set(), days: [] }
}

/** Puts the parts together to statements and bookings. */
class Reader {
  readonly statements: Statement[] = []
  readonly bookings: Booking[] = []
  readonly warnings: string[] = []
  kind: Kind = 'camt.053'
  readonly #file: string
  readonly #ids = new Set<string>()
  #draft = newDraft()

  constructor(file: string) {
    this.#file = file
  }

  addPart(part: Part, values: Values, kind: Kind): void {
    this.kind = kind
    if (part === 'balance') this.#draft.balances.push(this.#balanceIn(values))
    else if (part === 'details') this.#draft.details.push(values)
    else if (part === 'entry') this.#endEntry(values)
    else this.#endStatement(values)
  }

  #balanceIn(values: Values): Balance {
    const sum = sumIn(values.one('amount'))
    if (!sum) throw refusedFile(this.#file, `has a balance without a sum: ${values.one('amount') ?? 'none'}`)
    const units = values.one('direction') === 'DBIT' ? -sum.units : sum.units
    return {
      type: values.one('type') ?? '',
      units,
      currency: sum.currency,
      day: dayOf(values.one('day')) ?? '',
    }
  }

  #endEntry(values: Values): void {
    const draft = this.#draft
    draft.entries += 1
    const where = { file: this.#file, statement: this.statements.length, number: draft.entries }
    const entry: Entry = readEntry(values, draft.details, where)
    draft.details = []
    if (!entry.isBooked) {
      draft.pending += 1
      return
    }
    draft.effect += entry.effect
    draft.currencies.add(entry.currency)
    if (entry.day !== null) draft.days.push(entry.day)
    for (const booking of entry.bookings) this.bookings.push(booking)
  }

  #endStatement(values: Values): void {
    const draft = this.#draft
    this.#draft = newDraft()
    const id = values.one('id') ?? String(this.statements.length + 1)
    const account = values.one('account')?.replaceAll(' ', '').toUpperCase() ?? null
    const name = JSON.stringify([id, account])
    if (this.#ids.has(name)) throw refusedFile(this.#file, `has statement ${id} twice`)
    this.#ids.add(name)
    const days = [dayOf(values.one('from')), dayOf(values.one('to'))]
    const [currency, opening, closing] = this.#checkedBalances(id, values.one('currency') ?? null, draft)
    for (const { day } of draft.balances) if (this.kind === 'camt.053' && day !== '') draft.days.push(day)
    const sorted = draft.days.toSorted()
    this.statements.push({
      ...{ id, account, currency, opening, closing },
      from: days[0] ?? sorted[0] ?? null,
      to: days[1] ?? sorted.at(-1) ?? null,
    })
    if (draft.pending > 0) {
      this.warnings.push(
        `${howMany(draft.pending, 'entry', 'entries')} of statement ${id} ${draft.pending === 1 ? 'is' : 'are'} not booked yet: nothing was compared with that`,
      )
    }
  }

  /** The currency and the balances at both ends. Throws where they do not add up. */
  #checkedBalances(
    id: string,
    stated: string | null,
    { balances, currencies, effect }: Draft,
  ): readonly [string | null, bigint | null, bigint | null] {
    const [first] = currencies
    const currency = stated ?? balances[0]?.currency ?? first ?? null
    const [otherCurrency] = [...currencies].filter((each) => each !== currency)
    if (otherCurrency !== undefined) {
      throw refusedFile(
        this.#file,
        `has an entry in ${otherCurrency} in statement ${id}, whose account is in ${currency}`,
      )
    }
    if (this.kind === 'camt.054') return [currency, null, null]
    const inCurrency = balances
      .filter((each) => each.currency === currency)
      .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    const opening = inCurrency.find(({ type }) => type === 'OPBD') ?? inCurrency.find(({ type }) => type === 'PRCD')
    const closing = inCurrency.findLast(({ type }) => type === 'CLBD')
    const interim = inCurrency.filter(({ type }) => type === 'ITBD')
    const begin = opening ?? interim[0]
    // A page in the middle of a long statement begins and ends with interim balances.
    const end = closing ?? interim.filter((each) => each !== begin).at(-1)
    if (!begin || !end) {
      const missing = begin ? 'closing balance (CLBD)' : 'opening balance (OPBD or PRCD)'
      throw refusedFile(this.#file, `has no ${missing} in statement ${id}: an entry may be missing`)
    }
    const reached = begin.units + effect
    if (reached === end.units) return [currency, begin.units, end.units]
    const sums = [begin.units, reached, end.units, end.units - reached].map(fromMinorUnits)
    const [opens, leads, closes, difference] = sums.map((sum) => `${currency ?? ''} ${sum}`.trim())
    throw refusedFile(
      this.#file,
      `does not add up: statement ${id} opens with ${opens}, its entries lead to ${leads}, and it closes with ${closes} (${difference} more)`,
    )
  }
}

/** Warnings where one statement of an account does not begin with the balance that the one before it closed with. */
function gapsBetween(statements: readonly Statement[]): string[] {
  const last = new Map<string, Statement>()
  const warnings: string[] = []
  for (const statement of statements) {
    const { account, currency, id, opening } = statement
    const name = JSON.stringify([account, currency])
    const before = last.get(name)
    last.set(name, statement)
    if (before?.closing == null || opening === null || before.closing === opening) continue
    const [closed, opens] = [before.closing, opening].map(fromMinorUnits)
    warnings.push(
      `statement ${before.id} closes with ${closed}, and ${id} opens with ${opens}: a statement between them is missing`,
    )
  }
  return warnings
}

/** Reads a file whole. Throws usage (2) for one that is no statement, is damaged, or does not add up. */
export async function readCamt(name: string, bytes: Peeked): Promise<BankFile> {
  const encoding = xmlEncodingOf(bytes.start)
  if ('why' in encoding) throw refusedFile(name, encoding.why)
  const reader = new Reader(name)
  const xml = partParser((part, values, kind) => reader.addPart(part, values, kind))
  try {
    for await (const piece of decodeText(bytes.all, encoding.label, encoding.mark)) xml.write(piece)
    xml.end()
  } catch (error) {
    throw error instanceof BrokenFile ? refusedFile(name, error.message) : error
  }
  const { kind, statements, bookings, warnings } = reader
  if (statements.length === 0) throw refusedFile(name, 'has no statement inside')
  const unchecked = 'a camt.054 has no balances, so missing entries cannot be detected'
  const all = [...warnings, ...gapsBetween(statements), ...(kind === 'camt.054' ? [unchecked] : [])]
  return { name, format: kind, statements, bookings, warnings: all }
}
