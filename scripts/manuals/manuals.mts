/** What the manuals are made of: the pages of help as the build made them, by the first word of their commands. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globalFlagsPage, type HelpPage } from '../../src/lib/cli/help/draw.ts'

export interface CommandHelp {
  /** Its words, such as `sandbox clock advance`. */
  readonly name: string
  readonly page: HelpPage
}

export interface Manual {
  /** `payout`, or the name of a command that stands in no topic. */
  readonly name: string
  readonly said: string
  readonly commands: readonly CommandHelp[]
}

export interface Manuals {
  readonly bin: string
  readonly version: string
  readonly front: HelpPage
  readonly flags: HelpPage
  readonly each: readonly Manual[]
}

/** The line at the head of a page. */
export function summaryOf(page: HelpPage): string {
  const [head] = page
  return head && 'text' in head ? head.text : ''
}

/** Those of a built program. */
export function manualsOf(dist: string): Manuals {
  const read = (path: string) => JSON.parse(readFileSync(join(dist, `${path}.json`), 'utf8'))
  const page = (id: string): HelpPage => read(['help', ...id.split(':')].filter(Boolean).join('/'))
  const { name, version, commands } = read('listing') as {
    readonly name: string
    readonly version: string
    readonly commands: readonly string[]
  }
  const ids = commands.toSorted()
  const first = [...new Set(ids.map((id) => id.split(':')[0] ?? ''))]
  return {
    bin: name,
    version,
    front: page(''),
    flags: page(globalFlagsPage),
    each: first.map((word) => ({
      name: word,
      said: summaryOf(page(word)),
      commands: ids
        .filter((id) => id === word || id.startsWith(`${word}:`))
        .map((id) => ({ name: id.replaceAll(':', ' '), page: page(id) })),
    })),
  }
}
