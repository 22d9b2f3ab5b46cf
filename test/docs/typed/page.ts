/** The pages of docs that code and tests cite: their anchors, and the rows of the table below a heading. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..', '..')

export const folders = ['docs/explanation', 'docs/internals']

/** Name of the page → its text. */
export const pages: ReadonlyMap<string, string> = new Map(
  folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => [name, readFileSync(join(root, folder, name), 'utf8')] as const),
  ),
)

/** The anchor that a heading gets where the page is shown: small letters, no punctuation, hyphens for blanks. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

export function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => heading)
}

/** Every anchor that may be cited, with its page: "service.md#payouts". */
export const anchors: ReadonlySet<string> = new Set(
  [...pages].flatMap(([name, text]) => headingsOf(text).map((heading) => `${name}#${slugOf(heading)}`)),
)

/** The cells of the first table below a heading, without its head; throws where there is none. */
export function tableBelow(name: string, anchor: string): string[][] {
  const lines = (pages.get(name) ?? '').split('\n')
  const at = lines.findIndex((line) => /^#+ /.test(line) && slugOf(line.replace(/^#+ /, '')) === anchor)
  const start = lines.findIndex((line, index) => index > at && line.startsWith('|'))
  if (at < 0 || start < 0) throw new Error(`${name}#${anchor} has no table`)
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines
    .slice(start + 2, end < 0 ? undefined : end)
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
}

/** The text of a cell without the backticks around it. */
export function plain(cell = ''): string {
  return cell.replace(/^`|`$/g, '')
}
