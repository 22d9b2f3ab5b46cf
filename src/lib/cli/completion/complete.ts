/** Answers a shell that asks how the word at the cursor may go on: a line for each, or `:file` where it is a file. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../paths.ts'
import { type TypedWrite, writesTyped } from '../../store/journal/typed.ts'
import type { CommandWords, CompletionTree, FlagWord, LiveKind, Values } from './tree.ts'

/** A word with its quotes and escapes; one that is not closed yet ends with the line. */
const word = /(?:[^\s"'\\]|\\.?|"(?:[^"\\]|\\.?)*"?|'[^']*'?)+/g

function plain(typed: string): string {
  return typed.replace(/\\(.?)|["']/g, '$1')
}

/** The words behind the program's name; the last one is being typed, and empty where the line ends with a blank. */
export function wordsOfLine(line: string): readonly string[] {
  const words = (line.match(word) ?? []).map(plain)
  return /(?:^|\s)$/.test(line) ? [...words.slice(1), ''] : words.slice(1)
}

/** bash takes a word apart at these, and replaces only what comes behind the last of them. */
export function afterWordBreak(typed: string, candidate: string): string {
  const at = Math.max(typed.lastIndexOf(':'), typed.lastIndexOf('='))
  return candidate.startsWith(typed.slice(0, at + 1)) ? candidate.slice(at + 1) : candidate
}

interface Candidate {
  readonly word: string
  /** Shown beside it, by shells that can; may be empty. */
  readonly said: string
}

/** `files`: the shell knows them. */
type Candidates = readonly Candidate[] | 'files'

/** The words that make up a command or a topic, and the rest behind them. */
function split(words: readonly string[], { commands, topics }: CompletionTree): readonly [string, readonly string[]] {
  let name = ''
  for (const [at, word] of words.entries()) {
    const longer = name === '' ? word : `${name} ${word}`
    if (!Object.hasOwn(commands, longer) && !Object.hasOwn(topics, longer)) return [name, words.slice(at)]
    name = longer
  }
  return [name, []]
}

/** Commands and topics right below one, that begin as typed. */
function below(name: string, typed: string, { commands, topics }: CompletionTree): readonly Candidate[] {
  const prefix = name === '' ? '' : `${name} `
  const said = (word: string) => topics[`${prefix}${word}`] ?? commands[`${prefix}${word}`]?.said ?? ''
  const next = [...Object.keys(commands), ...Object.keys(topics)]
    .filter((each) => each.startsWith(prefix))
    .map((each) => each.slice(prefix.length).split(' ')[0] ?? '')
  return [...new Set(next)]
    .filter((word) => word !== '' && word.startsWith(typed))
    .toSorted()
    .map((word) => ({ word, said: said(word) }))
}

/** The rest of a command's words, as its flags take them. */
interface Read {
  /** The flag that the next word is the value of. */
  readonly open: FlagWord | null
  readonly used: ReadonlySet<string>
  readonly args: number
  /** Behind `--` nothing is a flag. */
  readonly noFlags: boolean
}

function readWords(words: readonly string[], flags: readonly FlagWord[]): Read {
  const used = new Set<string>()
  let [open, args, noFlags]: [FlagWord | null, number, boolean] = [null, 0, false]
  for (const word of words) {
    if (open) {
      open = null
    } else if (!noFlags && word === '--') {
      noFlags = true
    } else if (!noFlags && word.startsWith('-') && word !== '-') {
      const [name = ''] = word.split('=')
      const flag = flags.find((each) => each.name === name || each.letter === name)
      if (flag && !flag.repeats) used.add(flag.name)
      if (flag?.values !== undefined && !word.includes('=')) open = flag
    } else {
      args += 1
    }
  }
  return { open, used, args, noFlags }
}

function flagsNamed(
  typed: string,
  command: CommandWords,
  global: readonly FlagWord[],
  { used }: Read,
): readonly Candidate[] {
  // A command may have a flag of all commands in a form of its own.
  const known = new Map([...global, ...command.flags].map((flag) => [flag.name, flag]))
  const found = [...known.values()].filter(({ name }) => name.startsWith(typed) && !used.has(name))
  return found.map(({ name, said }) => ({ word: name, said }))
}

/** More than one reads at a glance. */
const most = 30

/** Words that need no quotes in any shell; others would not be found again by what they are. */
const plainWord = /^[\w.:@+-]+$/

function profiles({ config }: Places): readonly Candidate[] {
  const settings = JSON.parse(readFileSync(join(config, 'config.json'), 'utf8'))
  return Object.keys(settings.profiles).map((word) => ({ word, said: 'profile' }))
}

function plans({ batches }: Places): readonly Candidate[] {
  const ids = readdirSync(batches).flatMap((name) => /^(b-[0-9a-f]+)\.db$/.exec(name)?.[1] ?? [])
  return ids.slice(0, most).map((word) => ({ word, said: 'plan' }))
}

/** "GEL 12.50 payout.create accepted 2026-11-20": no person, no account. */
function describeTypedWrite({ amountMinor, currency, operation, state, openedAt }: TypedWrite): string {
  const sum =
    amountMinor === null ? [] : [`${currency ?? ''} ${amountMinor.replace(/^(\d*?)(\d{1,2})$/, decimal)}`.trim()]
  return [...sum, operation, state, openedAt.slice(0, 10)].join(' ')
}

/** "5" is 0.05, "1250" is 12.50: two decimals, as every currency of the service has. */
function decimal(_units: string, whole: string, rest: string): string {
  return `${whole || '0'}.${rest.padStart(2, '0')}`
}

/** Each write by what begins as typed: its journal id, else its key, else its id at the service. */
function writes({ journal, team }: Places, kind: LiveKind, typed: string): readonly Candidate[] {
  if (team !== null) return []
  const found = writesTyped(journal, typed, kind === 'write' ? '' : `${kind}.`, most)
  return found.flatMap((each) => {
    const word = [each.id, each.key, each.uniqueId].find((name) => name?.startsWith(typed) && plainWord.test(name))
    return word ? [{ word, said: describeTypedWrite(each) }] : []
  })
}

function attempted(look: () => readonly Candidate[]): readonly Candidate[] {
  try {
    return look()
  } catch {
    return []
  }
}

/** The values of a kind that begin as typed; `builtIn` are profiles that are always there. Files are left to the shell. */
export function liveValues(
  kind: Exclude<LiveKind, 'file'>,
  typed: string,
  places: () => Places,
  builtIn: readonly string[],
): readonly Candidate[] {
  const inside = builtIn.map((word) => ({ word, said: 'of the sandbox' }))
  const found =
    kind === 'profile'
      ? [...attempted(() => profiles(places())), ...inside]
      : attempted(() => (kind === 'plan' ? plans(places()) : writes(places(), kind, typed)))
  return found.filter(({ word }) => word.startsWith(typed) && plainWord.test(word))
}

/** `words` are those behind the program's name; the last one is being typed, and may be empty. */
function candidatesFor(words: readonly string[], tree: CompletionTree, places: () => Places): Candidates {
  const typed = words.at(-1) ?? ''
  const asksHelp = words[0] === 'help'
  const [name, rest] = split(words.slice(asksHelp ? 1 : 0, -1), tree)
  const command = asksHelp ? undefined : tree.commands[name]
  const children = rest.length === 0 ? below(name, typed, tree) : []
  if (!command) return children
  /** `before` is what stands in front of the values in the same word, as `--profile=`. */
  const values = (of: Values, before = ''): Candidates => {
    if (of === null) return []
    if (of === 'file') return 'files'
    const begun = typed.slice(before.length)
    if (typeof of !== 'string')
      return of.filter((word) => word.startsWith(begun)).map((word) => ({ word: before + word, said: '' }))
    const live = liveValues(of, begun, places, tree.profiles)
    return live.map(({ word, said }) => ({ word: before + word, said }))
  }
  const flags = [...command.flags, ...tree.global]
  const read = readWords(rest, flags)
  if (read.open) return values(read.open.values ?? null)
  if (!read.noFlags && typed.startsWith('-') && typed !== '-') {
    const at = typed.indexOf('=')
    if (at < 0) return flagsNamed(typed, command, tree.global, read)
    const flag = flags.find((each) => each.name === typed.slice(0, at))
    return values(flag?.values ?? null, typed.slice(0, at + 1))
  }
  const arg = command.args[read.args]
  return children.length > 0 || arg === undefined ? children : values(arg)
}

/** Shells that hand over the line as one text. */
const byLine: ReadonlySet<string> = new Set(['bash', 'powershell'])

/** `argv`: the shell, `--`, and the words behind the program's name, or the whole line. Text for the shell, with its end of line. */
export function completeWord(argv: readonly string[], tree: CompletionTree, places: () => Places): string {
  const [shell = '', , ...given] = argv
  const words = byLine.has(shell) ? wordsOfLine(given.join(' ')) : given
  const candidates = candidatesFor(words, tree, places)
  if (candidates === 'files') return ':file\n'
  const typed = words.at(-1) ?? ''
  return candidates
    .map(({ word, said }) => (shell === 'bash' ? `${afterWordBreak(typed, word)}\n` : `${word}\t${said}\n`))
    .join('')
}
