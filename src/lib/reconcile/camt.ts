/**
 * camt.053 (statement) and camt.054 (notification) of ISO 20022, versions 001.02, 001.04 and 001.08, read as they come. The limits
 * are those of payment files: no DTD, bounded depth and sizes. Elements that say nothing about a payment are passed over.
 */

import type { SaxesTagNS } from 'saxes'
import { BrokenFile, decodeText, type Peeked } from '../batch/read/file.ts'
import { xmlEncodingOf } from '../batch/read/pain001/pain001.ts'
import { Xml, type XmlListener } from '../batch/read/xml.ts'
import { fromMinorUnits } from '../contract/core/decimal.ts'
import { howMany } from '../contract/core/text.ts'
import { type Entry, readEntry, sumIn, Values } from './entry.ts'
import { type BankFile, type Booking, dayOf, mustBalance, refusedFile, type Statement } from './statement.ts'

type Part = 'statement' | 'balance' | 'entry' | 'details'

/** A known element: what is known inside of it, the name of its value, and the part that it is. */
interface Place {
  readonly inside: Map<string, Place>
  name: string | null
  part: Part | null
}

/** Puts ways of elements ("Acct/Ccy") into a tree, each with the name that its value gets. Several ways are parted by blanks. */
function put(root: Place, ways: Readonly<Record<string, string>>, part: Part | null = null): Place {
  root.part = part
  for (const [name, all] of Object.entries(ways)) {
    for (const way of all.split(' ')) placeAt(root, way).name = name
  }
  return root
}

function newPlace(): Place {
  return { inside: new Map(), name: null, part: null }
}

function placeAt(root: Place, way: string): Place {
  return way.split('/').reduce((place, step) => {
    const next = place.inside.get(step) ?? newPlace()
    place.inside.set(step, next)
    return next
  }, root)
}

/** The elements that are read. Where versions differ, the ways of all of them stand here: none means two things. */
function elements(root: string, each: string): Place {
  const document = newPlace()
  const statement = placeAt(document, `${root}/${each}`)
  put(
    statement,
    {
      id: 'Id',
      from: 'FrToDt/FrDtTm',
      to: 'FrToDt/ToDtTm',
      account: 'Acct/Id/IBAN Acct/Id/Othr/Id',
      currency: 'Acct/Ccy',
    },
    'statement',
  )
  put(
    placeAt(statement, 'Bal'),
    {
      type: 'Tp/CdOrPrtry/Cd Tp/CdOrPrtry/Prtry',
      amount: 'Amt',
      direction: 'CdtDbtInd',
      day: 'Dt/Dt Dt/DtTm',
    },
    'balance',
  )
  const entry = placeAt(statement, 'Ntry')
  put(
    entry,
    {
      reference: 'NtryRef',
      amount: 'Amt',
      direction: 'CdtDbtInd',
      reversal: 'RvslInd',
      status: 'Sts Sts/Cd',
      day: 'BookgDt/Dt BookgDt/DtTm',
      valueDay: 'ValDt/Dt ValDt/DtTm',
      bankReference: 'AcctSvcrRef',
      purpose: 'BkTxCd/Domn/Fmly/SubFmlyCd',
      text: 'AddtlNtryInf',
      batch: 'NtryDtls/Btch/PmtInfId NtryDtls/Btch/MsgId',
      payments: 'NtryDtls/Btch/NbOfTxs',
    },
    'entry',
  )
  put(
    placeAt(entry, 'NtryDtls/TxDtls'),
    {
      bankReference: 'Refs/AcctSvcrRef Refs/TxId Refs/ClrSysRef',
      reference: 'Refs/InstrId Refs/UETR RmtInf/Strd/CdtrRefInf/Ref',
      endToEndId: 'Refs/EndToEndId',
      label: 'Refs/Prtry/Tp',
      labelled: 'Refs/Prtry/Ref',
      amount: 'Amt',
      direction: 'CdtDbtInd',
      ordered: 'AmtDtls/InstdAmt/Amt',
      booked: 'AmtDtls/TxAmt/Amt',
      charge: 'Chrgs/Amt Chrgs/Rcrd/Amt',
      chargesTotal: 'Chrgs/TtlChrgsAndTaxAmt',
      creditor: 'RltdPties/Cdtr/Nm RltdPties/Cdtr/Pty/Nm',
      debtor: 'RltdPties/Dbtr/Nm RltdPties/Dbtr/Pty/Nm',
      creditorAccount: 'RltdPties/CdtrAcct/Id/IBAN RltdPties/CdtrAcct/Id/Othr/Id',
      debtorAccount: 'RltdPties/DbtrAcct/Id/IBAN RltdPties/DbtrAcct/Id/Othr/Id',
      text: 'RmtInf/Ustrd',
      moreText: 'AddtlTxInf',
      purpose: 'BkTxCd/Domn/Fmly/SubFmlyCd',
      returnReason: 'RtrInf/Rsn/Cd RtrInf/Rsn/Prtry',
      returnText: 'RtrInf/AddtlInf',
    },
    'details',
  )
  return document
}

const kinds = {
  'camt.053': () => elements('BkToCstmrStmt', 'Stmt'),
  'camt.054': () => elements('BkToCstmrDbtCdtNtfctn', 'Ntfctn'),
} as const

type Kind = keyof typeof kinds

const namespace = /^urn:iso:std:iso:20022:tech:xsd:(camt\.05[34])\.001\.(?:02|04|08)$/

/** The most characters of one value: a line of a text has 140. */
const longestValue = 4096

interface OpenElement {
  readonly place: Place
  readonly tag: SaxesTagNS
  text: string
}

/** Goes through the elements, and gives each part that ends with its values. */
class Walk implements XmlListener {
  readonly #ended: (part: Part, values: Values, kind: Kind) => void
  readonly #open: OpenElement[] = []
  readonly #parts: Values[] = []
  /** Depth inside of an element that is passed over. */
  #passed = 0
  #uri = ''
  #kind: Kind = 'camt.053'

  constructor(ended: (part: Part, values: Values, kind: Kind) => void) {
    this.#ended = ended
  }

  open(tag: SaxesTagNS): void {
    const place = this.#passed > 0 ? null : this.#placeOf(tag)
    if (!place) {
      this.#passed += 1
      return
    }
    this.#open.push({ place, tag, text: '' })
    if (place.part !== null) this.#parts.push(new Values())
  }

  #placeOf(tag: SaxesTagNS): Place | null {
    const above = this.#open.at(-1)
    if (above) return tag.uri === this.#uri ? (above.place.inside.get(tag.local) ?? null) : null
    const [uri, kind] = namespace.exec(tag.uri) ?? []
    if (tag.local !== 'Document' || uri === undefined || kind === undefined) {
      const known = 'camt.053 and camt.054 can be read, in the versions 001.02, 001.04 and 001.08'
      throw new BrokenFile(`is no bank statement: it is ${tag.local} in ${tag.uri || 'no namespace'}; ${known}`)
    }
    this.#uri = uri
    this.#kind = kind as Kind
    return kinds[this.#kind]()
  }

  text(text: string): void {
    const element = this.#open.at(-1)
    if (this.#passed > 0 || !element || element.place.name === null) return
    if (element.text.length <= longestValue) element.text += text
  }

  close(): void {
    if (this.#passed > 0) {
      this.#passed -= 1
      return
    }
    const element = this.#open.pop()
    if (!element) return
    const { place, tag, text } = element
    const value = text.trim()
    if (place.name !== null && value !== '') {
      const currency = tag.attributes.Ccy?.value
      this.#parts.at(-1)?.add(place.name, currency === undefined ? value : `${value} ${currency}`)
    }
    const values = place.part === null ? undefined : this.#parts.pop()
    if (place.part !== null && values) this.#ended(place.part, values, this.#kind)
  }
}

interface Balance {
  readonly type: string
  readonly units: bigint
  readonly currency: string
  readonly day: string
}

/** Puts the parts together to statements and bookings. */
class Reader {
  readonly statements: Statement[] = []
  readonly bookings: Booking[] = []
  readonly warnings: string[] = []
  kind: Kind = 'camt.053'
  readonly #file: string
  readonly #ids = new Set<string>()
  #balances: Balance[] = []
  #details: Values[] = []
  #entries = 0
  #pending = 0
  #effect = 0n
  #currencies = new Set<string>()
  #days: string[] = []

  constructor(file: string) {
    this.#file = file
  }

  ended(part: Part, values: Values, kind: Kind): void {
    this.kind = kind
    if (part === 'balance') this.#balances.push(this.#balanceIn(values))
    else if (part === 'details') this.#details.push(values)
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
    const details = this.#details
    this.#details = []
    this.#entries += 1
    const where = { file: this.#file, statement: this.statements.length, number: this.#entries }
    const entry: Entry = readEntry(values, details, where)
    if (!entry.isBooked) {
      this.#pending += 1
      return
    }
    this.#effect += entry.effect
    this.#currencies.add(entry.currency)
    if (entry.day !== null) this.#days.push(entry.day)
    for (const booking of entry.bookings) this.bookings.push(booking)
  }

  #endStatement(values: Values): void {
    const id = values.one('id') ?? String(this.statements.length + 1)
    const account = values.one('account')?.replaceAll(' ', '').toUpperCase() ?? null
    const name = JSON.stringify([id, account])
    if (this.#ids.has(name)) throw refusedFile(this.#file, `has statement ${id} twice`)
    this.#ids.add(name)
    const days = [dayOf(values.one('from')), dayOf(values.one('to'))]
    const [currency, opening, closing] = this.#checkedBalances(id, values.one('currency') ?? null)
    for (const { day } of this.#balances) if (this.kind === 'camt.053' && day !== '') this.#days.push(day)
    const sorted = this.#days.toSorted()
    this.statements.push({
      ...{ id, account, currency, opening, closing },
      from: days[0] ?? sorted[0] ?? null,
      to: days[1] ?? sorted.at(-1) ?? null,
    })
    if (this.#pending > 0) {
      this.warnings.push(
        `${howMany(this.#pending, 'entry', 'entries')} of statement ${id} ${this.#pending === 1 ? 'is' : 'are'} not booked yet: nothing was compared with that`,
      )
    }
    this.#balances = []
    this.#entries = 0
    this.#pending = 0
    this.#effect = 0n
    this.#currencies = new Set()
    this.#days = []
  }

  /** The currency and the balances at both ends. Throws where they do not add up. */
  #checkedBalances(id: string, told: string | null): readonly [string | null, bigint | null, bigint | null] {
    const [first] = this.#currencies
    const currency = told ?? this.#balances[0]?.currency ?? first ?? null
    const [strange] = [...this.#currencies].filter((each) => each !== currency)
    if (strange !== undefined) {
      throw refusedFile(this.#file, `has an entry in ${strange} in statement ${id}, whose account is in ${currency}`)
    }
    if (this.kind === 'camt.054') return [currency, null, null]
    const ours = this.#balances
      .filter((each) => each.currency === currency)
      .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    const opening = ours.find(({ type }) => type === 'OPBD') ?? ours.find(({ type }) => type === 'PRCD')
    const closing = ours.findLast(({ type }) => type === 'CLBD')
    const interim = ours.filter(({ type }) => type === 'ITBD')
    const begin = opening ?? interim[0]
    // A page in the middle of a long statement begins and ends with interim balances.
    const end = closing ?? interim.filter((each) => each !== begin).at(-1)
    if (!begin || !end) {
      const missing = begin ? 'closing balance (CLBD)' : 'opening balance (OPBD or PRCD)'
      throw refusedFile(this.#file, `has no ${missing} in statement ${id}: an entry may be missing`)
    }
    mustBalance(this.#file, { id, currency, opening: begin.units, closing: end.units }, this.#effect)
    return [currency, begin.units, end.units]
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
  const xml = new Xml(new Walk((part, values, kind) => reader.ended(part, values, kind)))
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
