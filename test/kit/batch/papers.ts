/** The papers of a plan as a spreadsheet reads them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

export type PaperRow = Readonly<Record<string, string>>

/** The rows of a CSV text by their headers. */
export function rowsIn(text: string): readonly PaperRow[] {
  return parse(text, { bom: true, columns: true }) as PaperRow[]
}

export const paperFiles = ['ok', 'refused', 'unknown', 'unsent'] as const

/** The four papers in a folder. */
export function papersIn(folder: string): Readonly<Record<(typeof paperFiles)[number], readonly PaperRow[]>> {
  const rows = (name: string) => rowsIn(readFileSync(join(folder, `${name}.csv`), 'utf8'))
  return { ok: rows('ok'), refused: rows('refused'), unknown: rows('unknown'), unsent: rows('unsent') }
}
