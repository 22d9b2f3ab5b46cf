/**
 * A day of the sandbox's own accounts as a bank tells of it (camt.053.001.08): commissions inside an entry and as an entry, a batch
 * that is booked as one, returns, and an EndToEndId without dashes, for which alone it has room. Damage is made on purpose, and leaves
 * the balances right: it is what a reconciliation must find.
 */

import { z } from 'zod'
import { payoutTakes } from '../contract/assumed.ts'
import { fromMinorUnits } from '../contract/core/decimal.ts'
import { dayAtService } from '../contract/date.ts'
import { payoutEnd } from '../contract/payout/status.ts'
import type { ResultOf } from '../result.ts'
import { listRows } from '../store/sandbox/rows.ts'
import type { Row, SandboxReader } from '../store/sandbox/schema.ts'
import { type Client, clients } from './accounts/fixtures.ts'
import { localMoment } from './clock.ts'
import { payoutRequest } from './ledger.ts'

export const damages = ['another sum', 'a double', 'a loss', 'an entry of somebody else'] as const

export const statementResult = z.strictObject({
  file: z.string(),
  date: z
    .string()
    .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)
    .describe('At the service.'),
  statements: z.int().min(1).describe('One for each account that something was booked on.'),
  entries: z.int().min(0),
  payments: z.int().min(0).describe('The same, with each payment of a batch: so `journal reconcile` counts them.'),
  damaged: z.array(z.string()).describe('What is wrong on purpose.'),
})

export interface StatementRequest {
  /** A day at the service, yyyy-MM-dd. */
  readonly date: string
  readonly isDamaged: boolean
}

export interface WrittenStatement extends Omit<ResultOf<typeof statementResult>, 'file' | 'date'> {
  readonly xml: string
}

interface Movement {
  readonly payout: Row<'payouts'>
  readonly day: string
  readonly isReturn: boolean
}

interface BankEntry {
  /** Signed minor units. */
  readonly units: number
  readonly payments: number
  readonly xml: (number: number) => string
}

/** The reason of a return, by the status in which the payout ended. */
const reasons: Readonly<Record<string, string>> = { FAILED: 'AC04', REJECTED: 'MS03', DELETED: 'FOCR' }

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function amountXml(units: number, currency: string): string {
  return `<Amt Ccy="${currency}">${fromMinorUnits(BigInt(Math.abs(units)))}</Amt>`
}

const direction = (units: number) => `<CdtDbtInd>${units < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`

function movementsOf(payouts: readonly Row<'payouts'>[]): Movement[] {
  return payouts
    .filter(({ executions }) => executions > 0)
    .flatMap((payout) => {
      const left = { payout, day: dayAtService(payout.created), isReturn: false }
      if (payoutEnd(payout.status) !== 'not-paid') return [left]
      const back = dayAtService(payout.created + payoutTakes.otherwise * 1000)
      return [left, { payout, day: back, isReturn: true }]
    })
}

function effectOf({ payout: { amount, commission }, isReturn }: Movement): number {
  return isReturn ? amount + commission : -(amount + commission)
}

/** The details of a payment. `commission`: inside the sum, in minor units. */
function detailsXml(payout: Row<'payouts'>, units: number, commission: number, reason: string | null): string {
  const { currency, transaction_id: number, unique_id: id } = payout
  const { beneficiaryName, toIban, description } = payoutRequest(payout)
  const charge = `<Rcrd>${amountXml(commission, currency)}<CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd>`
  return [
    `<TxDtls><Refs><EndToEndId>${id.replaceAll('-', '')}</EndToEndId>`,
    `<Prtry><Tp>transactionId</Tp><Ref>${number}</Ref></Prtry></Refs>${amountXml(units, currency)}${direction(units)}`,
    commission > 0 ? `<Chrgs>${charge}</Chrgs>` : '',
    '<RltdPties>',
    beneficiaryName === undefined ? '' : `<Cdtr><Pty><Nm>${escaped(beneficiaryName)}</Nm></Pty></Cdtr>`,
    toIban === undefined ? '' : `<CdtrAcct><Id><IBAN>${toIban}</IBAN></Id></CdtrAcct>`,
    `</RltdPties><RmtInf><Ustrd>${escaped(description)}</Ustrd></RmtInf>`,
    reason === null ? '' : `<RtrInf><Rsn><Cd>${reason}</Cd></Rsn></RtrInf>`,
    '</TxDtls>',
  ].join('')
}

interface Booked {
  readonly units: number
  readonly currency: string
  readonly day: string
  readonly code: string
  readonly inside: string
  readonly isReversal?: boolean
  readonly payments?: number
}

function entry({ units, currency, day, code, inside, isReversal = false, payments = 1 }: Booked): BankEntry {
  const reversal = isReversal ? '<RvslInd>true</RvslInd>' : ''
  return {
    units,
    payments,
    xml: (number) =>
      `<Ntry><NtryRef>${number}</NtryRef>${amountXml(units, currency)}${direction(units)}${reversal}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>SB-${day}-${number}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>${code}</SubFmlyCd></Fmly></Domn></BkTxCd>${inside}</Ntry>`,
  }
}

function single(movement: Movement, more = 0): BankEntry {
  const { payout, day, isReturn } = movement
  const units = effectOf(movement) - more
  const reason = isReturn ? (reasons[payout.status] ?? 'MS03') : null
  const details = detailsXml(payout, units, payout.commission, reason)
  const [currency, code] = [payout.currency, isReturn ? 'RRTN' : 'DMCT']
  return entry({ units, currency, day, code, inside: `<NtryDtls>${details}</NtryDtls>`, isReversal: isReturn })
}

/** Payments that are booked as one, and their commissions as another entry. */
function batch(movements: readonly Movement[], day: string): BankEntry[] {
  const [first] = movements
  if (!first) return []
  const { currency } = first.payout
  const sum = (of: (payout: Row<'payouts'>) => number) => movements.reduce((all, { payout }) => all + of(payout), 0)
  const details = movements.map(({ payout }) => detailsXml(payout, -payout.amount, 0, null)).join('')
  const facts = `<Btch><PmtInfId>BATCH-${day}</PmtInfId><NbOfTxs>${movements.length}</NbOfTxs></Btch>`
  const commission = sum((payout) => payout.commission)
  const inside = `<NtryDtls>${facts}${details}</NtryDtls>`
  const text = '<AddtlNtryInf>Commission of the batch</AddtlNtryInf>'
  const charge = entry({ units: -commission, currency, day, code: 'COMM', inside: text })
  const paid = entry({
    units: -sum((payout) => payout.amount),
    currency,
    day,
    code: 'DMCT',
    inside,
    payments: movements.length,
  })
  return commission > 0 ? [paid, charge] : [paid]
}

/** From so many payouts on, the bank books the first half of a day as one. */
const leastForBatch = 4

/** The entries of an account on a day, with damage where there is enough to damage. */
function entriesOf(movements: readonly Movement[], day: string, isDamaged: boolean) {
  const ofDay = movements.filter((each) => each.day === day)
  const returned = new Set(ofDay.filter(({ isReturn }) => isReturn).map(({ payout }) => payout.transaction_id))
  const plain = ofDay.filter(({ payout }) => !returned.has(payout.transaction_id))
  const together = plain.length < leastForBatch ? [] : plain.slice(0, Math.floor(plain.length / 2))
  const alone = ofDay.filter((each) => !together.includes(each))
  const [changed, doubled, lost] = isDamaged ? plain.filter((each) => !together.includes(each)) : []
  const entries = alone.flatMap((each) => {
    if (each === lost) return []
    if (each === changed) return [single(each, 100)]
    return each === doubled ? [single(each), single(each)] : [single(each)]
  })
  const currency = ofDay[0]?.payout.currency
  const inside = `<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RmtInf><Ustrd>Rent</Ustrd></RmtInf></TxDtls></NtryDtls>`
  const foreign = isDamaged && currency ? [entry({ units: -7700, currency, day, code: 'DMCT', inside })] : []
  const found = [changed, doubled, lost, foreign[0]]
  return {
    entries: [...batch(together, day), ...entries, ...foreign],
    damaged: damages.filter((_, at) => found[at] !== undefined),
  }
}

function balanceXml(type: string, units: number, currency: string, day: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${amountXml(units, currency)}${direction(units === 0 ? 1 : units)}<Dt><Dt>${day}</Dt></Dt></Bal>`
}

function statementXml(
  account: Client['accounts'][number],
  opening: number,
  entries: readonly BankEntry[],
  day: string,
  now: number,
): string {
  const { iban, currency } = account
  const closing = entries.reduce((all, { units }) => all + units, opening)
  return `<Stmt><Id>${iban.slice(-8)}-${day}</Id><CreDtTm>${localMoment(now).slice(0, 19)}</CreDtTm><FrToDt><FrDtTm>${day}T00:00:00</FrDtTm><ToDtTm>${day}T23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balanceXml('OPBD', opening, currency, day)}${balanceXml('CLBD', closing, currency, day)}
${entries.map(({ xml }, at) => xml(at + 1)).join('\n')}
</Stmt>`
}

/** The statements of all accounts that something was booked on; that of the first account where that is none. */
export async function writeStatement(
  db: SandboxReader,
  now: number,
  { date, isDamaged }: StatementRequest,
): Promise<WrittenStatement> {
  const accounts = clients.flatMap((client) => client.accounts)
  const movements = movementsOf(await listRows(db, 'payouts'))
  const damaged = new Set<string>()
  let [count, payments] = [0, 0]
  const all = accounts.flatMap((account, at) => {
    const own = movements.filter(({ payout }) => payout.iban === account.iban)
    const { entries, damaged: found } = entriesOf(own, date, isDamaged)
    if (entries.length === 0 && (at > 0 || movements.some(({ day }) => day === date))) return []
    for (const each of found) damaged.add(each)
    count += entries.length
    for (const each of entries) payments += each.payments
    const opening = own.reduce((sum, each) => (each.day < date ? sum + effectOf(each) : sum), account.opening)
    return [statementXml(account, opening, entries, date, now)]
  })
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>SANDBOX-${date}</MsgId><CreDtTm>${localMoment(now).slice(0, 19)}</CreDtTm></GrpHdr>
${all.join('\n')}
</BkToCstmrStmt></Document>
`
  return { xml, statements: all.length, entries: count, payments, damaged: damages.filter((each) => damaged.has(each)) }
}
