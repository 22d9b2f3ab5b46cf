/** Paths in a report that others read: without the name of the person whose home they lie in. */
import { sep } from 'node:path'
import { homeOfUser } from '../../edge.ts'
import { shellWord } from '../../shell-word.ts'

function belowHome(path: string): string | null {
  const home = homeOfUser(undefined) ?? ''
  return home.length > 1 && path.startsWith(home + sep) ? path.slice(home.length + 1) : null
}

/** "~/.local/share/paydesk/journal". */
export function shownPath(path: string): string {
  const below = belowHome(path)
  return below === null ? path : `~/${below}`
}

/** The same as a word of a shell. */
export function pathWord(path: string): string {
  const below = belowHome(path)
  return below === null ? shellWord(path) : `~/${shellWord(below)}`
}

/** The text with every path in it shown so. */
export function withShownPaths(text: string): string {
  const home = homeOfUser(undefined) ?? ''
  return home.length > 1 ? text.replaceAll(home + sep, '~/') : text
}
