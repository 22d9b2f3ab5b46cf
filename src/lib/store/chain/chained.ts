/**
 * The rows that a hash chain covers, and how a commit knows which of them it has changed: triggers write down what they are now.
 * They belong to the connection and not to the file. So no write of paydesk is forgotten, savepoints that are undone take
 * their notes with them, and what another program writes has no link.
 */

/** A table under the chain. */
export interface ChainedTable {
  readonly name: string
  /** The columns that name a row for ever: nothing personal, because the chain keeps them. */
  readonly key: readonly [string, ...string[]]
  /**
   * The columns whose values stand in the chain as they are, of rows that hold nothing personal. The others have a column
   * `digest` of their own values, and the chain has that.
   */
  readonly plain?: readonly [string, ...string[]]
}

/** The name of a row in the chain as SQL: "attempts:j-3f9a1c2b7d10/2". `alias` is the row's. */
export function chainedName({ name, key }: ChainedTable, alias: string): string {
  return `'${name}:' || ${key.map((column) => `${alias}.${column}`).join(` || '/' || `)}`
}

/** The content of a row in the chain as SQL. */
export function chainedContent({ plain }: ChainedTable, alias: string): string {
  return plain ? `json_array(${plain.map((column) => `${alias}.${column}`).join(', ')})` : `${alias}.digest`
}

function noteOf(table: ChainedTable, when: 'insert' | 'update' | 'delete'): string {
  const [alias, content] = when === 'delete' ? ['old', 'null'] : ['new', chainedContent(table, 'new')]
  return `create temp trigger ${table.name}_${when} after ${when} on main.${table.name} begin
    insert into changed_rows values (${chainedName(table, alias)}, ${content}); end`
}

/** Statements that make a connection note what it changes. */
export function notingChanges(tables: readonly ChainedTable[]): string {
  const events = ['insert', 'update', 'delete'] as const
  const triggers = tables.flatMap((table) => events.map((when) => noteOf(table, when)))
  return ['create temp table changed_rows (name text, content text)', ...triggers].join(';\n')
}
