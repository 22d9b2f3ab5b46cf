/** `--map`: columns under other names, values that are equal in every row, columns that make a field together. */
import { z } from 'zod'
import { Failure } from '../../failure.ts'
import { orMeant } from '../../nearest.ts'
import { contents, textOf } from '../../paths.ts'

const columnName = z.string({ error: 'must be the name of a column' }).min(1)

const joined = z.union(
  [
    z.array(columnName).min(1),
    z.strictObject({ columns: z.array(columnName).min(1), with: z.string({ error: 'must be text' }) }),
  ],
  { error: 'must be a list of columns, or `columns` and `with`' },
)

const mapFile = z.strictObject({
  columns: z.record(columnName, z.string({ error: 'must be the name of a field' })).default({}),
  constants: z.record(columnName, z.string({ error: 'must be text' })).default({}),
  joins: z.record(columnName, joined).default({}),
  ignore: z.array(columnName).default([]),
})

export interface ColumnMap {
  /** The field, by the column that holds it. */
  readonly columns: ReadonlyMap<string, string>
  /** The value, by the field. */
  readonly constants: ReadonlyMap<string, string>
  /** The columns that make a field together, and the text between them, by the field. */
  readonly joins: ReadonlyMap<string, { readonly columns: readonly string[]; readonly between: string }>
  readonly ignored: ReadonlySet<string>
}

export const noMap: ColumnMap = { columns: new Map(), constants: new Map(), joins: new Map(), ignored: new Set() }

function wrong(path: string, why: string): Failure {
  return new Failure('usage', `--map: ${path} ${why}`)
}

async function parsed(path: string): Promise<unknown> {
  const file = contents(path)
  if ('why' in file) throw wrong(path, `cannot be read: ${file.why}`)
  const { parse } = await import('yaml')
  try {
    const text = textOf(file.bytes)
    if (text === null) throw new Error('it is not UTF-8 text')
    // Every scalar is text: a constant of 0100 is not 64.
    return parse(text, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' }) || {}
  } catch (error) {
    // The parser puts the line behind its message, after a colon.
    const [words] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw wrong(path, `is not YAML: ${words?.replace(/:$/, '')}`)
  }
}

/** Reads the map in a YAML file. Throws Failure('usage') for a wrong map. */
export async function readColumnMap(path: string): Promise<ColumnMap> {
  const checked = mapFile.safeParse(await parsed(path))
  if (!checked.success) {
    const [issue] = checked.error.issues
    const place = issue?.path.join('.') ?? ''
    const strange = issue?.code === 'unrecognized_keys' ? issue.keys : []
    const known = issue?.path.length ? ['columns', 'with'] : Object.keys(mapFile.shape)
    const meant = strange.length === 1 ? orMeant(String(strange[0]), known) : ''
    throw wrong(
      path,
      strange.length > 0
        ? `is wrong: there is no ${strange.join(', ')} in a map${meant}`
        : `is wrong: ${place || 'it'} ${issue?.message ?? ''}`,
    )
  }
  const { columns, constants, joins, ignore } = checked.data
  const joinsOf = Object.entries(joins).map(([name, each]) => {
    const plain = Array.isArray(each)
    return [name, { columns: plain ? each : each.columns, between: plain ? ' ' : each.with }] as const
  })
  return {
    columns: new Map(Object.entries(columns)),
    constants: new Map(Object.entries(constants)),
    joins: new Map(joinsOf),
    ignored: new Set(ignore),
  }
}
