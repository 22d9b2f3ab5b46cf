/** Payouts for a bench: as many as asked for, each with a key, a sum and a payee of its own. */
import { closeSync, openSync, writeSync } from 'node:fs'

function checkDigits(rest: string): string {
  // GE is 16 14, and 00 stands for the digits that are looked for.
  const digits = `${rest}161400`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let remainder = 0
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97
  return String(98 - remainder).padStart(2, '0')
}

export interface Payee {
  readonly key: string
  readonly amount: string
  readonly iban: string
  readonly name: string
}

/** The n-th payee, from 1. */
export function payee(number: number): Payee {
  const rest = `NB${String(number).padStart(16, '0')}`
  return {
    key: `2026-11-e-${number}`,
    amount: `${100 + (number % 900)}.${String(number % 100).padStart(2, '0')}`,
    iban: `GE${checkDigits(rest)}${rest}`,
    name: `Nino Beridze ${number}`,
  }
}

/** A CSV file, in pieces. */
export function* csvOf(rows: number): Generator<string> {
  yield 'key,amount,currency,description,toIban,beneficiaryName\n'
  for (let number = 1; number <= rows; number += 1) {
    const { key, amount, iban, name } = payee(number)
    yield `${key},${amount},GEL,"Salary, November",${iban},${name}\n`
  }
}

/** A pain.001 of one block, in pieces. `day`: yyyy-MM-dd. */
export function* painOf(rows: number, day: string): Generator<string> {
  let cents = 0
  for (let number = 1; number <= rows; number += 1) cents += Number(payee(number).amount.replace('.', ''))
  const sum = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
  const counted = `<NbOfTxs>${rows}</NbOfTxs><CtrlSum>${sum}</CtrlSum>`
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>bench</MsgId><CreDtTm>${day}T09:00:00</CreDtTm>${counted}<InitgPty><Nm>Sample LLC</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>payroll</PmtInfId><PmtMtd>TRF</PmtMtd>${counted}<ReqdExctnDt>${day}</ReqdExctnDt><Dbtr><Nm>Sample LLC</Nm></Dbtr>
<DbtrAcct><Id><IBAN>GE60NB0000000123456789</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><BIC>BNLNGE22XXX</BIC></FinInstnId></DbtrAgt>
`
  for (let number = 1; number <= rows; number += 1) {
    const { key, amount, iban, name } = payee(number)
    yield `<CdtTrfTxInf><PmtId><EndToEndId>${key}</EndToEndId></PmtId><Amt><InstdAmt Ccy="GEL">${amount}</InstdAmt></Amt>
<Cdtr><Nm>${name}</Nm></Cdtr><CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct><RmtInf><Ustrd>Salary, November</Ustrd></RmtInf></CdtTrfTxInf>
`
  }
  yield '</PmtInf></CstmrCdtTrfInitn></Document>\n'
}

/** Writes a file piece by piece: a million rows are more than a text can be asked to hold twice. */
export function written(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, 'w')
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < 1 << 20) continue
    writeSync(file, text)
    text = ''
  }
  writeSync(file, text)
  closeSync(file)
}
