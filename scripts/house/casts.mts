/**
 * Forced casts: what the compiler is told to believe. Three kinds count. A cast to `never` or `any`. A cast of what was cast to
 * `unknown`, `never` or `any` a moment ago. A single literal cast to itself, as `'x' as 'x'` or `'x' as const`: where it is
 * needed a type is missing; `as const` on a whole table or list says that it does not change, and is no force.
 */
import type { ESTree } from 'rolldown/utils'
import { byLine, type Place } from './place.mts'
import type { Source } from './source.mts'

type Cast = ESTree.TSAsExpression | ESTree.TSTypeAssertion

const isCast = (node: ESTree.Node): node is Cast => node.type === 'TSAsExpression' || node.type === 'TSTypeAssertion'

const isForce = ({ type }: ESTree.TSType) => type === 'TSNeverKeyword' || type === 'TSAnyKeyword'

const isConst = (type: ESTree.TSType) =>
  type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const'

/** The literal as it is written; null for all that is not a single one. */
function literalIn(node: ESTree.Node, text: string): string | null {
  const isSigned = node.type === 'UnaryExpression' && node.argument.type === 'Literal'
  const isPlain = node.type === 'TemplateLiteral' && node.expressions.length === 0
  if (node.type === 'Literal' && typeof node.value === 'string') return JSON.stringify(node.value)
  return node.type === 'Literal' || isSigned || isPlain ? text.slice(node.start, node.end) : null
}

function castToItself({ expression, typeAnnotation }: Cast, text: string): boolean {
  const literal = literalIn(expression, text)
  if (literal === null) return false
  if (isConst(typeAnnotation)) return true
  return typeAnnotation.type === 'TSLiteralType' && literalIn(typeAnnotation.literal, text) === literal
}

function isForced(cast: Cast, text: string): boolean {
  const { expression, typeAnnotation } = cast
  const isSecond =
    isCast(expression) && (expression.typeAnnotation.type === 'TSUnknownKeyword' || isForce(expression.typeAnnotation))
  return isForce(typeAnnotation) || isSecond || castToItself(cast, text)
}

export function casts(sources: readonly Source[]): readonly Place[] {
  return byLine(
    sources.flatMap(({ nodes, text, at }) =>
      nodes.flatMap(({ node }) =>
        isCast(node) && isForced(node, text)
          ? [{ at: at(node.start), what: text.slice(node.start, node.end).replaceAll(/\s+/g, ' ').slice(-60) }]
          : [],
      ),
    ),
  )
}
