/**
 * The elements of a pain.001 that matter for payouts, in their order, and the walk through a file by these rules. `?`: once or not at
 * all, `*`: any number, `+`: one or more. Behind the name: `:kind` is a value, `>Type` an element with elements inside; otherwise the
 * inside is ignored (addresses, banks, purposes). Every other element is a complaint, because it could change a payment.
 */

import type { SaxesTagNS } from 'saxes'
import { strangeCharacter } from '../../../contract/core/text.ts'
import { isRealDashedDate } from '../../../contract/date.ts'
import { codePoint, withoutEnd, withoutEnds } from '../../../text.ts'
import { BrokenFile } from '../file.ts'
import type { PainVersion } from '../row.ts'
import { Values, type XmlListener } from '../xml.ts'

interface ElementRule {
  readonly name: string
  readonly least: 0 | 1
  readonly most: number
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

function elementRules(version: PainVersion): ElementRules {
  const listed = Object.entries(elements[version])
  return new Map(listed.map(([type, words]) => [type, words.trim().split(/\s+/).map(ruleOf)]))
}

/** Elements with exactly one element inside: choices of the schema. */
const choices: ReadonlySet<string> = new Set(['Amt', 'Identification', 'ReqdExctnDt'])

const namespace = 'urn:iso:std:iso:20022:tech:xsd:'

function versionOf(uri: string): PainVersion | null {
  const name = uri.startsWith(namespace) ? uri.slice(namespace.length) : ''
  return Object.hasOwn(elements, name) ? (name as PainVersion) : null
}

// The walk through a file. Paths begin anew inside a scope.

const scopeTypes = ['CstmrCdtTrfInitn', 'GrpHdr', 'PmtInf', 'CdtTrfTxInf'] as const

/** The document, its group header, a block or a payment: values by their paths. Elements without a value are ''. */
export class Scope extends Values {
  readonly type: (typeof scopeTypes)[number] | 'Document'
  /** Of its paths in complaints. */
  readonly prefix: string
  readonly wrong = new Map<string, string>()
  /** Of the amount of a payment. */
  currency: string | null = null

  constructor(type: Scope['type'], prefix = '') {
    super()
    this.type = type
    this.prefix = prefix
  }
}

export interface ScopeListener {
  open(scope: Scope): void
  close(scope: Scope): void
  /** About everything but a payment, whose scope has its own complaints. */
  complain(header: string, message: string): void
}

interface Frame {
  readonly type: string
  readonly rules: readonly ElementRule[]
  readonly path: string
  readonly scope: Scope
  readonly seen: number[]
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

function firstCharacter(text: string): string {
  return codePoint(Array.from(text).find((each) => !' \t\r\n'.includes(each)) ?? '')
}

export class Walk implements XmlListener {
  version: PainVersion = 'pain.001.001.03'
  readonly #listener: ScopeListener
  readonly #frames: Frame[] = []
  #rules: ElementRules = new Map()
  #namespace = ''
  #value: Value | null = null
  #passed = 0
  #hasStray = false

  constructor(listener: ScopeListener) {
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
      this.#complain(this.#value.path, `has the element ${tag.local} inside, and must be a plain value`)
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
    this.version = version
    this.#enter('Document', '', new Scope('Document'))
  }

  /** `times`: how often such an element stands there by now. */
  #enter(type: string, path: string, around: Scope, times = 1): void {
    const rules = this.#rules.get(type) ?? []
    const own = scopeTypes.find((each) => each === type)
    const prefix = type === 'PmtInf' ? `PmtInf[${times}]/` : type === 'GrpHdr' ? 'GrpHdr/' : ''
    const scope = own ? new Scope(own, prefix) : around
    this.#frames.push({ type, rules, path: own ? '' : path, scope, seen: rules.map(() => 0), last: 0 })
    if (own) this.#listener.open(scope)
  }

  /** A payment has one complaint for a path. */
  #complain(path: string, message: string): void {
    const scope = this.#frames.at(-1)?.scope
    if (scope?.type !== 'CdtTrfTxInf') this.#listener.complain(`${scope?.prefix ?? ''}${path}`, message)
    else if (!scope.wrong.has(path)) scope.wrong.set(path, message)
  }

  #inside(frame: Frame, tag: SaxesTagNS): void {
    const path = frame.path === '' ? tag.local : `${frame.path}/${tag.local}`
    const place = tag.uri === this.#namespace ? frame.rules.findIndex(({ name }) => name === tag.local) : -1
    const rule = frame.rules[place]
    if (!rule) {
      this.#complain(path, 'is no element of this place in the schema')
      this.#passed = 1
      return
    }
    const times = (frame.seen[place] ?? 0) + 1
    frame.seen[place] = times
    if (times > rule.most) this.#complain(path, 'stands more than once')
    else if (place < frame.last)
      this.#complain(path, `stands behind ${frame.rules[frame.last]?.name}, and belongs before it`)
    frame.last = Math.max(frame.last, place)
    if (rule.value !== null) {
      const strange = strangeAttribute(tag, rule)
      if (strange !== null) this.#complain(path, `has the attribute ${strange}, which the schema has not got there`)
      this.#value = { rule, path, tag, text: '' }
      return
    }
    frame.scope.add(path, '')
    if (rule.inside !== null) this.#enter(rule.inside, path, frame.scope, times)
    else this.#passed = 1
  }

  text(text: string): void {
    if (this.#passed > 0) return
    if (this.#value) {
      if (this.#value.text.length <= longestValue) this.#value.text += text
    } else if (!this.#hasStray && collapsed(text) !== '' && this.#frames.length > 0) {
      this.#hasStray = true
      const inside = this.#frames.at(-1)?.type ?? ''
      const words = `has text between its elements: ${firstCharacter(text)}, first in ${inside}`
      this.#listener.complain('Document', words)
    }
  }

  close(): void {
    if (this.#passed > 0) this.#passed -= 1
    else if (this.#value) this.#closeValue(this.#value)
    else this.#closeFrame()
  }

  #closeValue({ rule, path, text, tag }: Value): void {
    this.#value = null
    const complaint = rule.value === null ? null : kinds[rule.value](text)
    const scope = this.#frames.at(-1)?.scope
    if (complaint === null) scope?.add(path, text)
    else this.#complain(path, complaint)
    const currency = tag.attributes.Ccy?.value
    if (!scope || !currency || rule.value !== 'amount') return
    scope.currency = currency
    if (!/^[A-Z]{3}$/.test(currency)) this.#complain('Amt/InstdAmt/@Ccy', 'must be 3 capital letters')
  }

  #closeFrame(): void {
    const frame = this.#frames.at(-1)
    if (!frame) return
    const inPath = (name: string) => (frame.path === '' ? name : `${frame.path}/${name}`)
    for (const [place, { name, least }] of frame.rules.entries()) {
      if ((frame.seen[place] ?? 0) < least) this.#complain(inPath(name), 'is missing')
    }
    const chosen = frame.seen.filter((times) => times > 0).length
    if (choices.has(frame.type) && chosen !== 1) {
      const names = frame.rules.map(({ name }) => name).join(' or ')
      this.#complain(frame.path || frame.type, `must have ${names} inside, one of them`)
    }
    this.#frames.pop()
    if (frame.scope.type === frame.type && frame.type !== 'Document') this.#listener.close(frame.scope)
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

// The kinds of values, and decimals.

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

/** XML ignores blanks around a number or a date. */
export function collapsed(text: string): string {
  return withoutEnds(text, ' \t\r\n')
}

/** Places after the point that a sum may have. */
const places = 17

/** The value of a decimal times 10^17; null for a wrong decimal. */
export function scaled(text: string): bigint | null {
  const plain = collapsed(text)
  if (!decimal.test(plain)) return null
  const [whole = '', fraction = ''] = plain.replace(/^[+-]/, '').split('.')
  if (fraction.length > places) return null
  const value = BigInt(`${whole}${fraction.padEnd(places, '0')}`)
  return plain.startsWith('-') ? -value : value
}

/** The decimal as the contract writes it: "+010.500" is "10.50". */
export function plainAmount(text: string): string {
  const [whole = '', fraction = ''] = collapsed(text).replace(/^\+/, '').split('.')
  const short = fraction.slice(0, 2) + withoutEnd(fraction.slice(2), '0')
  const integer = whole.replace(/^0+(?=\d)/, '') || '0'
  return short === '' ? integer : `${integer}.${short}`
}

function digitsOf(text: string): { readonly all: number; readonly after: number } {
  const [whole = '', fraction = ''] = collapsed(text).replace(/^[+-]/, '').split('.')
  const after = withoutEnd(fraction, '0').length
  return { all: whole.replace(/^0+/, '').length + after, after }
}

function atMost(length: number) {
  return (text: string) => {
    const characters = Array.from(text).length
    if (characters === 0) return 'is empty'
    return characters > length ? `has ${characters} characters, and ${length} are allowed` : null
  }
}

function decimalOf(after: number) {
  return (text: string) => {
    if (!decimal.test(collapsed(text))) return 'must be a decimal number like 12.50, without exponent or separators'
    const digits = digitsOf(text)
    if (digits.all > 18 || digits.after > after) return `has more than 18 digits, or more than ${after} after the point`
    return collapsed(text).startsWith('-') && /[1-9]/.test(text) ? 'must not be less than 0' : null
  }
}

const zone = '(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)?'
const date = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})${zone}$`)
const moment = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,12})?${zone}$`)

function dayLike(form: RegExp, words: string) {
  return (text: string) => {
    const [, day = ''] = form.exec(collapsed(text)) ?? []
    return isRealDashedDate(day) ? null : `must be ${words}`
  }
}

function form(expression: RegExp, words: string) {
  return (text: string) => (expression.test(text) ? null : `must be ${words}${strangeCharacter(text)}`)
}

/** The complaint about a value of each kind; null for a good value. */
const kinds = {
  id: atMost(35),
  name: atMost(140),
  line: atMost(140),
  count: form(/^\d{1,15}$/, 'a whole number of at most 15 digits'),
  sum: decimalOf(17),
  amount: decimalOf(5),
  method: form(/^(?:TRF|TRA|CHK)$/, 'TRF, TRA or CHK'),
  date: dayLike(date, 'a date of the calendar, yyyy-MM-dd'),
  moment: dayLike(moment, 'a moment of the calendar, yyyy-MM-ddTHH:mm:ss'),
  iban: form(/^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/, 'an IBAN: 2 capital letters, 2 digits, at most 30 letters and digits'),
  uetr: form(
    /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/,
    'a UUID, version 4, in small letters',
  ),
} as const satisfies Readonly<Record<string, (text: string) => string | null>>

type ValueKind = keyof typeof kinds
