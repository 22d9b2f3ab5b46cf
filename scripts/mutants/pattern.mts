/**
 * Code that is looked for by its syntax tree, so that a line break or a blank changes nothing: an expression, a statement, or a
 * member of an object (`idField: 'uniqueId'`). `$name` stands for any expression, name or statement, twice for the same text;
 * `$$name` stands for any rest of a list (`f($first, $$more)`, `{ kind: 'open', ...$$more }`).
 */
import { type ESTree, parseSync } from 'rolldown/utils'
import { isNode, type Source } from '../house/source.mts'

export type Pattern = Readonly<Record<string, unknown>>

/** The text that each `$name` stood for. */
export type Held = ReadonlyMap<string, string>

/** Members that say where a node stands and how it was spelled, and nothing of its meaning. */
const unread: ReadonlySet<string> = new Set(['start', 'end', 'range', 'loc', 'parent', 'raw', 'shorthand'])

export function patternOf(code: string): Pattern {
  const { program, errors } = parseSync('pattern.ts', `async function at() {\n${code}\n}`, { preserveParens: false })
  const [around] = program.body
  const body = around?.type === 'FunctionDeclaration' ? (around.body?.body ?? []) : []
  const [statement] = body
  if (errors.length > 0 || body.length !== 1 || !statement) throw new Error(`this is no code to look for: ${code}`)
  return { ...wanted(statement) }
}

/** `name: value` reads as a statement with a label, and is meant as a member. */
function wanted(statement: ESTree.Statement): object {
  if (statement.type === 'ExpressionStatement') return statement.expression
  if (statement.type !== 'LabeledStatement') return statement
  const value = statement.body.type === 'ExpressionStatement' ? statement.body.expression : statement.body
  return { type: 'Property', key: { type: 'Identifier', name: statement.label.name }, value }
}

/** The name of what stands for anything; null for code that stands for itself. */
function freeName(pattern: unknown, sign: RegExp): string | null {
  if (!isNode(pattern)) return null
  if (pattern.type === 'ExpressionStatement') return freeName(pattern.expression, sign)
  if (pattern.type === 'SpreadElement') return sign === rest ? freeName(pattern.argument, sign) : null
  return pattern.type === 'Identifier' && sign.test(pattern.name) ? pattern.name : null
}

const one = /^\$\w+$/
const rest = /^\$\$\w+$/

interface Span {
  readonly start: number
  readonly end: number
}

class Match {
  readonly held = new Map<string, string>()
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  fits(pattern: unknown, found: unknown): boolean {
    if (Array.isArray(pattern)) return Array.isArray(found) && this.#listFits(pattern, found)
    if (typeof pattern !== 'object' || pattern === null) return (pattern ?? null) === (found ?? null)
    const name = freeName(pattern, one)
    if (name !== null) return isNode(found) && this.#hold(name, found)
    if (pattern instanceof RegExp) return true
    const sought = Object.entries(pattern).filter(([key]) => !unread.has(key))
    return (
      typeof found === 'object' &&
      found !== null &&
      sought.every(([key, value]) => this.fits(value, Reflect.get(found, key)))
    )
  }

  #listFits(pattern: readonly unknown[], found: readonly unknown[]): boolean {
    const name = freeName(pattern.at(-1), rest)
    if (name === null) return pattern.length === found.length && pattern.every((each, at) => this.fits(each, found[at]))
    const fixed = pattern.slice(0, -1)
    const more = found.slice(fixed.length).filter(isNode)
    const [first, last] = [more[0], more.at(-1)]
    if (found.length < fixed.length || !fixed.every((each, at) => this.fits(each, found[at]))) return false
    return this.#hold(name, first && last ? { start: first.start, end: last.end } : { start: 0, end: 0 })
  }

  #hold(name: string, { start, end }: Span): boolean {
    const text = this.#text.slice(start, end)
    if (this.held.has(name)) return this.held.get(name) === text
    this.held.set(name, text)
    return true
  }
}

/** The code for each `$name`, where the node fits the pattern; null where it does not. */
export function matched(pattern: Pattern, node: ESTree.Node, text: string): Held | null {
  const match = new Match(text)
  return match.fits(pattern, node) ? match.held : null
}

/** The code that is put in the place of what was found: every `$name` as it stood there. */
export function filled(code: string, held: Held): string {
  return code.replaceAll(/\$\$?\w+/g, (name) => held.get(name) ?? name)
}

/** The code as text, without places and spelling; a big number has no JSON of its own. */
function told({ nodes }: Source): string {
  const plain = (key: string, value: unknown) => (unread.has(key) ? undefined : value)
  return JSON.stringify(nodes[0]?.node, (key, value) => plain(key, typeof value === 'bigint' ? `${value}n` : value))
}

/** True if two sources say the same, however they are spelled. */
export function sameCode(one: Source, other: Source): boolean {
  return told(one) === told(other)
}
