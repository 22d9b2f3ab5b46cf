/**
 * The names that the contract gives, read from its sources: operations (`export const createPayout = { name: 'payout.create',
 * method, path, … }`, in a call or not) and statuses (keys in capitals of a table whose entries say what they mean).
 */
import type { ESTree } from 'rolldown/utils'
import type { Source } from './source.mts'

export interface Contract {
  /** By the name of the export: `createPayout` → `payout.create`. */
  readonly operations: ReadonlyMap<string, string>
  readonly statuses: ReadonlySet<string>
}

export const isContract = (path: string) => path.startsWith('src/lib/contract/')

/** An object, whatever is said of its type, or handed to a function. */
function objectIn(node: ESTree.Node | null | undefined): ESTree.ObjectExpression | null {
  if (node?.type === 'ObjectExpression') return node
  if (node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression') return objectIn(node.expression)
  return node?.type === 'CallExpression' ? objectIn(node.arguments[0]) : null
}

function keyOf(member: ESTree.ObjectPropertyKind): string | null {
  if (member.type !== 'Property' || member.computed) return null
  if (member.key.type === 'Literal') return String(member.key.value)
  return member.key.type === 'Identifier' ? member.key.name : null
}

function memberOf({ properties }: ESTree.ObjectExpression, name: string): ESTree.Node | null {
  const member = properties.find((each) => keyOf(each) === name)
  return member?.type === 'Property' ? member.value : null
}

function operationIn(node: ESTree.Node): readonly (readonly [string, string])[] {
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return []
  const object = objectIn(node.init)
  if (!object || !memberOf(object, 'method') || !memberOf(object, 'path')) return []
  const name = memberOf(object, 'name')
  return name?.type === 'Literal' && typeof name.value === 'string' ? [[node.id.name, name.value]] : []
}

function statusesIn(node: ESTree.Node): readonly string[] {
  if (node.type !== 'ObjectExpression') return []
  return node.properties.flatMap((member) => {
    const key = keyOf(member)
    const facts = member.type === 'Property' ? objectIn(member.value) : null
    return key !== null && /^[A-Z][A-Z_]+$/.test(key) && facts && memberOf(facts, 'means') ? [key] : []
  })
}

/** Throws where the contract is written in another way than is looked for here: none named would be no good news. */
export function contractIn(sources: readonly Source[]): Contract {
  const nodes = sources.filter(({ path }) => isContract(path)).flatMap((source) => source.nodes)
  const operations = new Map(nodes.flatMap(({ node }) => operationIn(node)))
  const statuses = new Set(nodes.flatMap(({ node }) => statusesIn(node)))
  if (operations.size > 0 && statuses.size > 0) return { operations, statuses }
  throw new Error(
    'No operations or no statuses found in src/lib/contract: say in scripts/house/contract.mts how to find them',
  )
}
