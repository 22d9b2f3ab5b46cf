/**
 * Checks a pain.002 against the rules of its message definition, as far as paydesk writes it: elements in their order
 * and number, values in their form, and counts and sums that agree with the payments.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { minorUnits } from '../../../../src/lib/contract/core/decimal.ts'

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly inside: XmlElement[]
  text: string
}

export type Version = '03' | '10'

function treeOf(xml: string): { readonly root: XmlElement; readonly namespace: string } {
  const open: XmlElement[] = []
  let root: XmlElement | null = null
  let namespace = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri, attributes }: SaxesTagNS) => {
    const own = Object.values(attributes).filter(({ prefix, local }) => prefix !== 'xmlns' && local !== 'xmlns')
    const each: XmlElement = {
      name: local,
      attributes: Object.fromEntries(own.map(({ local, value }) => [local, value])),
      inside: [],
      text: '',
    }
    open.at(-1)?.inside.push(each)
    root ??= each
    namespace ||= uri
    open.push(each)
  })
  parser.on('text', (text) => {
    const last = open.at(-1)
    if (last) last.text += text
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(xml).close()
  if (!root) throw new Error('there is no element')
  return { root, namespace }
}

/** `name?` at most once, `name*` any number, else exactly once; behind the colon the form of its value, behind `>` its type. */
type Definition = Readonly<Record<string, string>>

const common = {
  Document: 'CstmrPmtStsRpt>Report',
  Report: 'GrpHdr>Header OrgnlGrpInfAndSts>Group OrgnlPmtInfAndSts*>Block',
  Header: 'MsgId:id CreDtTm:moment',
  Group:
    'OrgnlMsgId:id OrgnlMsgNmId:id OrgnlCreDtTm?:moment OrgnlNbOfTxs?:count OrgnlCtrlSum?:sum GrpSts?:group StsRsnInf*>Reason NbOfTxsPerSts*>Number',
  Block:
    'OrgnlPmtInfId:id OrgnlNbOfTxs?:count OrgnlCtrlSum?:sum PmtInfSts?:group StsRsnInf*>Reason NbOfTxsPerSts*>Number TxInfAndSts*>Payment',
  Number: 'DtldNbOfTxs:count DtldSts:status DtldCtrlSum?:sum',
  Reason: 'Rsn?>Code AddtlInf*:line',
  Code: 'Cd:code',
  Amount: 'InstdAmt:amount',
  Account: 'Id>Iban',
  Iban: 'IBAN:iban',
  Name: 'Nm?:name',
} as const

const definitions: Readonly<Record<Version, Definition>> = {
  '03': {
    ...common,
    Payment:
      'StsId?:id OrgnlInstrId?:id OrgnlEndToEndId?:id TxSts?:status StsRsnInf*>Reason AccptncDtTm?:moment AcctSvcrRef?:id OrgnlTxRef?>Original',
    Original: 'Amt?>Amount ReqdExctnDt?:date Cdtr?>Name CdtrAcct?>Account',
  },
  '10': {
    ...common,
    Payment:
      'StsId?:id OrgnlInstrId?:id OrgnlEndToEndId?:id OrgnlUETR?:uetr TxSts?:status StsRsnInf*>Reason AccptncDtTm?:moment AcctSvcrRef?:id OrgnlTxRef?>Original',
    Original: 'Amt?>Amount ReqdExctnDt?>Day Cdtr?>Party CdtrAcct?>Account',
    Day: 'Dt?:date DtTm?:moment',
    Party: 'Pty>Name',
  },
}

const statuses: Readonly<Record<Version, RegExp>> = {
  '03': /^(?:ACTC|RJCT|PDNG|ACCP|ACSP|ACSC|ACWC)$/,
  '10': /^(?:ACTC|RJCT|PDNG|ACCP|ACSP|ACSC|ACWC|RCVD|ACCC|CANC)$/,
}

const groups: Readonly<Record<Version, RegExp>> = {
  '03': /^(?:ACTC|RCVD|PART|RJCT|PDNG|ACCP|ACSP|ACSC|ACWC)$/,
  '10': /^(?:ACTC|RCVD|PART|RJCT|PDNG|ACCP|ACSP|ACSC|ACWC|ACCC)$/,
}

const reasons = new Set(['AC01', 'AM02', 'AM03', 'AM04', 'AM06', 'BE06', 'MS03', 'NARR'])

function formOf(kind: string, version: Version): RegExp {
  const forms: Readonly<Record<string, RegExp>> = {
    id: /^[\s\S]{1,35}$/u,
    line: /^[A-Za-z0-9\u10D0-\u10FF/\-?:().,'+ ]{1,105}$/u,
    name: /^[\s\S]{1,140}$/u,
    moment: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/,
    date: /^\d{4}-\d\d-\d\d(?:Z|[+-]\d\d:\d\d)?$/,
    count: /^\d{1,15}$/,
    sum: /^[+]?(?=(?:\D*\d){1,18}\D*$)(?:\d+(?:\.\d{0,17})?|\.\d{1,17})$/,
    amount: /^[+]?(?=(?:\D*\d){1,18}\D*$)(?:\d+(?:\.\d{0,5})?|\.\d{1,5})$/,
    iban: /^[A-Z]{2}\d\d[A-Za-z0-9]{1,30}$/,
    uetr: /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/,
    code: /^[A-Z0-9]{4}$/,
    status: statuses[version],
    group: groups[version],
  }
  const form = forms[kind]
  if (!form) throw new Error(`there is no form ${kind}`)
  return form
}

function wrongInside(each: XmlElement, type: string, version: Version, path: string): string[] {
  const rules = (definitions[version][type] ?? '').split(' ').map((rule) => {
    const [, name = '', times = '', mark = '', what = ''] = /^(\w+)([?*]?)([:>])(\w+)$/.exec(rule) ?? []
    return { name, least: times === '' ? 1 : 0, most: times === '*' ? Number.POSITIVE_INFINITY : 1, mark, what }
  })
  const found = each.inside.map(({ name }) => rules.findIndex((rule) => rule.name === name))
  const stray = each.inside
    .filter((_, at) => (found[at] ?? -1) < 0)
    .map(({ name }) => `${path}/${name} is no element here`)
  const order = found.every((place, at) => at === 0 || place >= (found[at - 1] ?? 0)) ? [] : [`${path}: out of order`]
  const counts = rules.flatMap(({ name, least, most }) => {
    const times = each.inside.filter((inner) => inner.name === name).length
    return times < least || times > most ? [`${path}/${name} stands ${times} times`] : []
  })
  const text = each.text.trim() === '' ? [] : [`${path} has text: ${each.text}`]
  const deeper = each.inside.flatMap((inner) => {
    const rule = rules.find(({ name }) => name === inner.name)
    if (!rule) return []
    const way = `${path}/${inner.name}`
    if (rule.mark === '>') return wrongInside(inner, rule.what, version, way)
    const isPlain = inner.inside.length === 0 && formOf(rule.what, version).test(inner.text)
    return isPlain ? [] : [`${way} must not be "${inner.text}"`]
  })
  return [...stray, ...order, ...counts, ...text, ...deeper]
}

/** The elements below an element at the end of a way. */
export function below(from: XmlElement, ...way: readonly string[]): readonly XmlElement[] {
  return way.reduce<readonly XmlElement[]>(
    (all, name) => all.flatMap(({ inside }) => inside.filter((each) => each.name === name)),
    [from],
  )
}

export function textOf(from: XmlElement, ...way: readonly string[]): string | null {
  return below(from, ...way)[0]?.text ?? null
}

/** Units of an amount as its sender may have written it. */
function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.trim().replace(/^\+/, '').split('.')
  const found = minorUnits(`${BigInt(whole || '0')}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`)
  if (found === null) throw new Error(`${text} is no amount`)
  return found
}

function wrongCounts(where: XmlElement, payments: readonly XmlElement[], path: string): string[] {
  const wrong: string[] = []
  const told = below(where, 'NbOfTxsPerSts')
  const seen = new Set(payments.map((payment) => textOf(payment, 'TxSts')))
  if (told.length !== seen.size) wrong.push(`${path} counts ${told.length} statuses of ${seen.size}`)
  for (const each of told) {
    const own = payments.filter((payment) => textOf(payment, 'TxSts') === textOf(each, 'DtldSts'))
    const sum = own.reduce((all, payment) => all + units(textOf(payment, 'OrgnlTxRef', 'Amt', 'InstdAmt') ?? ''), 0n)
    if (Number(textOf(each, 'DtldNbOfTxs')) !== own.length)
      wrong.push(`${path}: ${textOf(each, 'DtldSts')} is miscounted`)
    if (units(textOf(each, 'DtldCtrlSum') ?? '') !== sum) wrong.push(`${path}: ${textOf(each, 'DtldSts')} is missummed`)
  }
  const count = textOf(where, 'OrgnlNbOfTxs')
  // A message that is refused whole has no payments in its answer.
  if (payments.length === 0 && textOf(where, 'GrpSts') === 'RJCT') return wrong
  if (count !== null && Number(count) !== payments.length) wrong.push(`${path}: OrgnlNbOfTxs is not kept`)
  return wrong
}

function wrongReasons(payment: XmlElement): string[] {
  return below(payment, 'StsRsnInf').flatMap((reason) => {
    const code = textOf(reason, 'Rsn', 'Cd') ?? ''
    if (!reasons.has(code)) return [`${code} is no reason`]
    return code === 'NARR' && below(reason, 'AddtlInf').length === 0 ? ['NARR says nothing'] : []
  })
}

export interface CheckedReport {
  readonly report: XmlElement
  readonly version: Version
  readonly wrong: readonly string[]
  /** The status of each payment by its EndToEndId. */
  readonly statuses: readonly (readonly [string | null, string | null])[]
}

export function checkPain002(xml: string): CheckedReport {
  const { root, namespace } = treeOf(xml)
  const [, found = ''] = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.001\.(03|10)$/.exec(namespace) ?? []
  const version: Version = found === '10' ? '10' : '03'
  const [report] = below(root, 'CstmrPmtStsRpt')
  if (found === '' || root.name !== 'Document' || !report) throw new Error(`${namespace} is no pain.002`)
  const payments = below(report, 'OrgnlPmtInfAndSts', 'TxInfAndSts')
  const [group] = below(report, 'OrgnlGrpInfAndSts')
  const wrong = [
    ...wrongInside(root, 'Document', version, 'Document'),
    ...(group ? wrongCounts(group, payments, 'group') : []),
    ...below(report, 'OrgnlPmtInfAndSts').flatMap((block, at) =>
      wrongCounts(block, below(block, 'TxInfAndSts'), `block ${at + 1}`),
    ),
    ...payments.flatMap(wrongReasons),
  ]
  const told = payments.map((each) => [textOf(each, 'OrgnlEndToEndId'), textOf(each, 'TxSts')] as const)
  return { report, version, wrong, statuses: told }
}
