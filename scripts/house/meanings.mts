/**
 * Exported names that have several meanings: declared and exported, as a type or a value, by more than one file. Passing on
 * the export of another file declares nothing, a default export has no name, and a type beside its value in one file is one
 * meaning.
 */
import type { ESTree } from 'rolldown/utils'
import type { Place } from './place.mts'
import type { Source } from './source.mts'

const named = (node: ESTree.Node | null): readonly string[] => (node?.type === 'Identifier' ? [node.name] : [])

function declared(declaration: ESTree.Declaration): readonly string[] {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.flatMap(({ id }) => bound(id))
  return named(declaration.id)
}

/** The names of a pattern: `const { one, other: renamed } = …` declares both. */
function bound(pattern: ESTree.Node | null): readonly string[] {
  if (pattern?.type === 'ObjectPattern')
    return pattern.properties.flatMap((each) => bound(each.type === 'Property' ? each.value : each.argument))
  if (pattern?.type === 'ArrayPattern') return pattern.elements.flatMap(bound)
  if (pattern?.type === 'AssignmentPattern') return bound(pattern.left)
  return named(pattern)
}

/** Names that come into a file by an import; to export one is to pass it on. */
function imported({ nodes }: Source): ReadonlySet<string> {
  return new Set(
    nodes
      .flatMap(({ node }) => (node.type === 'ImportDeclaration' ? node.specifiers : []))
      .map(({ local }) => local.name),
  )
}

function exported(source: Source): ReadonlySet<string> {
  const foreign = imported(source)
  const names = source.nodes.flatMap(({ node }) => {
    if (node.type !== 'ExportNamedDeclaration' || node.source !== null) return []
    if (node.declaration) return declared(node.declaration)
    return node.specifiers.flatMap((each) =>
      named(each.local).some((name) => foreign.has(name)) ? [] : named(each.exported),
    )
  })
  return new Set(names)
}

export function meanings(sources: readonly Source[]): readonly Place[] {
  const homes = new Map<string, string[]>()
  for (const source of sources)
    for (const name of exported(source)) homes.set(name, [...(homes.get(name) ?? []), source.path])
  return [...homes]
    .filter(([, files]) => files.length > 1)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, files]) => ({ at: name, what: files.join(', ') }))
}
