/** Finds what the word that is being typed may become: words of the program, or values that have to be looked up. */
import type { CommandWords, CompletionTree, FlagWord, Values } from './tree.ts'

export interface Candidate {
  readonly word: string
  /** Shown beside it, by shells that can; may be empty. */
  readonly said: string
}

/** `before` is what stands in front of the values in the same word, as `--profile=`. */
export type Continuation =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  | { readonly kind: 'values'; readonly values: Values; readonly before: string; readonly typed: string }

const nothing: Continuation = { kind: 'words', words: [] }

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

function flagsNamed(typed: string, command: CommandWords, global: readonly FlagWord[], { used }: Read): Continuation {
  // A command may have a flag of all commands in a form of its own.
  const known = new Map([...global, ...command.flags].map((flag) => [flag.name, flag]))
  const found = [...known.values()].filter(({ name }) => name.startsWith(typed) && !used.has(name))
  return { kind: 'words', words: found.map(({ name, said }) => ({ word: name, said })) }
}

/** `words` are those behind the program's name; the last one is being typed, and may be empty. */
export function continuationOf(words: readonly string[], tree: CompletionTree): Continuation {
  const typed = words.at(-1) ?? ''
  const asksHelp = words[0] === 'help'
  const [name, rest] = split(words.slice(asksHelp ? 1 : 0, -1), tree)
  const command = asksHelp ? undefined : tree.commands[name]
  const children = rest.length === 0 ? below(name, typed, tree) : []
  if (!command) return { kind: 'words', words: children }
  const flags = [...command.flags, ...tree.global]
  const read = readWords(rest, flags)
  if (read.open) return { kind: 'values', values: read.open.values ?? null, before: '', typed }
  if (!read.noFlags && typed.startsWith('-') && typed !== '-') {
    const at = typed.indexOf('=')
    if (at < 0) return flagsNamed(typed, command, tree.global, read)
    const flag = flags.find(({ name }) => name === typed.slice(0, at))
    if (flag?.values === undefined) return nothing
    return { kind: 'values', values: flag.values, before: typed.slice(0, at + 1), typed: typed.slice(at + 1) }
  }
  const values = command.args[read.args]
  if (values === undefined) return { kind: 'words', words: children }
  return children.length > 0 ? { kind: 'words', words: children } : { kind: 'values', values, before: '', typed }
}
