/**
 * JSON without loss. `JSON.parse` turns 9007199254740993 into …992 and 12.50 into a float; here every number of a text
 * becomes a JsonNumber and every JsonNumber is written as it stands.
 */
import { isNumber, parse, stringify } from 'lossless-json'
import { JsonNumber } from './contract/core/decimal.ts'
import type { Members } from './contract/core/members.ts'
import { escapedJson } from './visible.ts'

/**
 * Lists and objects in each other, at most: no answer has ten, and all that goes down into a value stands so many on a stack
 * that nothing else is on.
 */
export const deepest = 500

/** True if more lists and objects stand in each other; of a text that is no JSON it may be anything. One pass. */
function isDeeper(text: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]
    if (letter === '"') at = endOfText(text, at)
    else if (letter === '[' || letter === '{') depth += 1
    else if (letter === ']' || letter === '}') depth -= 1
    if (depth > most) return true
  }
  return false
}

/** The place of the quote that ends a text in JSON. */
function endOfText(text: string, begin: number): number {
  let at = begin + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/**
 * The value of a JSON text, numbers as JsonNumber. Throws a SyntaxError on anything else, a key repeated with another value among
 * it, and on more than `most` lists and objects in each other.
 */
export function readJson(text: string, most = deepest): unknown {
  if (text.length > most && isDeeper(text, most)) {
    throw new SyntaxError(`more than ${most} lists and objects in each other`)
  }
  return parse(text, null, (token) => new JsonNumber(token))
}

const asWritten = {
  test: (value: unknown) => value instanceof JsonNumber,
  stringify: (value: unknown) => (value as JsonNumber).text,
}

/** The JSON text of a value, in one line or indented. A JsonNumber that holds no JSON number is a defect. */
export function writeJson(value: unknown, indent = 0): string {
  // Texts are written alike by both, and a payout of the journal has nothing else.
  if (indent === 0 && isRecord(value) && Object.values(value).every((member) => typeof member === 'string')) {
    return JSON.stringify(value)
  }
  const text = stringify(value, checked, indent || undefined, [asWritten])
  if (text === undefined) throw new TypeError('there is no JSON text for this value')
  return text
}

/** The same for people's eyes, screens and files: what moves a terminal or hides in a text is escaped. */
export function printableJson(value: unknown, indent = 0): string {
  return escapedJson(writeJson(value, indent))
}

function checked(_key: string, value: unknown): unknown {
  if (value instanceof JsonNumber && !isNumber(value.text)) throw new TypeError(`${value.text} is no JSON number`)
  return value
}

/** True for a JSON object: no array, no null, no number. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** A value as the contract's rules hold it: every scalar text, as flags are text, and nulls left out. */
export function asText(value: unknown): unknown {
  if (value instanceof JsonNumber) return value.text
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(asText)
  return isRecord(value) ? membersAsText(value) : value
}

/** The same of an object. */
export function membersAsText(record: Members): Record<string, unknown> {
  const given = Object.entries(record).filter(([, value]) => value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, asText(value)]))
}
