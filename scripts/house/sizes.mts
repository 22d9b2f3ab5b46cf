/** Sizes of folders, files and functions. */
import { dirname } from 'node:path/posix'
import type { ESTree } from 'rolldown/utils'
import { bySize, type Sized } from './place.mts'
import type { Source } from './source.mts'

/** Files that stand in each folder itself, whatever their kind; those of its folders are theirs. */
export function folders(paths: readonly string[]): readonly Sized[] {
  const counts = new Map<string, number>()
  for (const folder of paths.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  return bySize([...counts].map(([at, size]) => ({ at, size, what: `${size} files` })))
}

/** Lines of each file; the end of the last line begins no other. */
export function files(sources: readonly Source[]): readonly Sized[] {
  return bySize(
    sources.map(({ path, text }) => {
      const size = text.replace(/\n$/, '').split('\n').length
      return { at: path, size, what: `${size} lines` }
    }),
  )
}

type Body = ESTree.Function | ESTree.ArrowFunctionExpression

/** Overloads and declarations have no body, and no length. */
const isFunction = (node: ESTree.Node): node is Body =>
  (node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression') &&
  node.body !== null

const nameIn = (node: ESTree.Node | null) => (node?.type === 'Identifier' ? node.name : null)

/** A method and a member bear the name of their key, a constant its own. */
function nameOf(body: Body, parent: ESTree.Node | null): string {
  const own = nameIn(body.id)
  if (own !== null) return own
  if (parent?.type === 'VariableDeclarator') return nameIn(parent.id) ?? 'a function'
  if (parent?.type === 'MethodDefinition' || parent?.type === 'Property' || parent?.type === 'PropertyDefinition')
    return nameIn(parent.key) ?? 'a function'
  return 'a function'
}

/** Lines from the first to the last of each function and method; one inside another counts in both. */
export function functions(sources: readonly Source[]): readonly Sized[] {
  return bySize(
    sources.flatMap(({ nodes, at, lineOf }) =>
      nodes.flatMap(({ node, parent }) => {
        if (!isFunction(node)) return []
        const size = lineOf(node.end) - lineOf(node.start) + 1
        return [{ at: at(node.start), size, what: `${nameOf(node, parent)}: ${size} lines` }]
      }),
    ),
  )
}
