/** One file of the repository, as the figures see it: its text, its comments, and the nodes of its syntax tree. */
import { type ESTree, parseSync } from 'rolldown/utils'

/** A node and the one it stands in; null for the whole program. */
export interface Found {
  readonly node: ESTree.Node
  readonly parent: ESTree.Node | null
}

export interface Comment {
  readonly text: string
  readonly start: number
}

/** Comments and nodes are empty for a page: it is text alone. */
export interface Source {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
  readonly comments: readonly Comment[]
  readonly nodes: readonly Found[]
  /** File and line, as an editor opens it. */
  readonly at: (start: number) => string
  readonly lineOf: (start: number) => number
}

export const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function collect(value: unknown, parent: ESTree.Node | null, found: Found[]): void {
  if (Array.isArray(value)) {
    for (const each of value) collect(each, parent, found)
  } else if (isNode(value)) {
    found.push({ node: value, parent })
    for (const member of Object.values(value)) collect(member, value, found)
  }
}

function parsed(path: string, text: string): Pick<Source, 'comments' | 'nodes'> {
  const { program, comments, errors } = parseSync(path, text, { preserveParens: false })
  const [error] = errors
  if (error) throw new Error(`${path} is not TypeScript: ${error.message}`)
  const nodes: Found[] = []
  collect(program, null, nodes)
  return { nodes, comments: comments.map(({ value, start }) => ({ text: value, start })) }
}

/** Counts from 1; halves what is left, since every function of every file is asked for. */
function lineIn(breaks: readonly number[], start: number): number {
  let [low, high] = [0, breaks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((breaks[middle] ?? 0) < start) low = middle + 1
    else high = middle
  }
  return low + 1
}

export function sourceOf(path: string, text: string): Source {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index)
  const lineOf = (start: number) => lineIn(breaks, start)
  const at = (start: number) => `${path}:${lineOf(start)}`
  const isPage = path.endsWith('.md')
  return { path, text, lineOf, at, ...(isPage ? { comments: [], nodes: [] } : parsed(path, text)) }
}
