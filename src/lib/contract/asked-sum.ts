/**
 * The sum that a write asks for, as answers and reads may repeat it. The operation names the members that tell of it: where
 * one of them is there with another value, the answer speaks of another payment.
 */
import { shortened } from '../limits.ts'
import { fromMinorUnits, JsonNumber, minorUnits, plainDecimal } from './core/decimal.ts'
import type { Members } from './core/members.ts'

/** The values that each member may have, that of the request first. An amount is compared by value, a text by its letters. */
export type AskedSum = Readonly<Record<string, readonly unknown[]>>

/** Members whose empty text is no sum. */
const ofSums: ReadonlySet<string> = new Set(['amount', 'currency', 'initialCurrency'])

/** The members of this name, also with a capital letter as some samples have it. Null says nothing, and neither does an empty payee. */
function toldAs(name: string, answer: Members): readonly unknown[] {
  const names = [name, name.charAt(0).toUpperCase() + name.slice(1)]
  const told = names.flatMap((each) => (Object.hasOwn(answer, each) ? [answer[each]] : []))
  return told.filter((each) => each != null && !(each === '' && !ofSums.has(name)))
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || value instanceof JsonNumber ? String(value).trim() : null
}

/** One form for all spellings of the same value; null for a value that such a member cannot have. */
function normal(name: string, value: unknown): string | null {
  const text = textOf(value)
  if (text === null || name === 'amount') return plainDecimal(text ?? '')
  const letters = text.normalize('NFC').toUpperCase()
  return name === 'toIban' ? letters.replace(/\s/g, '') : letters.replace(/\s+/g, ' ')
}

/** Shows a number in the digits that came. */
function asTold(_name: string, value: unknown): unknown {
  return value instanceof JsonNumber ? value.text : value
}

function inWords(name: string, value: unknown): string {
  const text = textOf(value)
  if (text === null) return shortened(JSON.stringify(value, asTold))
  const units = name === 'amount' ? minorUnits(normal(name, value) ?? '') : null
  return units === null ? text || 'empty' : fromMinorUnits(units)
}

/**
 * The difference between the sum of an answer and the one that was asked for, "amount is 99.00, not 25.00"; null where they
 * agree.
 */
export function differenceIn(answer: Members, asked: AskedSum): string | null {
  const different = Object.entries(asked).flatMap(([name, values]) => {
    const same = values.map((value) => normal(name, value))
    const others = toldAs(name, answer).filter(
      (told) => normal(name, told) === null || !same.includes(normal(name, told)),
    )
    // A card's token is shown nowhere.
    if (name === 'cardToken' && others.length > 0) return ['the answer speaks of another card']
    return others.map((told) => `${name} is ${inWords(name, told)}, not ${inWords(name, values[0])}`)
  })
  return different.length === 0 ? null : different.join('; ')
}
