/** A sample as pain.001.001.03: one block, a group header that agrees with it, or not. */
import { fromMinorUnits, minorUnits } from '../../contract/core/decimal.ts'
import { type SampleOrder, type SamplePayout, samplePayout } from './rows.ts'

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A day that is past on every clock: a file of a later day would be refused. */
const day = '2026-01-05'

export function painHead(order: SampleOrder & { readonly isDamaged: boolean }): string {
  let sum = 0n
  for (let row = 0; row < order.rows; row += 1) sum += minorUnits(samplePayout(order, row).amount) ?? 0n
  const [date, count] = order.isDamaged ? ['2999-12-31', order.rows + 1] : [day, order.rows]
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>sample-${order.seed}-${order.rows}</MsgId><CreDtTm>${day}T09:00:00</CreDtTm><NbOfTxs>${count}</NbOfTxs><CtrlSum>${fromMinorUnits(sum)}</CtrlSum><InitgPty><Nm>Sample LLC</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>payroll</PmtInfId><PmtMtd>${order.isDamaged ? 'CHK' : 'TRF'}</PmtMtd><NbOfTxs>${order.rows}</NbOfTxs><ReqdExctnDt>${date}</ReqdExctnDt><Dbtr><Nm>Sample LLC</Nm></Dbtr><DbtrAcct><Id><IBAN>GE29NB0000000101904917</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><BIC>BNLNGE22XXX</BIC></FinInstnId></DbtrAgt>
`
}

export function painPayment(payout: SamplePayout): string {
  const { key, amount, currency, description, toIban, beneficiaryName } = payout
  const account = toIban === '' ? '' : `<CdtrAcct><Id><IBAN>${toIban}</IBAN></Id></CdtrAcct>`
  const text = description === '' ? '' : `<RmtInf><Ustrd>${escaped(description)}</Ustrd></RmtInf>`
  return `<CdtTrfTxInf><PmtId><EndToEndId>${escaped(key)}</EndToEndId></PmtId><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt><Cdtr><Nm>${escaped(beneficiaryName)}</Nm></Cdtr>${account}${text}</CdtTrfTxInf>`
}

export const painEnd = '</PmtInf></CstmrCdtTrfInitn></Document>\n'
