/** Finds the command of a command line without oclif, but as oclif does: words make up a command as far as there is one. */
import { globalFlagsPage } from '../help/page.ts'
import type { Listing } from './program.ts'

export type Asked =
  | { readonly kind: 'version' }
  /** `id` is that of a page. */
  | { readonly kind: 'help'; readonly id: string }
  | { readonly kind: 'exit-codes' }
  /** A shell asks how a word goes on. */
  | { readonly kind: 'completion'; readonly argv: readonly string[] }
  | { readonly kind: 'command'; readonly id: string; readonly argv: readonly string[] }
  /** The words of it are those of oclif. */
  | { readonly kind: 'none'; readonly complaint: string }

/** The first word of a line that a shell's script writes (src/lib/cli/completion/scripts.ts). */
const completing = '__complete'

type Listed = Pick<Listing, 'commands'>

function isTopic(id: string, { commands }: Listed): boolean {
  return Object.keys(commands).some((each) => each.startsWith(`${id}:`))
}

const isKnown = (id: string, listed: Listed) => Object.hasOwn(listed.commands, id) || isTopic(id, listed)

const hasPage = (id: string, listed: Listed) => id === globalFlagsPage || isKnown(id, listed)

/** The words that name a command, joined, and the rest behind them. Words that name none are taken along: they are mistyped. */
function joined(argv: readonly string[], listed: Listed): readonly string[] {
  if (argv.length === 1) return argv
  const named: string[] = []
  for (const word of argv) {
    const id = [...named, word].filter(Boolean).join(':')
    const takesWords = listed.commands[named.filter(Boolean).join(':')] === true
    const isEnd = word.includes('=') || word.startsWith('-') || takesWords
    if (!isKnown(id, listed) && isEnd) break
    named.push(word)
  }
  const id = named.filter(Boolean).join(':')
  return id === '' ? argv : [id, ...argv.slice(id.split(':').length)]
}

/** The first word that is not `help`; empty where there is none before the first flag. */
function subjectOf(argv: readonly string[]): string {
  const first = argv.find((word) => word !== 'help') ?? ''
  return first.startsWith('-') ? '' : first
}

const isHelpFlag = (word: string) => word === '--help' || word === '-h'

/** The page that explains these words. */
export function pageFor(argv: readonly string[], listed: Listed): Extract<Asked, { kind: 'help' | 'none' }> {
  const words = argv.filter((word) => !isHelpFlag(word))
  const id = subjectOf(joined(words, listed))
  if (id === '' || hasPage(id, listed)) return { kind: 'help', id }
  return { kind: 'none', complaint: `Command ${id} not found.` }
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.length === 0 || (end < 0 ? argv : argv.slice(0, end)).some(isHelpFlag)
}

/** `help` with nothing but words behind it. Null where the command has to look itself. */
function explained(words: readonly string[], listed: Listed): Asked | null {
  if (words.join(' ') === 'exit-codes') return { kind: 'exit-codes' }
  const isPage = words.length === 0 || hasPage(words.join(':'), listed)
  return isPage && !words.some((word) => word.startsWith('-')) ? pageFor(words, listed) : null
}

/** A command with a word too many right behind it, which tells so by itself; null where there is none. */
function extended(id: string, rest: readonly string[], { commands }: Listed): Asked | null {
  const words = id.split(':')
  for (let length = words.length - 1; length > 0; length -= 1) {
    const command = words.slice(0, length).join(':')
    if (Object.hasOwn(commands, command))
      return { kind: 'command', id: command, argv: [...words.slice(length), ...rest] }
  }
  return null
}

/** As programs are asked for their version; a word or a flag behind it asks for something else. */
const isVersion = ([first = '', ...rest]: readonly string[]) =>
  first === '--version' || (['-v', '-V', 'version'].includes(first) && rest.length === 0)

export function askedFor(argv: readonly string[], listed: Listed): Asked {
  if (isVersion(argv)) return { kind: 'version' }
  if (argv[0] === completing) return { kind: 'completion', argv: argv.slice(1) }
  if (asksForHelp(argv)) return pageFor(argv, listed)
  const [id = '', ...rest] = argv[0]?.includes(':') ? argv : joined(argv, listed)
  const explanation = id === 'help' ? explained(rest, listed) : null
  if (explanation !== null) return explanation
  if (Object.hasOwn(listed.commands, id)) return { kind: 'command', id, argv: rest }
  const command = extended(id, rest, listed)
  if (command !== null) return command
  // A topic with flags behind it is a command that was not typed as one: a page would end with 0.
  const isPage = isTopic(id, listed) && rest.length === 0
  return isPage ? pageFor([id], listed) : { kind: 'none', complaint: `command ${id} not found` }
}
