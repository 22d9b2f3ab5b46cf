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

/** What built-in formats show; their numbers, the first and the last of each run. */
const builtIn: readonly (readonly [shown: Shown, ...runs: readonly (readonly [number, number])[]])[] = [
  [{ kind: 'general' }, [0, 0], [49, 49]],
  [{ kind: 'number', decimals: 0, isBare: true }, [1, 1]],
  [{ kind: 'date' }, [14, 22], [27, 36], [45, 47], [50, 58]],
  [{ kind: 'number', decimals: 0, isBare: false }, [3, 3], [5, 6], [37, 38], [41, 42]],
  [{ kind: 'number', decimals: 2, isBare: false }, [2, 2], [4, 4], [7, 8], [39, 40], [43, 44]],
]

function shownById(id: number): Shown {
  const found = builtIn.find(([, ...runs]) => runs.some(([first, last]) => id >= first && id <= last))
  return found?.[0] ?? { kind: 'other' }
}

/** The tokens of a format: quoted text, an escaped letter, a blank, a fill, brackets, or a plain character. */
const token =
  /"(?<quoted>[^"]*)"|\\(?<escaped>.)|_(?<blank>.)|\*(?<fill>.)|\[(?<bracketed>[^\][]*)\]|(?<plain>[^"\\_*[])/gsu

type Token = Partial<Record<'quoted' | 'escaped' | 'blank' | 'fill' | 'bracketed' | 'plain', string>> & {
  readonly whole: string
}

/** The tokens of each section: of positive numbers, negative ones, zero, texts. */
function sectionsOf(code: string): readonly (readonly Token[])[] {
  const sections: Token[][] = [[]]
  for (const { 0: whole, groups } of code.matchAll(token)) {
    if (groups?.plain === ';') sections.push([])
    else sections.at(-1)?.push({ whole, ...groups })
  }
  return sections
}

const currencyOrColor = /^(?:\$.*|black|blue|cyan|green|magenta|red|white|yellow|color *\d+)$/isu

/** True for words in a format that look like digits, or like a decimal point. */
function isConfusing(words: string): boolean {
  return /\d/.test(words) || (/[.,'’%‰]/.test(words) && !/\p{L}/u.test(words))
}

/** A section without decorations; null for one with confusing words. */
function digitsShown(section: readonly Token[]): string | null {
  const isOther = ({ quoted = '', escaped = '', bracketed }: Token) =>
    isConfusing(quoted + escaped) || (bracketed !== undefined && !currencyOrColor.test(bracketed))
  if (section.some(isOther)) return null
  return section.map(({ plain = '' }) => (/[\s$€£¥₾₽+]/u.test(plain) ? '' : plain)).join('')
}

function shownByCode(code: string): Shown {
  const sections = sectionsOf(code)
  const positive = digitsShown(sections[0] ?? [])
  if (positive !== null && (/^general$/i.test(positive) || positive === '@')) return { kind: 'general' }
  const digits = positive === null ? null : /^[#0?]+(?:,[#0?]+)*(?:\.([#0?]+))?$/.exec(positive)
  if (digits) return { kind: 'number', decimals: digits[1]?.length ?? 0, isBare: code === '0' }
  const isDate = sections.flat().some(({ plain = '' }) => /[ymdhs]/i.test(plain))
  return { kind: isDate ? 'date' : 'other' }
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

function currenciesOf(code: string): readonly ShownCurrency[] {
  const [positive = []] = sectionsOf(code)
  const named = positive.flatMap(({ bracketed }) => {
    const [sign = ''] = bracketed?.startsWith('$') ? bracketed.slice(1).split('-') : []
    const found = currenciesIn(sign)
    return sign.trim() === '' || found.length > 0 ? found : [{ sign, currency: null }]
  })
  // A character between two texts separates them; an escaped letter does not.
  const words = positive.map(({ quoted, escaped, fill, plain = '' }) => {
    return quoted ?? escaped ?? fill ?? (/\p{Sc}/u.test(plain) ? plain : ' ')
  })
  return [...named, ...currenciesIn(words.join(''))]
}

/** False for a format that changes or hides a text. */
function showsTexts(code: string): boolean {
  const sections = sectionsOf(code).map((section) =>
    section
      .filter(({ whole, blank, fill }) => blank === undefined && fill === undefined && !/^(?:\s|\[.*\])$/su.test(whole))
      .map(({ whole }) => whole)
      .join(''),
  )
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
