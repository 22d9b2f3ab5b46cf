/**
 * Pages of help, and commands as data for other programs, made of what oclif knows of the commands: when the program is
 * built, and by help itself.
 */
import type { Command, Config } from '@oclif/core'
import type { ResultOf } from '../../result.ts'
import type { describedResult } from '../result.ts'
import {
  agentMark,
  globalFlagsPage,
  globalFlagsSaid,
  type HelpExample,
  type HelpPage,
  type HelpParagraph,
  type HelpRow,
} from './draw.ts'

type Loadable = Config['commands'][number]
type Flag = Loadable['flags'][string]
type NamedFlag = readonly [name: string, flag: Flag]

/** The group of the flags that every command has. */
export const globalGroup = 'GLOBAL'

function flagValue(flag: Flag): string {
  if (flag.type !== 'option') return ''
  const values = [flag.helpValue ?? (flag.options ? '<option>' : '<value>')].flat()
  const value = values.map((each) => `${each}${flag.multiple ? '...' : ''}`).join(' ')
  return `=${value}`
}

function labelOf([name, flag]: NamedFlag): string {
  const long = flag.type === 'boolean' && flag.allowNo ? `--[no-]${name}` : `--${name}`
  return `${flag.char ? `-${flag.char}, ` : '    '}${long}${flagValue(flag)}`
}

function describeTypedWrite(flag: Flag): string {
  const text = flag.summary || flag.description || ''
  const usual = flag.type === 'option' && flag.default ? `[default: ${flag.default}] ` : ''
  const options = flag.type === 'option' && flag.options && !flag.helpValue ? flag.options.join('|') : null
  return `${flag.required ? '(required) ' : ''}${usual}${text}${options === null ? '' : `\n<options: ${options}>`}`.trim()
}

/** Room for the letter of a flag is left where one of them has one. */
function flagRows(flags: readonly NamedFlag[]): readonly HelpRow[] {
  const hasLetters = flags.some(([, { char }]) => char !== undefined)
  return flags.map((each) => {
    const label = labelOf(each)
    return [hasLetters ? label : label.replace('    ', ''), describeTypedWrite(each[1]) || null]
  })
}

/** All of them in a line: `-p/--profile, --json`. */
function flagNames(flags: readonly NamedFlag[]): string {
  return flags.map(([name, { char }]) => (char ? `-${char}/--${name}` : `--${name}`)).join(', ')
}

/** `<id>`, or `[<id>]` where the command does without; `...` behind the one that takes the rest of the line. */
function argNames({ args, strict }: Loadable): readonly string[] {
  const shown = Object.values(args).filter(({ hidden }) => !hidden)
  return shown.map(({ name, required }) => {
    const full = `<${name}>${strict === false ? '...' : ''}`
    return required ? full : `[${full}]`
  })
}

function argRows(command: Loadable): readonly HelpRow[] {
  const names = argNames(command)
  const shown = Object.values(command.args).filter(({ hidden }) => !hidden)
  return shown.map(({ options, description = '' }, at): HelpRow => {
    const said = `${options ? `(${options.join('|')}) ` : ''}${description}`
    return [names[at] ?? '', said || null]
  })
}

const firstLines: readonly HelpExample[] = [
  { said: 'A payout on the sandbox: asks for everything, moves no real money', line: 'payout create -p sandbox' },
  { said: 'A profile of your own', line: 'profile add acme' },
  { said: "What became of yesterday's payouts", line: 'payout list --yesterday --refresh' },
  {
    said: 'In a script: paid once, however often it runs',
    line: 'payout create --file emp-17.json --key payroll-2026-11:emp-17 --confirm "GEL 1200.00" --json',
  },
  { said: 'A payment without a definite answer', line: 'resume' },
]

const tasks: readonly HelpParagraph[] = [
  {
    header: 'PAY',
    rows: [
      ['payout create', 'Pay a beneficiary.'],
      ['batch plan', 'Plan a file of payouts; `batch run` pays it.'],
      ['order create', 'Create an order that a payer pays; `order refund` refunds it.'],
      ['wallet create', 'Register a payment QR code; `wallet finalize` pays it.'],
    ],
  },
  {
    header: 'LOOK UP',
    rows: [
      ['payout list', 'List payouts and their status; also `order list`, `wallet list`.'],
      ['payout receipt', 'Make a receipt for the beneficiary.'],
      ['payout balance', 'Show the balances for payouts.'],
      ['journal show', 'Show a payment with all its attempts.'],
    ],
  },
  {
    header: 'WHEN SOMETHING WENT WRONG',
    rows: [
      ['resume', 'Resolve a payment whose answer was lost.'],
      ['explain', 'Explain a code, status or exit code: did money move, what next?'],
      ['payout diff', 'Compare the journal with the service.'],
      ['doctor', 'Check this machine, its files, clock and journal.'],
      ['envelope doctor', 'Find out why an envelope does not open.'],
    ],
  },
  {
    header: 'SET UP',
    rows: [
      ['profile add', 'Add your addresses, credentials and keys.'],
      ['profile check', 'Test a profile with the service.'],
      ['sandbox start', 'Run the sandbox service on this machine.'],
      ['callback listen', "Receive the service's callbacks."],
      ['completion', 'Complete commands and ids in your shell.'],
    ],
  },
]

const more: readonly HelpRow[] = [
  ['help <command>', 'Show the help of a command or topic.'],
  [`help ${globalFlagsPage}`, 'Flags and variables of every command.'],
  ['help exit-codes', 'How a command can end, and whether money moved.'],
  ['commands --json', 'List everything for a program.'],
]

/** `all` are the topics and commands right below the program. */
function frontPage(bin: string, said: string, all: readonly HelpParagraph[]): HelpPage {
  return [
    { text: said },
    { header: 'EXAMPLES', examples: firstLines.map((each) => ({ ...each, line: `${bin} ${each.line}` })) },
    ...tasks,
    ...all,
    { header: 'MORE HELP', rows: more },
    { header: 'VERSION', text: agentMark },
  ]
}

/** The variables that commands obey, as help tells them. */
export const variableRows: readonly HelpRow[] = [
  ['PAYDESK_PROFILE', 'profile to use without --profile'],
  ['PAYDESK_HOME', 'directory of settings, journal, plans and the sandbox'],
  ['PAYDESK_STORE', "address of the team's Postgres store, without a password"],
  ['PAYDESK_NO_INPUT', '1: never ask'],
  ['PAYDESK_CLIENT_SECRET', 'client secret; overrides the profile'],
  ['PAYDESK_PRIVATE_KEY_FILE', 'file of your private key; overrides the profile'],
  ['PAYDESK_PERSON_KEY', 'file of your personal key, without --person-key'],
  ['NO_COLOR, CLICOLOR_FORCE', 'no colours; colours in a pipe, too'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxy'],
  ['TZ', 'time zone of printed times'],
]

type Topic = Config['topics'][number]

/** A person's words for a command: "payout create". */
const inWords = (id: string) => id.replaceAll(':', ' ')

const filledIn = (text: string, config: Config) => text.normalize().replaceAll('<%= config.bin %>', config.bin)

const firstLine = (text: string) => text.split('\n')[0] ?? ''

const shownFlags = ({ flags }: Loadable): readonly NamedFlag[] =>
  Object.entries(flags).filter(([, { hidden }]) => !hidden)

const isGlobal = ([, { helpGroup }]: NamedFlag) => helpGroup === globalGroup

/** Flags of the command's own without a group first, then group by group as they come; those of all commands in a line. */
function flagParagraphs(command: Loadable, bin: string): readonly HelpParagraph[] {
  const groups = new Map<string, NamedFlag[]>([['', []]])
  for (const each of shownFlags(command)) {
    const group = each[1].helpGroup ?? ''
    groups.set(group, [...(groups.get(group) ?? []), each])
  }
  const own = [...groups].filter(([group, flags]) => group !== globalGroup && flags.length > 0)
  const names = flagNames(shownFlags(command).filter(isGlobal))
  return [
    ...own.map(([group, flags]) => ({ header: `${group.toUpperCase()} FLAGS`.trim(), rows: flagRows(flags) })),
    { header: `${globalGroup} FLAGS`, text: `${names}\n(explained by: ${bin} help ${globalFlagsPage})` },
  ]
}

/** `(said, line)` where the line alone does not say what it is for. */
function exampleOf(example: Command.Example, config: Config): HelpExample {
  if (typeof example === 'string') return { said: null, line: filledIn(example, config) }
  return { said: filledIn(example.description, config), line: filledIn(example.command, config) }
}

function usagesOf(command: Loadable, bin: string): readonly string[] {
  const words = inWords(command.id)
  const told = command.usage === undefined ? [`${words} ${argNames(command).join(' ')}`] : [command.usage].flat()
  return told.map((line) => `${bin} ${line.trim()} [flags]`)
}

function listOf(header: string, rows: readonly HelpRow[]): readonly HelpParagraph[] {
  return rows.length > 0 ? [{ header, rows }] : []
}

/** Topics and commands right below a topic; below the program where there is none. */
function below(config: Config, topic: string): readonly HelpParagraph[] {
  const prefix = topic === '' ? '' : `${topic}:`
  const isChild = (id: string) => id.startsWith(prefix) && !id.slice(prefix.length).includes(':')
  const sorted = <Each>(all: readonly Each[], name: (each: Each) => string) =>
    all.filter((each) => isChild(name(each))).toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
  const hasChildren = ({ name }: Topic) => config.topics.some((each) => each.name.includes(`${name}:`))
  const topics = sorted(config.topics, ({ name }) => name).filter(hasChildren)
  const commands = sorted(config.commands, ({ id }) => id)
  const said = (text: string | undefined) => (text ? filledIn(firstLine(text), config) : null)
  return [
    ...listOf(
      'TOPICS',
      topics.map(({ name, description }): HelpRow => [inWords(name), said(description)]),
    ),
    ...listOf(
      'COMMANDS',
      commands.map(({ id, summary, description }): HelpRow => [inWords(id), said(summary ?? description)]),
    ),
  ]
}

function commandPage(command: Loadable, config: Config): HelpPage {
  const { id, summary, description, examples } = command
  const shown = [examples ?? []].flat().map((each) => exampleOf(each, config))
  return [
    ...(summary ? [{ text: filledIn(firstLine(summary), config) }] : []),
    { header: 'USAGE', lines: usagesOf(command, config.bin) },
    ...(shown.length > 0 ? [{ header: 'EXAMPLES', examples: shown }] : []),
    ...(description ? [{ header: 'DESCRIPTION', text: filledIn(description, config) }] : []),
    ...listOf('ARGUMENTS', argRows(command)),
    ...flagParagraphs(command, config.bin),
    ...below(config, id),
  ]
}

function topicPage({ name, description = '' }: Topic, config: Config): HelpPage {
  return [
    { text: filledIn(firstLine(description), config) },
    { header: 'USAGE', lines: [`${config.bin} ${inWords(name)} <command>`] },
    ...below(config, name),
  ]
}

/** The flags that every command has, each once. */
function globalFlags({ commands }: Config): readonly NamedFlag[] {
  const all = commands.flatMap((command) => shownFlags(command).filter(isGlobal))
  return [...new Map(all.map((flag) => [flag[0], flag])).values()]
}

/**
 * The page of a command or a topic, such as `payout:create`, of the flags of all commands (`flags`), or of the program ('').
 * Throws where there is none.
 */
export function helpPageOf(config: Config, id: string): HelpPage {
  if (id === '') return frontPage(config.bin, firstLine(config.pjson.description ?? ''), below(config, ''))
  const command = config.findCommand(id)
  if (command) return commandPage(command, config)
  if (id === globalFlagsPage) {
    return [
      { text: globalFlagsSaid },
      { header: `${globalGroup} FLAGS`, rows: flagRows(globalFlags(config)) },
      { header: 'VARIABLES', rows: variableRows },
    ]
  }
  return topicPage(config.findTopic(id, { must: true }), config)
}

/** Commands as data, for programs that ask for help in JSON. */
export type Described = ResultOf<typeof describedResult>

function describeFlags(flags: readonly NamedFlag[]): Described['flags'] {
  return flags.map(([name, flag]) => ({
    name,
    char: flag.char ?? null,
    takesValue: flag.type === 'option',
    required: flag.required ?? false,
    repeats: flag.type === 'option' && flag.multiple === true,
    everywhere: isGlobal([name, flag]),
    options: flag.type === 'option' ? (flag.options ?? null) : null,
    description: flag.description ?? null,
  }))
}

function describeCommand(command: Loadable, config: Config): Described {
  return {
    command: inWords(command.id),
    summary: command.summary ?? null,
    description: command.description === undefined ? null : filledIn(command.description, config),
    args: Object.values(command.args ?? {}).map(({ name, required, options, description }) => ({
      name,
      required: required ?? false,
      options: options ?? null,
      description: description ?? null,
    })),
    flags: describeFlags(shownFlags(command)),
    examples: [command.examples ?? []].flat().map((each) => exampleOf(each, config).line),
  }
}

/** The command of these words, or all commands below them; null if there are none. */
export function describe(config: Config, words: readonly string[]): Described | Described[] | null {
  const id = words.join(':')
  if (id === globalFlagsPage) {
    const none = { description: null, args: [], examples: [] }
    const flags = describeFlags(globalFlags(config))
    return { command: `help ${globalFlagsPage}`, summary: globalFlagsSaid, ...none, flags }
  }
  const command = config.findCommand(id)
  if (command) return describeCommand(command, config)
  const below = config.commands.filter((each) => id === '' || each.id.startsWith(`${id}:`))
  const sorted = below.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return sorted.length > 0 ? sorted.map((each) => describeCommand(each, config)) : null
}
