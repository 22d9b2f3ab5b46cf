/**
 * From a command line to an answer that was recorded when the program was built, its version or its help, or to the
 * command that it names. Neither oclif nor a command is loaded for that.
 */
import { arch, platform } from 'node:os'
import type { Config } from '@oclif/core'
import type { Edge } from '../../edge.ts'
import type { CompletionTree } from '../completion/tree.ts'
import { earlyLine } from '../flags/typed-line.ts'
import { drawHelp, globalFlagsPage, type HelpPage } from '../help/draw.ts'
import { wantsColour } from '../output/choice.ts'

/** The list of commands, without their code. */
export interface Listing {
  readonly name: string
  readonly version: string
  /** Their ids, such as `payout:create`. */
  readonly commands: readonly string[]
}

/** The class of a command, as far as it is started. */
export interface Startable {
  new (argv: string[], config: Config, edge?: Edge): { _run(): Promise<unknown> }
  id: string
}

export interface ProgramParts extends Listing {
  /** The directory of its package.json. */
  readonly root: string
  /** The help of a command or a topic; of the whole program where the id is empty. */
  readonly helpPage: (id: string) => HelpPage
  /** The words that a shell completes. */
  readonly completion: () => CompletionTree
  /** The module of a command. */
  readonly load: (id: string) => { readonly default: Startable }
  /** oclif's configuration with all commands; where there is none, it is made when it is asked for. */
  readonly config?: Config
}

type Named = Pick<Listing, 'name' | 'version'>

/** The program, its version, and what it runs on, in one line: what `--version` prints. */
const agentOf = ({ name, version }: Named) => `${name}/${version} ${platform()}-${arch()} node-${process.version}`

/** What a command line asks for. */
export type Meaning =
  | { readonly kind: 'version' }
  /** `id` is that of a page. */
  | { readonly kind: 'help'; readonly id: string }
  | { readonly kind: 'exit-codes' }
  /** A shell asks how a word goes on. */
  | { readonly kind: 'completion'; readonly argv: readonly string[] }
  | { readonly kind: 'command'; readonly id: string; readonly argv: readonly string[] }
  /** Its words name no command. */
  | { readonly kind: 'none' }

/** The first word of a line that a shell's script writes (src/lib/cli/completion/scripts.ts). */
const completing = '__complete'

type Listed = Pick<Listing, 'commands'>

const isTopic = (id: string, { commands }: Listed) => commands.some((each) => each.startsWith(`${id}:`))

/** The longest command or topic that the first words name, as `payout create` or `payout:create`, and the words behind it. */
function named(argv: readonly string[], listed: Listed): { readonly id: string; readonly rest: readonly string[] } {
  const words = argv.flatMap((word, at) => (at === 0 ? word.split(':') : [word]))
  const idOf = (length: number) => words.slice(0, length).join(':')
  let length = 0
  while (length < words.length && (listed.commands.includes(idOf(length + 1)) || isTopic(idOf(length + 1), listed)))
    length += 1
  return { id: idOf(length), rest: words.slice(length) }
}

const isHelpFlag = (word: string) => word === '--help' || word === '-h'

/** The page that explains these words: that of the program where there are none. */
function pageFor(argv: readonly string[], listed: Listed): Meaning {
  const words = argv.filter((word) => !isHelpFlag(word) && word !== 'help')
  const { id, rest } = named(words, listed)
  const [next = '-'] = rest
  if (listed.commands.includes(id) || next.startsWith('-')) return { kind: 'help', id }
  return id === '' && next === globalFlagsPage ? { kind: 'help', id: next } : { kind: 'none' }
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.length === 0 || (end < 0 ? argv : argv.slice(0, end)).some(isHelpFlag)
}

/** As programs are asked for their version; a word or a flag behind it asks for something else. */
const isVersion = ([first = '', ...rest]: readonly string[]) =>
  first === '--version' || (['-v', '-V', 'version'].includes(first) && rest.length === 0)

export function readCommandLine(argv: readonly string[], listed: Listed): Meaning {
  if (isVersion(argv)) return { kind: 'version' }
  if (argv[0] === completing) return { kind: 'completion', argv: argv.slice(1) }
  if (asksForHelp(argv)) return pageFor(argv, listed)
  const { id, rest } = named(argv, listed)
  if (id === 'help' && rest.join(' ') === 'exit-codes') return { kind: 'exit-codes' }
  if (id === 'help' && !rest.some((word) => word.startsWith('-'))) {
    const page = pageFor(rest, listed)
    // The command explains codes, too, and says what was meant.
    if (page.kind === 'help') return page
  }
  if (listed.commands.includes(id)) return { kind: 'command', id, argv: rest }
  // A topic with flags behind it is a command that was not typed as one: a page would end with 0.
  return id !== '' && rest.length === 0 ? { kind: 'help', id } : { kind: 'none' }
}

const usualWidth = 80
const leastWidth = 40

/** A page as the reader of stdout gets it. */
export function helpText(page: HelpPage, argv: readonly string[], program: Named, edge: Edge): string {
  const choice = earlyLine(argv).value('--color')
  const coloured = wantsColour(choice === 'always' || choice === 'never' ? choice : 'auto', edge.env, edge.stdout)
  const goesOn = platform() === 'win32' ? '^' : '\\'
  const { isTTY, columns } = edge.stdout
  const width = isTTY && columns ? Math.max(columns, leastWidth) : usualWidth
  return drawHelp(page, { width, coloured, agent: agentOf(program), goesOn })
}

type Answered = Extract<Meaning, { readonly kind: 'version' | 'help' }>

export function answerTo(asked: Answered, argv: readonly string[], program: ProgramParts, edge: Edge): string {
  return asked.kind === 'version' ? `${agentOf(program)}\n` : helpText(program.helpPage(asked.id), argv, program, edge)
}
