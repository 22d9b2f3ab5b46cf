/**
 * `--query`: a JMESPath expression over a result. What it selects keeps the digits of its numbers (12.00); what it compares
 * and calculates with are numbers of JavaScript, and so is what a function makes of them.
 */
import { runInNewContext } from 'node:vm'
import { JsonNumber, plainDecimal } from '../../contract/core/decimal.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { isRecord, ownBounds, readJson, writeJson } from '../../json.ts'

/** A result holds answers of others, which are as deep as one may be, in a few members of its own. */
const ofResults = { ...ownBounds, depth: ownBounds.depth + 20 }

/** Milliseconds: of a journal of a million rows a search takes some seconds. */
const longestSearch = 30_000

/**
 * Does work whose length an expression of others decides: one may never end by itself, and nothing else is heard meanwhile, not
 * even ^C. Throws what the work throws, and an Error in words where it is not done in time.
 */
function bounded<Result>(milliseconds: number, work: () => Result): Result {
  try {
    return runInNewContext('work()', { work }, { timeout: milliseconds }) as Result
  } catch (error) {
    if (!isOverTime(error)) throw error
    throw new Error(`it took more than ${milliseconds / 1000} s: use a simpler expression`)
  }
}

/** It is an error of another realm, which `instanceof` does not know. */
function isOverTime(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

type Convert = (value: unknown) => unknown

// No expression can call functions whose names hold a blank.
const toPlain = 'to plain'
const toSelected = 'to selected'

/**
 * A number is a symbol with its digits while it is only selected, and a number of JavaScript where it is worked with. Lists and
 * objects are the same two, pair by pair, so that one that went through a function is selected with its digits again.
 */
function conversions(): { readonly plain: Convert; readonly selected: Convert } {
  const plains = new Map<unknown, unknown>()
  const originals = new Map<unknown, unknown>()
  const plain = (value: unknown): unknown => {
    if (typeof value === 'symbol') return numberOf(value.description ?? '')
    if (typeof value !== 'object' || value === null || originals.has(value)) return value
    const known = plains.get(value)
    if (known !== undefined) return known
    const made = Array.isArray(value) ? value.map(plain) : mapMembers(value, plain)
    plains.set(value, made)
    originals.set(made, value)
    return made
  }
  const selected = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    return originals.get(value) ?? (Array.isArray(value) ? value.map(selected) : mapMembers(value, selected))
  }
  return { plain, selected }
}

function mapMembers(value: object, convert: Convert) {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member)]))
}

/** One that JavaScript cannot hold stays text, digit for digit. */
function numberOf(text: string): number | string {
  const number = Number(text)
  return plainDecimal(String(number)) === plainDecimal(text) ? number : text
}

function withSymbols(value: unknown): unknown {
  if (value instanceof JsonNumber) return Symbol(value.text)
  if (Array.isArray(value)) return value.map(withSymbols)
  return isRecord(value) ? mapMembers(value, withSymbols) : value
}

function withNumbers(value: unknown): unknown {
  if (typeof value === 'symbol') return new JsonNumber(value.description ?? '')
  if (typeof value === 'number') return Number.isFinite(value) ? new JsonNumber(String(value)) : null
  if (Array.isArray(value)) return value.map(withNumbers)
  return isRecord(value) ? mapMembers(value, withNumbers) : (value ?? null)
}

const working: ReadonlySet<unknown> = new Set(['Comparator', 'Arithmetic', 'Unary', 'Function'])

interface Node {
  readonly type?: string
}

/** The tree of an expression, in which all that is compared and calculated with is plain. */
function converting(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(converting)
  if (typeof node !== 'object' || node === null) return node
  const { type } = node as Node
  if (type === 'Literal') return node
  const inside = mapMembers(node, converting)
  if (!working.has(type)) return inside
  const whole = mapMembers(inside, (part) => (Array.isArray(part) ? part.map(plainOperand) : plainOperand(part)))
  return type === 'Function' ? call(toSelected, whole) : whole
}

function plainOperand(part: unknown): unknown {
  const isOperand = typeof part === 'object' && part !== null && (part as Node).type !== 'ExpressionReference'
  return isOperand ? call(toPlain, part) : part
}

const call = (name: string, operand: unknown) => ({ type: 'Function', name, children: [operand] })

/** Throws Failure('usage'). */
export async function search(result: unknown, query: string): Promise<unknown> {
  const { compile, registerFunction, TreeInterpreter, TYPE_ANY } = await import('@jmespath-community/jmespath')
  type Tree = ReturnType<typeof compile>
  type Value = ReturnType<typeof TreeInterpreter.search>
  const { plain, selected } = conversions()
  const provide = (name: string, convert: Convert) =>
    registerFunction(name, ([value]) => convert(value) as Value, [{ types: [TYPE_ANY] }], { override: true })
  provide(toPlain, plain)
  provide(toSelected, selected)
  const value = withSymbols(readJson(writeJson(result), ofResults)) as Value
  try {
    const tree = converting(compile(query)) as Tree
    return bounded(longestSearch, () => withNumbers(TreeInterpreter.search(tree, value)))
  } catch (error) {
    throw badQuery(error)
  }
}

/** The failure of an expression that is none, or that does not fit what it searches. */
export function badQuery(error: unknown): Failure {
  return new Failure('usage', `--query: ${error instanceof Error ? error.message : String(error)}`, {
    hints: [hint`--query takes a JMESPath expression, such as "transactionId" or "[].status".`],
  })
}
