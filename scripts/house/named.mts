/**
 * Operations and statuses named where they should not be: outside the contract, the sandbox's own handlers
 * (`src/lib/sandbox/<room>/`) and the operation's own command (`src/commands/<topic>/`). A fact that another part needs of an
 * operation is a member of its entry in the contract.
 */
import { join } from 'node:path/posix'
import type { ESTree } from 'rolldown/utils'
import { type Contract, isContract } from './contract.mts'
import { byLine, type Place } from './place.mts'
import type { Source } from './source.mts'

/** `payout` of `payout.create`; its room in the sandbox may stand in the plural. */
const topicOf = (operation: string) => operation.split('.')[0] ?? ''

function isOwn(path: string, topic: string): boolean {
  const homes = [`src/lib/sandbox/${topic}`, `src/lib/sandbox/${topic}s`, `src/commands/${topic}`]
  return homes.some((home) => path.startsWith(`${home}/`) || path === `${home}.ts`)
}

/** The text of a string, a member name or a key, as far as it stands in the source. */
function textOf(node: ESTree.Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  return node.type === 'TemplateElement' ? node.value.cooked : null
}

/** Operations that a file imports from the contract, by the name they bear in it. */
function importedBy({ path, nodes }: Source, { operations }: Contract): ReadonlyMap<string, string> {
  const specifiers = nodes.flatMap(({ node }) =>
    node.type === 'ImportDeclaration' && isContract(join(path, '..', node.source.value)) ? node.specifiers : [],
  )
  return new Map(
    specifiers.flatMap((each) => {
      const name = each.type === 'ImportSpecifier' && each.imported.type === 'Identifier' ? each.imported.name : ''
      const operation = operations.get(name)
      return operation === undefined ? [] : [[each.local.name, operation] as const]
    }),
  )
}

const equalities = ['===', '!==', '==', '!=']

/** The imported objects that a node asks by name: `createOrder.name`, and `operation === createOrder`. */
function askedBy(node: ESTree.Node): readonly ESTree.Node[] {
  if (node.type === 'MemberExpression')
    return node.property.type === 'Identifier' && node.property.name === 'name' && !node.computed ? [node.object] : []
  if (node.type === 'SwitchCase') return node.test ? [node.test] : []
  return node.type === 'BinaryExpression' && equalities.includes(node.operator) ? [node.left, node.right] : []
}

/** Places that name an operation: by its text, by `.name` of its imported entry, or by comparing with the entry. */
export function operationsNamed(sources: readonly Source[], contract: Contract): readonly Place[] {
  const names = new Set(contract.operations.values())
  const places = sources.flatMap((source) => {
    if (isContract(source.path)) return []
    const imported = importedBy(source, contract)
    return source.nodes.flatMap(({ node }) => {
      const asked = askedBy(node).map((each) => (each.type === 'Identifier' ? imported.get(each.name) : undefined))
      return [textOf(node), ...asked]
        .filter((name) => typeof name === 'string')
        .filter((name) => names.has(name) && !isOwn(source.path, topicOf(name)))
        .map((name) => ({ at: source.at(node.start), what: name }))
    })
  })
  return byLine(places)
}

/** The status that a node may name: a text, a key of an object, a member that is asked for. */
function wordOf({ node, parent }: Source['nodes'][number]): string | null {
  if (node.type !== 'Identifier') return textOf(node)
  const isKey = parent?.type === 'Property' && parent.key === node && !parent.computed
  const isTypeKey = parent?.type === 'TSPropertySignature' && parent.key === node
  const isMember = parent?.type === 'MemberExpression' && parent.property === node && !parent.computed
  return isKey || isTypeKey || isMember ? node.name : null
}

/** Places that name a status; statuses are shared by areas, so every area's own room and command may. */
export function statusesNamed(sources: readonly Source[], { operations, statuses }: Contract): readonly Place[] {
  const topics = [...new Set([...operations.values()].map(topicOf))]
  const places = sources.flatMap((source) => {
    if (isContract(source.path) || topics.some((topic) => isOwn(source.path, topic))) return []
    return source.nodes.flatMap((found) => {
      const word = wordOf(found)
      return word !== null && statuses.has(word) ? [{ at: source.at(found.node.start), what: word }] : []
    })
  })
  return byLine(places)
}
