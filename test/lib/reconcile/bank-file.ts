/** Small bank statements as XML: only what a test names, in the form of a version. */
import type { FileToRead } from '../../../src/lib/batch/read/file.ts'

export type Version = '02' | '04' | '08'

export interface WrittenPayment {
  readonly endToEndId?: string
  /** XML of further references, in their place. */
  readonly references?: string
  readonly amount?: string
  readonly currency?: string
  readonly charges?: string
  readonly account?: string
  readonly name?: string
  readonly text?: string
  readonly reason?: string
  readonly ordered?: string
}

export interface WrittenEntry extends WrittenPayment {
  readonly reference?: string
  readonly sum: string
  readonly direction?: 'DBIT' | 'CRDT'
  readonly day?: string
  readonly status?: string
  readonly isReversal?: boolean
  /** The payments of a batch. Empty: the entry has no details. */
  readonly payments?: readonly WrittenPayment[]
  /** XML in the place of a batch's facts. */
  readonly batch?: string
  readonly text?: string
  /** XML at the end of the entry. */
  readonly end?: string
}

export interface WrittenStatement {
  readonly id?: string
  readonly account?: string
  readonly currency?: string
  readonly from?: string
  readonly to?: string
  readonly opening?: string
  /** Worked out from the entries where it is not given. */
  readonly closing?: string
  readonly openingType?: string
  /** XML in the place of the balances. */
  readonly balances?: string
  readonly entries?: readonly WrittenEntry[]
}

const cents = (text: string) => Math.round(Number(text) * 100)
const tag = (name: string, text: string | undefined) => (text === undefined ? '' : `<${name}>${text}</${name}>`)

function balance(type: string, amount: string, currency: string, day: string): string {
  const sign = amount.startsWith('-') ? 'DBIT' : 'CRDT'
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount.replace('-', '')}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
}

function payment(each: WrittenPayment, version: Version, currency: string): string {
  const ccy = each.currency ?? currency
  const party = (name: string | undefined) => (version === '08' ? tag('Pty', tag('Nm', name)) : tag('Nm', name))
  const charges = each.charges && `<Amt Ccy="${ccy}">${each.charges}</Amt>`
  const amount = each.amount && `<Amt Ccy="${ccy}">${each.amount}</Amt>`
  const refs = `${tag('EndToEndId', each.endToEndId)}${each.references ?? ''}`
  const [ownOf, ownCurrency] = each.ordered?.split(' ') ?? []
  const ordered = each.ordered === undefined ? '' : `<InstdAmt><Amt Ccy="${ownCurrency}">${ownOf}</Amt></InstdAmt>`
  const booked = version === '02' && amount ? `<TxAmt>${amount}</TxAmt>` : ''
  return [
    '<TxDtls>',
    tag('Refs', refs || undefined),
    version === '02' || !amount ? '' : amount,
    tag('AmtDtls', ordered + booked || undefined),
    charges ? tag('Chrgs', version === '02' ? charges : tag('Rcrd', charges)) : '',
    tag(
      'RltdPties',
      `${each.name === undefined ? '' : tag('Cdtr', party(each.name))}${each.account === undefined ? '' : tag('CdtrAcct', tag('Id', tag('IBAN', each.account)))}`,
    ),
    tag('RmtInf', tag('Ustrd', each.text) || undefined),
    each.reason === undefined ? '' : tag('RtrInf', tag('Rsn', tag('Cd', each.reason))),
    '</TxDtls>',
  ].join('')
}

function entryXml(each: WrittenEntry, version: Version, currency: string, place: number): string {
  const { payments = [each], batch = '', status = 'BOOK', day = '2026-11-27', direction = 'DBIT' } = each
  const texts = payments === each.payments ? payments : payments.map(({ text: _, ...rest }) => rest)
  const inside = `${batch}${texts.map((one) => payment(one, version, currency)).join('')}`
  return [
    `<Ntry><NtryRef>${each.reference ?? `E${place + 1}`}</NtryRef><Amt Ccy="${currency}">${each.sum}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`,
    each.isReversal ? '<RvslInd>true</RvslInd>' : '',
    tag('Sts', version === '08' ? tag('Cd', status) : status),
    tag('BookgDt', tag('Dt', day)),
    inside === '' ? '' : tag('NtryDtls', inside),
    each.end ?? tag('AddtlNtryInf', each.text),
    '</Ntry>',
  ].join('')
}

function statementXml(each: WrittenStatement, kind: '053' | '054', version: Version, place: number): string {
  const { currency = 'GEL', from = '2026-11-27', to = from, opening = '1000.00', entries = [] } = each
  const booked = entries.filter(({ status = 'BOOK' }) => status === 'BOOK')
  const moved = booked.reduce((all, { sum, direction }) => all + cents(sum) * (direction === 'CRDT' ? 1 : -1), 0)
  const closing = each.closing ?? ((cents(opening) + moved) / 100).toFixed(2)
  const balances =
    each.balances ??
    `${balance(each.openingType ?? 'OPBD', opening, currency, from)}${balance('CLBD', closing, currency, to)}`
  return [
    `<Id>${each.id ?? `S${place + 1}`}</Id><CreDtTm>${to}T23:00:00</CreDtTm>`,
    `<FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt>`,
    `<Acct><Id><IBAN>${each.account ?? 'GE29NB0000000101904917'}</IBAN></Id><Ccy>${currency}</Ccy></Acct>`,
    kind === '053' ? balances : '',
    ...entries.map((entry, at) => entryXml(entry, version, currency, at)),
  ].join('')
}

export function camt(
  statements: readonly WrittenStatement[],
  { version = '08', kind = '053', head = '' }: { version?: Version; kind?: '053' | '054'; head?: string } = {},
): string {
  const [root, part] = kind === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  const all = statements.map((each, at) => tag(part, statementXml(each, kind, version, at))).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>${head}
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.${version}"><${root}><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-28T06:00:00</CreDtTm></GrpHdr>
${all}
</${root}></Document>
`
}

/** A file of this text, that comes in pieces of so many bytes. */
export function bankFile(text: string, name = 'bank.xml', piece = 1000): FileToRead {
  async function* bytes() {
    const all = Buffer.from(text)
    for (let at = 0; at < all.length; at += piece) yield all.subarray(at, at + piece)
  }
  return { name, bytes: bytes() }
}
