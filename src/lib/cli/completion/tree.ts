/** The words of the program for the completion of a shell: made of what oclif knows of the commands, when the program is built. */
import type { Config } from '@oclif/core'
import { builtIn } from '../../profile/built-in.ts'
import { globalGroup } from '../help/pages.ts'

/** The kinds of values that are looked up while one types: `order` means ids of orders in the journal, and so on. */
export type LiveKind = 'profile' | 'payout' | 'order' | 'wallet' | 'write' | 'plan' | 'file'

/** The values of a flag or an argument: these words, or what is looked up; null where only a person knows. */
export type Values = readonly string[] | LiveKind | null

export interface FlagWord {
  /** With its dashes. */
  readonly name: string
  readonly letter?: string
  readonly said: string
  /** Undefined for a flag that takes no value. */
  readonly values?: Values
  readonly repeats: boolean
}

export interface CommandWords {
  readonly said: string
  readonly flags: readonly FlagWord[]
  readonly args: readonly Values[]
}

export interface CompletionTree {
  /** By their words, as `payout create`. */
  readonly commands: Readonly<Record<string, CommandWords>>
  /** Descriptions of topics. */
  readonly topics: Readonly<Record<string, string>>
  /** Profiles that are there without being added. */
  readonly profiles: readonly string[]
  /** Flags that every command has. */
  readonly global: readonly FlagWord[]
}

type Loadable = Config['commands'][number]
type Flag = Loadable['flags'][string]

/** Topics whose commands take the id of a write of theirs. */
const ownWrites: Readonly<Record<string, LiveKind>> = {
  payout: 'payout',
  order: 'order',
  card: 'order',
  wallet: 'wallet',
}

/** Arguments whose name says what they are, wherever they stand. */
const argsByName: Readonly<Record<string, LiveKind>> = { plan: 'plan', file: 'file', key: 'file', envelope: 'file' }

/** The kind of value that an argument of a command takes, as far as its name or its topic says. */
export function argumentKind(id: string, name: string): LiveKind | null {
  const [topic = '', command = ''] = id.split(':')
  const known = argsByName[name]
  if (known !== undefined) return known
  if (topic === 'profile') return command === 'add' ? null : 'profile'
  if (id === 'resume' || id === 'journal:show' || id === 'approval:request') return 'write'
  return ownWrites[topic] ?? null
}

function argValues(
  { id }: Loadable,
  { name, options }: { readonly name: string; readonly options?: readonly string[] },
): Values {
  return options ?? argumentKind(id, name)
}

function flagValues(name: string, flag: Extract<Flag, { type: 'option' }>): Values {
  if (flag.options) return flag.options
  const value = [flag.helpValue ?? ''].flat().join(' ')
  if (name === 'profile') return 'profile'
  if (/^<(?:file|folder|dir|f\|-)>$/.test(value) || /\.xml$/.test(value)) return 'file'
  if (value === '<journalId>') return 'write'
  return /^[a-z0-9-]+(?:\|[a-z0-9-]+)+$/i.test(value) ? value.split('|') : null
}

const firstLine = (text = '') => text.split('\n')[0] ?? ''

function flagWord(name: string, flag: Flag): readonly FlagWord[] {
  const word = {
    name: `--${name}`,
    ...(flag.char ? { letter: `-${flag.char}` } : {}),
    said: firstLine(flag.summary ?? flag.description),
    ...(flag.type === 'option' ? { values: flagValues(name, flag) } : {}),
    repeats: flag.type === 'option' && flag.multiple === true,
  }
  const no = flag.type === 'boolean' && flag.allowNo ? [{ name: `--no-${name}`, said: word.said, repeats: false }] : []
  return [word, ...no]
}

function flagWords(command: Loadable, isGlobal: boolean): readonly FlagWord[] {
  return Object.entries(command.flags)
    .filter(([, flag]) => !flag.hidden && (flag.helpGroup === globalGroup) === isGlobal)
    .flatMap(([name, flag]) => flagWord(name, flag))
}

const inWords = (id: string) => id.replaceAll(':', ' ')

export function completionTree(config: Config): CompletionTree {
  const shown = config.commands.filter(({ hidden }) => !hidden)
  const commands = shown.map((command) => [
    inWords(command.id),
    {
      said: firstLine(command.summary ?? command.description),
      flags: flagWords(command, false),
      args: Object.values(command.args).map((arg) => argValues(command, arg)),
    },
  ])
  const topics = config.topics.map(({ name, description }) => [inWords(name), firstLine(description)])
  const globals = new Map(shown.flatMap((command) => flagWords(command, true)).map((flag) => [flag.name, flag]))
  return {
    commands: Object.fromEntries(commands),
    topics: Object.fromEntries(topics),
    global: [...globals.values()],
    profiles: builtIn,
  }
}
