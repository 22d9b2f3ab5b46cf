/** The names by which the program's code is found, in whichever file it stands: `outcomeOf`, `Journal.begin`, `Run.#attempt`. */
import type { ESTree } from 'rolldown/utils'
import type { Source } from '../house/source.mts'

export interface Home {
  readonly symbol: string
  readonly node: ESTree.Node
}

const nameIn = (node: ESTree.Node | null) => (node?.type === 'Identifier' ? node.name : null)

function memberName(key: ESTree.Node): string | null {
  return key.type === 'PrivateIdentifier' ? `#${key.name}` : nameIn(key)
}

function membersOf(declared: ESTree.Class): readonly Home[] {
  const type = nameIn(declared.id) ?? 'default'
  return declared.body.body.flatMap((member) => {
    const name = 'key' in member ? memberName(member.key) : null
    return name === null ? [] : [{ symbol: `${type}.${name}`, node: member }]
  })
}

function declaredBy(node: ESTree.Node): readonly Home[] {
  if (node.type === 'VariableDeclaration')
    return node.declarations.map((each) => ({ symbol: nameIn(each.id) ?? '', node: each }))
  if (node.type === 'FunctionDeclaration') return [{ symbol: nameIn(node.id) ?? 'default', node }]
  return node.type === 'ClassDeclaration' ? membersOf(node) : []
}

/** Functions, constants, and members of classes, as far as they stand at the top of a file. */
export function symbolsOf({ nodes }: Source): readonly Home[] {
  return nodes.flatMap(({ node, parent }) => {
    const isTop = parent?.type === 'Program' || parent?.type === 'ExportNamedDeclaration'
    return isTop || parent?.type === 'ExportDefaultDeclaration' ? declaredBy(node) : []
  })
}
