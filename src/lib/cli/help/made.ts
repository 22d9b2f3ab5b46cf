/** Pages of help, made of what oclif knows of the commands: when the program is built, and by `help` itself. */
import type { Command, Config } from '@oclif/core'
import { argNames, argRows, flagNames, flagRows, globalGroup, type NamedFlag } from './flag-rows.ts'
import { frontPage } from './front.ts'
import {
  globalFlagsPage,
  globalFlagsSaid,
  type HelpExample,
  type HelpPage,
  type HelpParagraph,
  type HelpRow,
} from './page.ts'
import { variableRows } from './variables.ts'

type Loadable = Config['commands'][number]
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
  return told.map((line) => `${bin} ${line}`.trim())
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

/** Of the flags that every command has. */
function flagsPage(config: Config): HelpPage {
  const all = config.commands.flatMap((command) => shownFlags(command).filter(isGlobal))
  const each = [...new Map(all.map((flag) => [flag[0], flag])).values()]
  return [
    { text: globalFlagsSaid },
    { header: `${globalGroup} FLAGS`, rows: flagRows(each) },
    { header: 'VARIABLES', rows: variableRows },
  ]
}

/**
 * The page of a command or a topic, such as `payout:create`, of the flags of all commands (`flags`), or of the program ('').
 * Throws where there is none.
 */
export function helpPageOf(config: Config, id: string): HelpPage {
  if (id === '') return frontPage(config.bin, firstLine(config.pjson.description ?? ''), below(config, ''))
  const command = config.findCommand(id)
  if (command) return commandPage(command, config)
  if (id === globalFlagsPage) return flagsPage(config)
  return topicPage(config.findTopic(id, { must: true }), config)
}
