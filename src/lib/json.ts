/**
 * JSON without loss. `JSON.parse` turns 9007199254740993 into …992 and 12.50 into a float; here every number of a text
 * becomes a JsonNumber and every JsonNumber is written as it stands.
 */
import { isNumber, parse, stringify } from 'lossless-json'
import { JsonNumber } from './contract/core/decimal.ts'
import type { Members } from './contract/core/members.ts'
import { escapedJson } from './text.ts'

export interface JsonBounds {
  /** Lists and objects in each other. */
  readonly depth: number
  /** Members of objects and elements of lists, of all together. */
  readonly members: number
}

/** Bounds of texts of others: no message of the service has a hundred members, or ten lists and objects in each other. */
export const messageBounds: JsonBounds = { depth: 32, members: 10_000 }

/** Bounds of results and of what was kept: all that goes down into a value stands so many times on a stack that nothing else is on. */
export const ownBounds: JsonBounds = { depth: 500, members: Number.POSITIVE_INFINITY }

/** A JSON text beyond its bounds: "more than 10,000 members". */
export class JsonExcess extends SyntaxError {}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const isOpening = (code: number) => code === 0x7b || code === 0x5b
const isClosing = (code: number) => code === 0x7d || code === 0x5d
const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** The place of the quote that ends a text in JSON. */
function endOfText(text: string, begin: number): number {
  let at = begin + 1
  for (let code = text.charCodeAt(at); at < text.length && code !== quote; code = text.charCodeAt(at)) {
    at += code === backslash ? 2 : 1
  }
  return at
}

/**
 * What of a JSON text is beyond the bounds, in words; null for nothing. One pass up to the excess, and no value is made; of a text that
 * is no JSON it may say anything.
 */
export function excessIn(text: string, { depth, members }: JsonBounds = messageBounds): string | null {
  return text.length <= Math.min(depth, members) ? null : scan(text, { depth, members }).excess
}

/** Members of objects and elements of lists, of all together, up to an excess. */
function scan(
  text: string,
  { depth, members }: JsonBounds,
): { readonly excess: string | null; readonly count: number } {
  let [open, count, isFresh] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) continue
    // The first member of an object or a list has no comma before it.
    if ((isFresh && !isClosing(code)) || (code === comma && open > 0)) count += 1
    isFresh = isOpening(code)
    if (code === quote) at = endOfText(text, at)
    else if (isFresh) open += 1
    else if (isClosing(code)) open -= 1
    if (open > depth) return { excess: `more than ${depth} lists and objects in each other`, count }
    if (count > members) return { excess: `more than ${inThousands(members)} members`, count }
  }
  return { excess: null, count }
}

const inThousands = (number: number) => number.toLocaleString('en-US')

/**
 * The value of a JSON text, numbers as JsonNumber. Throws a SyntaxError on anything else, a key repeated with another value among
 * it, and a JsonExcess on what is beyond the bounds.
 */
export function readJson(text: string, bounds = ownBounds): unknown {
  mustBeWithin(text, bounds)
  return parse(text, null, toNumber)
}

/**
 * The value of a text of others, which is small if it is what it should be: a large one costs seconds. Throws as `readJson`, and on
 * any repeated key.
 */
export function readMessage(text: string): unknown {
  mustBeWithin(text, messageBounds)
  const value = parse(text, null, toNumber)
  // The parser takes a member that is repeated with the same value for one.
  if (countIn(value) < scan(text, messageBounds).count) throw new SyntaxError('a member is repeated')
  return value
}

function mustBeWithin(text: string, bounds: JsonBounds): void {
  const excess = excessIn(text, bounds)
  if (excess !== null) throw new JsonExcess(excess)
}

const toNumber = (token: string) => new JsonNumber(token)

function countIn(value: unknown): number {
  const members = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  return members.reduce<number>((count, member) => count + 1 + countIn(member), 0)
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
