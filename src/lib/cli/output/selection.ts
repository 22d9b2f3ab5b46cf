/**
 * `--fields` and `--query`: held against the result of a command before it does anything, and the fields that were chosen
 * as people see them.
 */
import { z } from 'zod'
import { isRecord } from '../../json.ts'
import type { Published } from '../../result.ts'
import { mustBeFields } from './form.ts'
import { badQuery } from './query.ts'
import { factsOf, tableOf, type View } from './view.ts'

interface Asked {
  readonly fields: readonly string[] | null
  readonly query: string | null
}

/** `hasRows`: its fields may be those of its rows. Throws Failure('usage') for what cannot be shown, whatever the result is. */
export async function mustBeShowable(
  { fields, query }: Asked,
  result: Published | undefined,
  hasRows: boolean,
): Promise<void> {
  if (query !== null) await mustCompile(query)
  // The fields of what a query finds are not known before.
  if (fields === null || query !== null || !result) return
  const published = await result()
  const schemas: readonly z.ZodType[] = Array.isArray(published) ? published : [published as z.ZodType]
  const known = namesIn(schemas, hasRows)
  if (known !== null) mustBeFields(fields, known)
}

function namesIn(schemas: readonly z.ZodType[], hasRows: boolean): readonly string[] | null {
  const names = schemas.map((schema) => namesOf(schema, hasRows))
  return names.every((each) => each !== null) ? [...new Set(names.flat())] : null
}

function namesOf(schema: z.ZodType, hasRows: boolean): readonly string[] | null {
  if (schema instanceof z.ZodArray) return namesOf(schema.element as z.ZodType, hasRows)
  if (schema instanceof z.ZodUnion) return namesIn(schema.options as readonly z.ZodType[], hasRows)
  if (!(schema instanceof z.ZodObject) || !(schema.def.catchall instanceof z.ZodNever)) return null
  const lists = Object.values<z.ZodType>(schema.shape).filter((member) => member instanceof z.ZodArray)
  const rows = hasRows ? namesIn(lists, false) : []
  return rows && [...Object.keys(schema.shape), ...rows]
}

interface Node {
  readonly type: string
  readonly name?: string
  readonly children?: readonly Node[]
}

/** Its functions are tried with as many arguments as it gives them: there is no other way to ask whether that is right. */
async function mustCompile(query: string): Promise<void> {
  const { compile, search } = await import('@jmespath-community/jmespath')
  const trying = (work: () => unknown) => {
    try {
      return work()
    } catch (error) {
      // Which type an argument has is told by the result alone.
      if (error instanceof Error && error.message.startsWith('Invalid type')) return null
      throw badQuery(error)
    }
  }
  for (const { name, children = [] } of functionsIn(trying(() => compile(query)))) {
    const given = children.map(({ type }) => (type === 'ExpressionReference' ? '&@' : '`null`'))
    trying(() => search(null, `${name}(${given.join(', ')})`))
  }
}

function functionsIn(node: unknown): readonly Node[] {
  if (Array.isArray(node)) return node.flatMap(functionsIn)
  if (typeof node !== 'object' || node === null) return []
  const own = (node as Node).type === 'Function' ? [node as Node] : []
  return [...own, ...Object.values(node).flatMap(functionsIn)]
}

export function fieldsView(picked: unknown, fields: readonly string[]): View {
  const memberNamed = (name: string) => (row: unknown) => (isRecord(row) ? (row[name] ?? '') : '')
  const labels = Object.fromEntries(fields.map((name) => [name, memberNamed(name)]))
  return [Array.isArray(picked) ? tableOf<unknown>(picked, labels) : { ...factsOf(picked, labels), isByName: true }]
}
