/** The forms of values in a pain.001, by the schemas; and decimals by their value. */

import { strangeCharacter } from '../../../contract/core/text.ts'
import { isRealDashedDate } from '../../../contract/date.ts'
import { withoutEnd, withoutEnds } from '../../../ends.ts'

export type ValueKind =
  | 'id'
  | 'name'
  | 'line'
  | 'count'
  | 'sum'
  | 'amount'
  | 'method'
  | 'date'
  | 'moment'
  | 'iban'
  | 'uetr'

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

/** Blanks around a number or a date mean nothing to XML. */
export function collapsed(text: string): string {
  return withoutEnds(text, ' \t\r\n')
}

/** A decimal with all its places: the places after the point that a sum may have. */
const places = 17

/** The value of a decimal, times 10 to the 17; null for what is none. */
export function scaled(text: string): bigint | null {
  const plain = collapsed(text)
  if (!decimal.test(plain)) return null
  const [whole = '', fraction = ''] = plain.replace(/^[+-]/, '').split('.')
  if (fraction.length > places) return null
  const value = BigInt(`${whole}${fraction.padEnd(places, '0')}`)
  return plain.startsWith('-') ? -value : value
}

/** The same value as the contract writes it: "+010.500" is "10.50". */
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

const rules: Readonly<Record<ValueKind, (text: string) => string | null>> = {
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
}

/** The complaint about a value; null for a good one. */
export function valueComplaint(kind: ValueKind, text: string): string | null {
  return rules[kind](text)
}
