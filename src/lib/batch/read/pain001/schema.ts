/**
 * The elements of a pain.001 that are read, in their order, as far as a payout has to do with them. `?` once or not at all,
 * `*` any number, `+` one or more. Behind the name: `:kind` a value, `>Type` an element with more inside, nothing one whose
 * inside is passed over (addresses, banks, purposes). An element that is not in the list is a complaint, because it could
 * change the meaning of a payment.
 */
import type { PainVersion } from './facts.ts'
import type { ValueKind } from './values.ts'

export interface ElementRule {
  readonly name: string
  readonly least: 0 | 1
  readonly most: number
  /** The kind of its value; null where it has none. */
  readonly value: ValueKind | null
  /** The type of what stands inside; null where that is passed over, or where it has a value. */
  readonly inside: string | null
}

const payment03 = `PmtId>PmtId PmtTpInf? Amt>Amt XchgRateInf? ChrgBr? ChqInstr? UltmtDbtr?
  IntrmyAgt1? IntrmyAgt1Acct? IntrmyAgt2? IntrmyAgt2Acct? IntrmyAgt3? IntrmyAgt3Acct? CdtrAgt? CdtrAgtAcct?
  Cdtr?>Party CdtrAcct?>Account UltmtCdtr? InstrForCdtrAgt* InstrForDbtrAgt? Purp? RgltryRptg* Tax? RltdRmtInf* RmtInf?>RmtInf`

const block03 = `PmtInfId:id PmtMtd:method BtchBookg? NbOfTxs?:count CtrlSum?:sum PmtTpInf? ReqdExctnDt:date PoolgAdjstmntDt?
  Dbtr DbtrAcct>Account DbtrAgt DbtrAgtAcct? UltmtDbtr? ChrgBr? ChrgsAcct? ChrgsAcctAgt? CdtTrfTxInf+>CdtTrfTxInf`

const shared = {
  Document: 'CstmrCdtTrfInitn>CstmrCdtTrfInitn',
  Amt: 'InstdAmt?:amount EqvtAmt?>EqvtAmt',
  EqvtAmt: 'Amt:amount CcyOfTrf',
  Party: 'Nm?:name PstlAdr? Id? CtryOfRes? CtctDtls?',
  Identification: 'IBAN?:iban Othr?',
  RmtInf: 'Ustrd*:line Strd*>Strd',
  CdtrRefInf: 'Tp? Ref?:id',
}

const elements: Readonly<Record<PainVersion, Readonly<Record<string, string>>>> = {
  'pain.001.001.03': {
    ...shared,
    CstmrCdtTrfInitn: 'GrpHdr>GrpHdr PmtInf+>PmtInf',
    GrpHdr: 'MsgId:id CreDtTm:moment Authstn* NbOfTxs:count CtrlSum?:sum InitgPty FwdgAgt?',
    PmtInf: block03,
    CdtTrfTxInf: payment03,
    PmtId: 'InstrId?:id EndToEndId:id',
    Strd: 'RfrdDocInf* RfrdDocAmt? CdtrRefInf?>CdtrRefInf Invcr? Invcee? AddtlRmtInf*',
    Account: 'Id>Identification Tp? Ccy? Nm?',
  },
  'pain.001.001.09': {
    ...shared,
    CstmrCdtTrfInitn: 'GrpHdr>GrpHdr PmtInf+>PmtInf SplmtryData*',
    GrpHdr: 'MsgId:id CreDtTm:moment Authstn* NbOfTxs:count CtrlSum?:sum InitgPty FwdgAgt? InitnSrc?',
    PmtInf: block03
      .replace('ReqdExctnDt:date', 'ReqdExctnDt>ReqdExctnDt')
      .replace('DbtrAgtAcct?', 'DbtrAgtAcct? InstrForDbtrAgt?'),
    ReqdExctnDt: 'Dt?:date DtTm?:moment',
    CdtTrfTxInf: `${payment03.replace('ChqInstr?', 'MndtRltdInf? ChqInstr?')} SplmtryData*`,
    PmtId: 'InstrId?:id EndToEndId:id UETR?:uetr',
    Strd: 'RfrdDocInf* RfrdDocAmt? CdtrRefInf?>CdtrRefInf Invcr? Invcee? TaxRmt? GrnshmtRmt? AddtlRmtInf*',
    Account: 'Id>Identification Tp? Ccy? Nm? Prxy?',
  },
}

const most: Readonly<Record<string, number>> = { '': 1, '?': 1 }

function ruleOf(word: string): ElementRule {
  const [, name = '', often = '', sign = '', rest = ''] = /^(\w{1,40})([?*+]?)([:>]?)(\w{0,40})$/.exec(word) ?? []
  return {
    name,
    least: often === '' || often === '+' ? 1 : 0,
    most: most[often] ?? Number.POSITIVE_INFINITY,
    value: sign === ':' ? (rest as ValueKind) : null,
    inside: sign === '>' ? rest : null,
  }
}

export type ElementRules = ReadonlyMap<string, readonly ElementRule[]>

/** The rules of a version, by the type of the element that holds them. */
export function elementRules(version: PainVersion): ElementRules {
  const listed = Object.entries(elements[version])
  return new Map(listed.map(([type, words]) => [type, words.trim().split(/\s+/).map(ruleOf)]))
}

/** Elements of which exactly one stands inside: the schema's choices. */
export const choices: ReadonlySet<string> = new Set(['Amt', 'Identification', 'ReqdExctnDt'])

const namespace = 'urn:iso:std:iso:20022:tech:xsd:'

/** The version that a namespace means; null for any other. */
export function versionOf(uri: string): PainVersion | null {
  const name = uri.startsWith(namespace) ? uri.slice(namespace.length) : ''
  return Object.hasOwn(elements, name) ? (name as PainVersion) : null
}
