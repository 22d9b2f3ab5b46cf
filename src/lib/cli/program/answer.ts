/**
 * From a command line to an answer that was recorded when the program was built, its version or its help, or to the
 * command that it names. Neither oclif nor a command is loaded for that.
 */

import { existsSync, lstatSync } from 'node:fs'
import { arch, platform, release } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Config } from '@oclif/core'
import { type Edge, homeOfUser } from '../../edge.ts'
import type { PlatformDirectories } from '../../home.ts'
import { makePrivateDirectory } from '../../private-directory.ts'
import type { CompletionTree } from '../completion/tree.ts'
import { earlyLine } from '../flags/typed-line.ts'
import { drawnHelp, globalFlagsPage, type HelpPage } from '../help/draw.ts'
import { wantsColour } from '../output/colour.ts'

/** The list of commands, without their code. */
export interface Listing {
  readonly name: string
  readonly version: string
  /** Of every command, such as `payout:create`, whether words that are no flags may follow it. */
  readonly commands: Readonly<Record<string, boolean>>
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

type Env = Edge['env']

function windowsHome({ HOMEDRIVE, HOMEPATH, USERPROFILE }: Env): string | undefined {
  return HOMEDRIVE && HOMEPATH ? join(HOMEDRIVE, HOMEPATH) : USERPROFILE
}

/** Those of the program of this name. Without a home directory they are relative, and places() refuses them. */
export function directoriesOf(name: string, env: Env): PlatformDirectories & { readonly home: string } {
  const isWindows = platform() === 'win32'
  const home = env.HOME || (isWindows && windowsHome(env)) || homeOfUser(undefined) || ''
  const told = (category: string) => env[`${name.toUpperCase()}_${category.toUpperCase()}_DIR`]
  const usual = (category: string, below: string) =>
    join(env[`XDG_${category.toUpperCase()}_HOME`] || (isWindows && env.LOCALAPPDATA) || join(home, below), name)
  const macosCache = platform() === 'darwin' ? join(home, 'Library', 'Caches', name) : null
  return {
    home,
    cacheDir: told('cache') || macosCache || usual('cache', '.cache'),
    configDir: told('config') || usual('config', '.config'),
    dataDir: told('data') || usual('data', '.local/share'),
  }
}

/** Linux below Windows names it in its release; a container there has its own Linux. */
function isBelowWindows(): boolean {
  if (platform() !== 'linux' || !release().toLowerCase().includes('microsoft')) return false
  return !existsSync('/.dockerenv') && !existsSync('/run/.containerenv')
}

/** The program, its version, and what it runs on, in one line: what `--version` prints. */
function agentOf({ name, version }: Pick<Listing, 'name' | 'version'>): string {
  const system = `${isBelowWindows() ? 'wsl' : platform()}-${arch() === 'ia32' ? 'x86' : arch()}`
  return `${name}/${version} ${system} node-${process.version}`
}

function directoryIn(env: Edge['env']): string {
  if (env.PAYDESK_HOME) return join(env.PAYDESK_HOME, 'compiled')
  const home = homeOfUser(env.HOME) ?? ''
  const caches = platform() === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache')
  return join(env.XDG_CACHE_HOME || caches, 'paydesk', 'compiled')
}

/** True for a directory of this person that others may not write. Windows has no modes to tell by. */
function isOwn(directory: string): boolean {
  const stat = lstatSync(directory)
  if (!stat.isDirectory()) return false
  return platform() === 'win32' || (stat.uid === process.geteuid?.() && (stat.mode & 0o022) === 0)
}

/**
 * Node's own cache of compiled code, where it has one (Node 22.1). Code in it is run, so it stands where only this person
 * writes. Without it a command starts later; it never fails for it.
 */
export function keepCompiled({ env }: Pick<Edge, 'env'>): void {
  const loader = process.getBuiltinModule('node:module')
  if (!('enableCompileCache' in loader) || typeof loader.enableCompileCache !== 'function') return
  try {
    const directory = directoryIn(env)
    if (!isAbsolute(directory)) return
    makePrivateDirectory(directory)
    if (isOwn(directory)) loader.enableCompileCache(directory)
  } catch {
    // A home that cannot be written is told by what has to be written there.
  }
}

/** Finds the command of a command line without oclif, but as oclif does: words make up a command as far as there is one. */
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

const usualWidth = 80
const leastWidth = 40

function widthOf({ env, stdout }: Pick<Edge, 'env' | 'stdout'>): number {
  const given = Number.parseInt(env.OCLIF_COLUMNS ?? '', 10)
  if (given) return given
  return stdout.isTTY && stdout.columns ? Math.max(stdout.columns, leastWidth) : usualWidth
}

/** A page as the reader of stdout gets it. */
export function helpText(page: HelpPage, argv: readonly string[], listing: Listing, edge: Edge): string {
  const choice = earlyLine(argv).value('--color')
  const coloured = wantsColour(choice === 'always' || choice === 'never' ? choice : 'auto', edge.env, edge.stdout)
  const goesOn = platform() === 'win32' ? '^' : '\\'
  return drawnHelp(page, { width: widthOf(edge), coloured, agent: agentOf(listing), goesOn })
}

type Answered = Extract<Asked, { readonly kind: 'version' | 'help' }>

export function answerTo(asked: Answered, argv: readonly string[], program: ProgramParts, edge: Edge): string {
  return asked.kind === 'version' ? `${agentOf(program)}\n` : helpText(program.helpPage(asked.id), argv, program, edge)
}
