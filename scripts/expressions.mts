/** The regular expressions of the sources: literals by the syntax tree, those made by `new RegExp` by making them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

export interface Expression {
  readonly source: string
  readonly flags: string
  /** File and line. */
  readonly at: string
}

/**
 * Expressions that look behind themselves, where recheck can only guess, for a quarter of a minute each, and takes a
 * repetition that has a bound for a slow one. `test/safety/remote-text` measures their time.
 */
const heldByTest = ['src/lib/callback/mask.ts']

interface Node {
  readonly type: string
  readonly start: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly type: string; readonly name?: string }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function nodesBelow(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesBelow)
  if (!isNode(value)) return []
  return [value, ...Object.values(value).flatMap(nodesBelow)]
}

interface Source {
  readonly nodes: readonly Node[]
  readonly lineOf: (node: Node) => number
}

function sourceOf(root: string, file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const nodes = nodesBelow(parseAst(text, { lang: 'ts' }).body)
  return { nodes, lineOf: ({ start }) => text.slice(0, start).split('\n').length }
}

/** The literals of a file. */
export function expressionsIn(root: string, file: string): readonly Expression[] {
  const { nodes, lineOf } = sourceOf(root, file)
  return nodes.flatMap((node) =>
    node.regex ? [{ source: node.regex.pattern, flags: node.regex.flags, at: `${file}:${lineOf(node)}` }] : [],
  )
}

const makesOne = ({ type, callee }: Node) =>
  (type === 'NewExpression' || type === 'CallExpression') && callee?.type === 'Identifier' && callee.name === 'RegExp'

/** The place in `src` that asked for an expression just now; null where another package did. */
function askedAt(root: string): string | null {
  const [, , , caller = ''] = new Error().stack?.split('\n') ?? []
  const from = caller.indexOf(join(root, 'src'))
  return from < 0 ? null : caller.slice(from + root.length + 1).replace(/:\d+\)?$/, '')
}

/** The expressions that `RegExp` makes while a file is loaded, its imports too. */
async function whileLoading(root: string, file: string): Promise<readonly Expression[]> {
  const found: Expression[] = []
  const { RegExp: real } = globalThis
  globalThis.RegExp = new Proxy(real, {
    construct(target, given) {
      const one: unknown = Reflect.construct(target, given)
      if (!(one instanceof real)) throw new TypeError('RegExp makes expressions')
      const at = askedAt(root)
      if (at !== null) found.push({ source: one.source, flags: one.flags, at })
      return one
    },
  })
  try {
    await import(pathToFileURL(join(root, file)).href)
  } finally {
    globalThis.RegExp = real
  }
  return found
}

/**
 * Expressions that are put together of parts: each file that makes any is loaded. Throws where one of them is made later than
 * that, for then it cannot be checked: make it once, at the top of its file.
 */
export async function made(root: string, files: readonly string[]): Promise<readonly Expression[]> {
  const makers = files.flatMap((file) => {
    const { nodes, lineOf } = sourceOf(root, file)
    const lines = nodes.filter(makesOne).map(lineOf)
    return lines.length > 0 && !heldByTest.includes(file) ? [{ file, lines }] : []
  })
  const loaded: Expression[] = []
  for (const { file } of makers) loaded.push(...(await whileLoading(root, file)))
  return makers.flatMap(({ file, lines }) => {
    const own = loaded.filter(({ at }) => at.startsWith(`${file}:`))
    if (own.length >= lines.length) return own
    throw new Error(`${file}:${lines.join(',')}: only ${own.length} of ${lines.length} expressions are made on loading`)
  })
}
