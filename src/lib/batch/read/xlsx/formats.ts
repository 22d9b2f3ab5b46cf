/** The number formats of a workbook: what a person sees in a cell, and whether the cell holds the same. */

import { withoutEnd } from '../../../text.ts'
import type { ShownCurrency } from '../row-builder.ts'

type Shown =
  /** As stored. */
  | { readonly kind: 'general' }
  | { readonly kind: 'date' }
  /** Digits with so many decimals, and currencies or separators. */
  | { readonly kind: 'number'; readonly decimals: number; readonly isBare: boolean }
  /** Scaled, hidden, or shown as words. */
  | { readonly kind: 'other' }

/** Built-in formats for dates and times. */
function isDateId(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
}

const [withoutDecimals, withTwo] = [
  [3, 5, 6, 37, 38, 41, 42],
  [2, 4, 7, 8, 39, 40, 43, 44],
]

function shownById(id: number): Shown {
  if (id === 0 || id === 49) return { kind: 'general' }
  if (id === 1) return { kind: 'number', decimals: 0, isBare: true }
  if (isDateId(id)) return { kind: 'date' }
  if (withoutDecimals.includes(id)) return { kind: 'number', decimals: 0, isBare: false }
  return withTwo.includes(id) ? { kind: 'number', decimals: 2, isBare: false } : { kind: 'other' }
}

/** The tokens of a format: quoted text, an escaped letter, a blank, a fill, brackets, or a plain character. */
const token = /"([^"]*)"|\\(.)|_(.)|\*(.)|\[([^\][]*)\]|([^"\\_*[])/gsu

const currencyOrColor = /^(?:\$.*|black|blue|cyan|green|magenta|red|white|yellow|color *\d+)$/isu

/** True for words in a format that look like digits, or like a decimal point. */
function speaks(words: string): boolean {
  return /\d/.test(words) || (/[.,'’%‰]/.test(words) && !/\p{L}/u.test(words))
}

/** The sections of a format without decorations; null for a section with confusing words. */
function sectionsOf(code: string): readonly (string | null)[] {
  const sections: (string | null)[] = ['']
  for (const [, quoted, escaped, _blank, _fill, bracketed, plain] of code.matchAll(token)) {
    const before = sections.at(-1) ?? null
    if (plain === ';') sections.push('')
    else if (before === null) continue
    else if (speaks(`${quoted ?? ''}${escaped ?? ''}`)) sections[sections.length - 1] = null
    else if (bracketed !== undefined && !currencyOrColor.test(bracketed)) sections[sections.length - 1] = null
    else if (plain !== undefined && !/[\s$€£¥₾₽+]/u.test(plain)) sections[sections.length - 1] = before + plain
  }
  return sections
}

/** True for a date format: it has y, m, d, h or s outside of quotes and brackets. */
function isDateCode(code: string): boolean {
  return [...code.matchAll(token)].some((part) => /[ymdhs]/i.test(part[6] ?? ''))
}

function shownByCode(code: string): Shown {
  const [positive = null] = sectionsOf(code)
  if (positive === null) return { kind: isDateCode(code) ? 'date' : 'other' }
  if (/^general$/i.test(positive) || positive === '@') return { kind: 'general' }
  const digits = /^[#0?]+(?:,[#0?]+)*(?:\.([#0?]+))?$/.exec(positive)
  if (digits) return { kind: 'number', decimals: digits[1]?.length ?? 0, isBare: code === '0' }
  return { kind: isDateCode(code) ? 'date' : 'other' }
}

/** Signs and words of the currencies of payouts. */
const signs: Readonly<Record<string, RegExp>> = {
  GEL: /₾|lari|ლარი|лари/giu,
  USD: /(?<!\p{L})(?:US)?\$(?:US)?|dollars?|доллар/giu,
  EUR: /€|euros?|евро|ევრო/giu,
}

/** Words of other currencies that are no sign of Unicode and no code of ISO 4217. */
const otherWords = /zł|kč|руб|(?<!\p{L})(?:kr|fr|ft|lei|tl|лв|грн)(?!\p{L})/iu

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

function currenciesIn(words: string): readonly ShownCurrency[] {
  const found: ShownCurrency[] = []
  let rest = words
  for (const [currency, sign] of Object.entries(signs)) {
    const [first] = rest.match(sign) ?? []
    if (first !== undefined) found.push({ sign: first, currency })
    rest = rest.replace(sign, ' ')
  }
  for (const [code] of rest.matchAll(/(?<!\p{L})[A-Z]{3}(?!\p{L})/gu)) {
    if (codes.has(code)) found.push({ sign: code, currency: code })
  }
  const [other] = /\p{Sc}/u.exec(rest) ?? otherWords.exec(rest) ?? []
  return other === undefined ? found : [...found, { sign: other, currency: null }]
}

/** The currencies that a format shows beside a number. */
function currenciesOf(code: string): readonly ShownCurrency[] {
  const found: ShownCurrency[] = []
  let words = ''
  for (const [, quoted, escaped, , fill, bracketed, plain] of code.matchAll(token)) {
    if (plain === ';') break
    const sign = bracketed?.startsWith('$') ? (bracketed.slice(1).split('-')[0] ?? '') : ''
    const named = currenciesIn(sign)
    found.push(...(sign.trim() === '' || named.length > 0 ? named : [{ sign, currency: null }]))
    // A character between two texts separates them; an escaped letter does not.
    words += quoted ?? escaped ?? fill ?? (/\p{Sc}/u.test(plain ?? '') ? plain : ' ')
  }
  return [...found, ...currenciesIn(words)]
}

/** False for a format that changes or hides a text. */
function showsTexts(code: string): boolean {
  const sections = ['']
  for (const [whole, , , blank, fill, , plain] of code.matchAll(token)) {
    if (plain === ';') sections.push('')
    else if (blank === undefined && fill === undefined && !/^(?:\s|\[.*\])$/su.test(whole))
      sections.push(`${sections.pop()}${whole}`)
  }
  const ofTexts = sections[3] ?? sections.find((section) => section.includes('@')) ?? '@'
  return ofTexts === '@' || /^general$/i.test(ofTexts)
}

interface Style {
  readonly shown: Shown
  readonly showsTexts: boolean
  readonly currencies: readonly ShownCurrency[]
}

/** Formats with lower numbers are built in. */
const firstOwnId = 164

export class NumberFormats {
  readonly #codes = new Map<number, string>()
  readonly #styles: Style[] = []

  define(id: number, code: string): void {
    this.#codes.set(id, code)
  }

  /** Defines the next style. */
  style(id: number): void {
    const code = this.#codes.get(id)
    if (code === undefined) {
      this.#styles.push({ shown: shownById(id), showsTexts: true, currencies: [] })
      return
    }
    // In built-in formats the dollar stands for the currency of the place where the file is opened.
    const currencies = currenciesOf(code).filter(({ sign }) => id >= firstOwnId || sign !== '$')
    this.#styles.push({ shown: shownByCode(code), showsTexts: showsTexts(code), currencies })
  }

  #of(style: string | null) {
    const usual = { shown: { kind: 'general' }, showsTexts: true, currencies: [] } as const
    return this.#styles[Number(style ?? 0)] ?? usual
  }

  currencies(style: string | null): readonly ShownCurrency[] {
    return this.#of(style).currencies
  }

  isDate(style: string | null): boolean {
    return this.#of(style).shown.kind === 'date'
  }

  /** Why a person sees another text than the cell has; null if they are equal. */
  aboutText(style: string | null): string | null {
    return this.#of(style).showsTexts ? null : 'has a format that shows its text otherwise, or hides it'
  }

  /** Why the digits of a number are no text, such as a key; null if a person sees these digits. */
  aboutDigits(value: string, style: string | null): string | null {
    const { shown } = this.#of(style)
    const isBare = shown.kind === 'general' || (shown.kind === 'number' && shown.isBare)
    if (isBare && /^(?:0|[1-9]\d{0,14})$/.test(value)) return null
    return `holds the number ${value}, which may be shown otherwise: format the column as text`
  }

  /** Why a number is no sum; null if a person sees this sum. */
  aboutSum(value: string, style: string | null): string | null {
    const { shown } = this.#of(style)
    if (shown.kind === 'general') return null
    if (shown.kind !== 'number') return `holds ${value}, and its format shows something else or nothing`
    const [, digits = ''] = value.split('.')
    const decimals = withoutEnd(digits, '0')
    return decimals.length <= shown.decimals ? null : `holds ${value}, and its format shows fewer decimals`
  }
}
