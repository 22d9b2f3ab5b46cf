/** Columns of a team's tables, as SQL. Texts are compared byte by byte, as in SQLite, whatever the language of the database. */

export const textColumn = 'text collate "C"'
export const neededText = `${textColumn} not null`

/** Columns of one type. */
export function columns(names: readonly string[], type: string): string {
  return names.map((name) => `${name} ${type}`).join(', ')
}
