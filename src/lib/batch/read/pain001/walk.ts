/** Walks through the elements of a pain.001 by the rules of its schema, and tells values and complaints by their paths. */
import type { SaxesTagNS } from 'saxes'
import { codePoint } from '../../../visible.ts'
import { BrokenFile } from '../broken.ts'
import type { XmlListener } from '../xml/xml.ts'
import type { PainVersion } from './facts.ts'
import { choices, type ElementRule, type ElementRules, elementRules, versionOf } from './schema.ts'
import { collapsed, valueComplaint } from './values.ts'

export interface WalkListener {
  version(version: PainVersion): void
  open(type: string): void
  /**
   * A value that keeps its form; null for one that does not, which `wrong` has told. `path` leads to it from the group header,
   * the block or the payment that it stands in.
   */
  value(path: string, text: string | null, tag: SaxesTagNS): void
  /** An element whose inside is passed over. */
  passed(path: string): void
  wrong(path: string, message: string): void
  close(type: string): void
}

interface Frame {
  readonly type: string | null
  readonly rules: readonly ElementRule[]
  readonly path: string
  /** The number of elements seen by the place of their rule. */
  readonly seen: number[]
  /** The place of the rule that was seen last. */
  last: number
}

interface Value {
  readonly rule: ElementRule
  readonly path: string
  readonly tag: SaxesTagNS
  text: string
}

/** Longer than any text of the schema: the rest is not kept. */
const longestValue = 2000

/** Paths begin anew in these. */
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
  /** Elements that are passed over, open now. */
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

/** Attributes that any element may have: they speak of the schema, and not of the payment. */
const ofAnyElement: ReadonlySet<string> = new Set([
  'http://www.w3.org/2000/xmlns/',
  'http://www.w3.org/2001/XMLSchema-instance',
])

/** An attribute that says something no reader takes up: only amounts have one, their currency. Null where there is none. */
function strangeAttribute({ attributes }: SaxesTagNS, { value }: ElementRule): string | null {
  const strange = Object.values(attributes).find(
    ({ name, uri }) => !ofAnyElement.has(uri) && !(value === 'amount' && name === 'Ccy'),
  )
  return strange?.name ?? null
}
