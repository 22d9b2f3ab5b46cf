/**
 * The elements of a pain.001 that matter for payouts, in their order, and the walk through a file by these rules. `?`: once or not at
 * all, `*`: any number, `+`: one or more. Behind the name: `:kind` is a value, `>Type` an element with elements inside; otherwise the
 * inside is ignored (addresses, banks, purposes). Every other element is a complaint, because it could change a payment.
 */

import type { SaxesTagNS } from 'saxes'
import { codePoint } from '../../../text.ts'
import { BrokenFile } from '../file.ts'
import type { PainVersion } from '../row.ts'
import type { XmlListener } from '../xml.ts'
import { collapsed, type ValueKind, valueComplaint } from './payment.ts'

interface ElementRule {
  readonly name: string
  readonly least: 0 | 1
  readonly most: number
  /** The kind of its value; null without a value. */
  readonly value: ValueKind | null
  /** The type of the elements inside; null if they are ignored, or if it has a value. */
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

type ElementRules = ReadonlyMap<string, readonly ElementRule[]>

/** The rules of a version, by the type of the element around. */
function elementRules(version: PainVersion): ElementRules {
  const listed = Object.entries(elements[version])
  return new Map(listed.map(([type, words]) => [type, words.trim().split(/\s+/).map(ruleOf)]))
}

/** Elements with exactly one element inside: choices of the schema. */
const choices: ReadonlySet<string> = new Set(['Amt', 'Identification', 'ReqdExctnDt'])

const namespace = 'urn:iso:std:iso:20022:tech:xsd:'

/** The version of a namespace. */
function versionOf(uri: string): PainVersion | null {
  const name = uri.startsWith(namespace) ? uri.slice(namespace.length) : ''
  return Object.hasOwn(elements, name) ? (name as PainVersion) : null
}

// The walk: it reports values and complaints by their paths.

export interface WalkListener {
  version(version: PainVersion): void
  open(type: string): void
  /**
   * A value; null for a wrong value, which `wrong` has reported. `path` begins at the group header, the block or the payment.
   */
  value(path: string, text: string | null, tag: SaxesTagNS): void
  /** An element whose inside is ignored. */
  passed(path: string): void
  wrong(path: string, message: string): void
  close(type: string): void
}

interface Frame {
  readonly type: string | null
  readonly rules: readonly ElementRule[]
  readonly path: string
  /** How often each rule has matched. */
  readonly seen: number[]
  /** The index of the rule that matched last. */
  last: number
}

interface Value {
  readonly rule: ElementRule
  readonly path: string
  readonly tag: SaxesTagNS
  text: string
}

/** Longer than any text in the schema: the rest is not kept. */
const longestValue = 2000

/** Paths begin anew inside these elements. */
const scopes: ReadonlySet<string> = new Set(['CstmrCdtTrfInitn', 'GrpHdr', 'PmtInf', 'CdtTrfTxInf'])

function firstCharacter(text: string): string {
  return codePoint(Array.from(text).find((each) => !' \t\r\n'.includes(each)) ?? '')
}

export class Walk implements XmlListener {
  readonly #listener: WalkListener
  readonly #frames: Frame[] = []
  #rules: ElementRules = new Map()
  #namespace = ''
  #value: Value | null = null
  /** The depth of ignored elements. */
  #passed = 0
  #hasStray = false

  constructor(listener: WalkListener) {
    this.#listener = listener
  }

  open(tag: SaxesTagNS): void {
    if (this.#passed > 0) {
      this.#passed += 1
      return
    }
    const frame = this.#frames.at(-1)
    if (!frame) this.#root(tag)
    else if (this.#value) {
      this.#listener.wrong(this.#value.path, `has the element ${tag.local} inside, and must be a plain value`)
      this.#passed = 1
    } else this.#inside(frame, tag)
  }

  #root({ local, uri }: SaxesTagNS): void {
    const version = versionOf(uri)
    if (local !== 'Document')
      throw new BrokenFile(`begins with <${local}>: a pain.001 begins with <Document>`, 'as a whole')
    if (!version) {
      const name = uri === '' ? 'no namespace' : `the namespace ${uri}`
      throw new BrokenFile(`has ${name}, which is not read: pain.001.001.03 and pain.001.001.09 are`, 'as a whole')
    }
    this.#namespace = uri
    this.#rules = elementRules(version)
    this.#listener.version(version)
    this.#enter('Document', '')
  }

  #enter(type: string, path: string): void {
    const rules = this.#rules.get(type) ?? []
    this.#frames.push({ type, rules, path: scopes.has(type) ? '' : path, seen: rules.map(() => 0), last: 0 })
    this.#listener.open(type)
  }

  #inside(frame: Frame, tag: SaxesTagNS): void {
    const path = frame.path === '' ? tag.local : `${frame.path}/${tag.local}`
    const place = tag.uri === this.#namespace ? frame.rules.findIndex(({ name }) => name === tag.local) : -1
    const rule = frame.rules[place]
    if (!rule) {
      this.#listener.wrong(path, 'is no element of this place in the schema')
      this.#passed = 1
      return
    }
    const times = (frame.seen[place] ?? 0) + 1
    frame.seen[place] = times
    if (times > rule.most) this.#listener.wrong(path, 'stands more than once')
    else if (place < frame.last)
      this.#listener.wrong(path, `stands behind ${frame.rules[frame.last]?.name}, and belongs before it`)
    frame.last = Math.max(frame.last, place)
    if (rule.value !== null) {
      const strange = strangeAttribute(tag, rule)
      if (strange !== null)
        this.#listener.wrong(path, `has the attribute ${strange}, which the schema has not got there`)
      this.#value = { rule, path, tag, text: '' }
    } else if (rule.inside !== null) this.#enter(rule.inside, path)
    else {
      this.#passed = 1
      this.#listener.passed(path)
    }
  }

  text(text: string): void {
    if (this.#passed > 0) return
    if (this.#value) {
      if (this.#value.text.length <= longestValue) this.#value.text += text
    } else if (!this.#hasStray && collapsed(text) !== '' && this.#frames.length > 0) {
      this.#hasStray = true
      const inside = this.#frames.at(-1)?.type ?? ''
      this.#listener.wrong('Document', `has text between its elements: ${firstCharacter(text)}, first in ${inside}`)
    }
  }

  close(): void {
    if (this.#passed > 0) this.#passed -= 1
    else if (this.#value) this.#closeValue(this.#value)
    else this.#closeFrame()
  }

  #closeValue({ rule, path, text, tag }: Value): void {
    this.#value = null
    const complaint = rule.value === null ? null : valueComplaint(rule.value, text)
    if (complaint !== null) this.#listener.wrong(path, complaint)
    this.#listener.value(path, complaint === null ? text : null, tag)
  }

  #closeFrame(): void {
    const frame = this.#frames.pop()
    if (!frame?.type) return
    const inPath = (name: string) => (frame.path === '' ? name : `${frame.path}/${name}`)
    for (const [place, { name, least }] of frame.rules.entries()) {
      if ((frame.seen[place] ?? 0) < least) this.#listener.wrong(inPath(name), 'is missing')
    }
    const chosen = frame.seen.filter((times) => times > 0).length
    if (choices.has(frame.type) && chosen !== 1) {
      const names = frame.rules.map(({ name }) => name).join(' or ')
      this.#listener.wrong(frame.path || frame.type, `must have ${names} inside, one of them`)
    }
    this.#listener.close(frame.type)
  }
}

/** Attributes that every element may have. */
const ofAnyElement: ReadonlySet<string> = new Set([
  'http://www.w3.org/2000/xmlns/',
  'http://www.w3.org/2001/XMLSchema-instance',
])

/** An attribute that the schema does not allow: only amounts have one, their currency. */
function strangeAttribute({ attributes }: SaxesTagNS, { value }: ElementRule): string | null {
  const strange = Object.values(attributes).find(
    ({ name, uri }) => !ofAnyElement.has(uri) && !(value === 'amount' && name === 'Ccy'),
  )
  return strange?.name ?? null
}
