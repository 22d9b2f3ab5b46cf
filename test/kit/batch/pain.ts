/** pain.001 files made by hand, with what a test wants to be different. */

export interface PainParts {
  readonly version?: '03' | '09'
  readonly head?: string
  readonly count?: string
  readonly sum?: string
  readonly block?: string
  readonly date?: string
  readonly payments?: readonly string[]
}

export function payment(id: string, amount = '12.50', more = '', instruction = ''): string {
  const own = instruction === '' ? '' : `<InstrId>${instruction}</InstrId>`
  return `<CdtTrfTxInf><PmtId>${own}<EndToEndId>${id}</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="GEL">${amount}</InstdAmt></Amt><Cdtr><Nm>Nino Beridze</Nm></Cdtr>
<CdtrAcct><Id><IBAN>GE29NB0000000101904917</IBAN></Id></CdtrAcct>${more}
<RmtInf><Ustrd>Salary, November</Ustrd></RmtInf></CdtTrfTxInf>`
}

export function painFile(parts: PainParts = {}): string {
  const { version = '03', head = '<?xml version="1.0" encoding="UTF-8"?>', payments = [payment('emp-1')] } = parts
  const { count = String(payments.length), sum = '', block = '', date = '2026-11-23' } = parts
  const day = version === '09' ? `<Dt>${date}</Dt>` : date
  return `${head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>m-1</MsgId><CreDtTm>2026-11-23T09:00:00</CreDtTm><NbOfTxs>${count}</NbOfTxs>${sum}<InitgPty/></GrpHdr>
<PmtInf><PmtInfId>p-1</PmtInfId><PmtMtd>TRF</PmtMtd>${block}<ReqdExctnDt>${day}</ReqdExctnDt><Dbtr/>
<DbtrAcct><Id><IBAN>GE60NB0000000123456789</IBAN></Id></DbtrAcct><DbtrAgt/>
${payments.join('\n')}</PmtInf></CstmrCdtTrfInitn></Document>`
}
