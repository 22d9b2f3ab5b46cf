/** Pages of help, made of what oclif knows of the commands: when the program is built, and by `help` itself. */
import type { Command, Config } from '@oclif/core'
import { agentMark, type HelpExample, type HelpPage, type HelpParagraph, type HelpRow, type HelpUsage } from './page.ts'
import { underlined } from './wrap.ts'

type Loadable = Config['commands'][number]
type Flag = Loadable['flags'][string]
type Topic = Config['topics'][number]

/** A person's words for a command: "payout create". */
const inWords = (id: string) => id.replaceAll(':', ' ')

const filledIn = (text: string, config: Config) => text.normalize().replaceAll('<%= config.bin %>', config.bin)

const firstLine = (text: string) => text.split('\n')[0] ?? ''

function flagValue(flag: Flag): string {
  if (flag.type !== 'option') return ''
  const values = [flag.helpValue ?? (flag.options ? '<option>' : '<value>')].flat()
  const value = values.map((each) => `${each}${flag.multiple ? '...' : ''}`).join(' ')
  return `=${value.includes('|') ? value : `${underlined.from}${value}${underlined.to}`}`
}

function labelOf(name: string, flag: Flag): string {
  const long = flag.type === 'boolean' && flag.allowNo ? `--[no-]${name}` : `--${name}`
  return `${flag.char ? `-${flag.char}, ` : '    '}${long}${flagValue(flag)}`
}

function saidOf(flag: Flag): string {
  const text = flag.summary || flag.description || ''
  const usual = flag.type === 'option' && flag.default ? `[default: ${flag.default}] ` : ''
  const options = flag.type === 'option' && flag.options && !flag.helpValue ? flag.options.join('|') : null
  return `${flag.required ? '(required) ' : ''}${usual}${text}${options === null ? '' : `\n<options: ${options}>`}`.trim()
}

function flagRows(flags: readonly (readonly [string, Flag])[]): readonly HelpRow[] {
  const hasLetters = flags.some(([, { char }]) => char !== undefined)
  return flags.map(([name, flag]) => {
    const label = labelOf(name, flag)
    return [hasLetters ? label : label.replace('    ', ''), saidOf(flag) || null]
  })
}

/** Flags without a group first, then group by group as they come. */
function flagParagraphs(command: Loadable): readonly HelpParagraph[] {
  const groups = new Map<string, (readonly [string, Flag])[]>([['', []]])
  for (const [name, flag] of Object.entries(command.flags)) {
    if (flag.hidden) continue
    const group = flag.helpGroup ?? ''
    groups.set(group, [...(groups.get(group) ?? []), [name, flag]])
  }
  return [...groups]
    .filter(([, flags]) => flags.length > 0)
    .map(([group, flags]) => ({ header: `${group.toUpperCase()} FLAGS`.trim(), rows: flagRows(flags) }))
}

function argParagraphs({ args, strict }: Loadable): readonly HelpParagraph[] {
  const shown = Object.values(args).filter(({ hidden }) => !hidden)
  if (!shown.some(({ description }) => description)) return []
  const rows = shown.map(({ name, required, options, description = '' }): HelpRow => {
    const full = `${name.toUpperCase()}${strict === false ? '...' : ''}`
    const said = `${options ? `(${options.join('|')}) ` : ''}${description}`
    return [required ? full : `[${full}]`, said || null]
  })
  return [{ header: 'ARGUMENTS', rows }]
}

function descriptionOf({ summary, description }: Loadable): string | null {
  if (!description) return null
  return summary ? `${summary}\n\n${description}` : description
}

function exampleOf(example: Command.Example, config: Config): HelpExample {
  const shown = (line: string) => (line.startsWith(config.bin) ? `$ ${line}` : line)
  if (typeof example !== 'string') {
    return { said: filledIn(example.description, config), line: shown(filledIn(example.command, config)) }
  }
  return filledIn(example, config).split('\n').filter(Boolean).map(shown).join('\n')
}

function usagesOf({ id, args, usage }: Loadable, bin: string): readonly HelpUsage[] {
  const named = Object.values(args)
    .filter(({ hidden }) => !hidden)
    .map(({ name, required }) => (required ? name.toUpperCase() : `[${name.toUpperCase()}]`))
  const command = inWords(id)
  const told = usage === undefined ? [named.join(' ')] : [usage].flat()
  return told.map((line) => ({ bin, command, args: line.replace(command, '').trim() }))
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
  const { id, summary, examples } = command
  const description = descriptionOf(command)
  const shown = [examples ?? []].flat().map((each) => exampleOf(each, config))
  return [
    ...(summary ? [{ text: filledIn(firstLine(summary), config) }] : []),
    { header: 'USAGE', usages: usagesOf(command, config.bin) },
    ...argParagraphs(command),
    ...flagParagraphs(command),
    ...(description ? [{ header: 'DESCRIPTION', text: filledIn(description, config), wraps: true }] : []),
    ...(shown.length > 0 ? [{ header: 'EXAMPLES', examples: shown }] : []),
    ...below(config, id),
  ]
}

function topicPage({ name, description = '' }: Topic, config: Config): HelpPage {
  const line = `$ ${config.bin} ${inWords(name)} COMMAND`
  return [
    { text: filledIn(firstLine(description), config) },
    { header: 'USAGE', text: line, wraps: false },
    ...below(config, name),
  ]
}

function programPage(config: Config): HelpPage {
  return [
    { text: firstLine(config.pjson.description ?? '') },
    { header: 'VERSION', text: agentMark, wraps: true },
    { header: 'USAGE', text: `$ ${config.bin} [COMMAND]`, wraps: true },
    ...below(config, ''),
  ]
}

/** The page of a command or a topic, such as `payout:create`, or of the program (''). Throws where there is none. */
export function helpPageOf(config: Config, id: string): HelpPage {
  if (id === '') return programPage(config)
  const command = config.findCommand(id)
  if (command) return commandPage(command, config)
  return topicPage(config.findTopic(id, { must: true }), config)
}
