/** Commands and flags that hints and texts name exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, Interfaces } from '@oclif/core'
import { type ESTree, parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { codesOf } from '../src/lib/contract/codes/code-book.ts'
import { orderStatuses } from '../src/lib/contract/order/status.ts'
import { payoutStatuses } from '../src/lib/contract/payout/status.ts'
import type { StatusFacts } from '../src/lib/contract/status.ts'
import { walletResults } from '../src/lib/contract/wallet/status.ts'
import { hintInWords } from '../src/lib/hint.ts'

type Flag = Interfaces.Flag<unknown>
type CommandClass = Pick<typeof Command, 'flags' | 'baseFlags'>

const root = join(import.meta.dirname, '..')
const below = join(root, 'src', 'commands')

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
}

/** Every command by its words, with its flags by their names. */
const commands = new Map<string, ReadonlyMap<string, Flag>>()
for (const file of sourcesIn(below)) {
  const { default: command } = (await import(join(below, file))) as { default: CommandClass }
  const flags = Object.entries({ ...command.baseFlags, ...command.flags }) as [string, Flag][]
  commands.set(file.replace(/\.ts$/, '').replaceAll(/[/\\]/g, ' '), new Map([...flags, ['help', {} as Flag]]))
}

const everyFlag = new Map([...commands.values()].flatMap((flags) => [...flags]))

/** The complaints about the flags in a text. */
function complaints(text: string, flags: ReadonlyMap<string, Flag>): string[] {
  return [...text.matchAll(/--(no-)?([a-z][a-z-]*)(?:[ =](true|false)\b)?/g)].flatMap(([typed, no, name, value]) => {
    const flag = flags.get(`${no ?? ''}${name}`) ?? flags.get(String(name))
    const isSwitch = flag?.type === 'boolean'
    return !flag || (isSwitch && value !== undefined) ? [`${typed}: ${text}`] : []
  })
}

/** The command that a line begins with; null where there is none. */
function commandIn(line: string): string | null {
  const words = line.split(' ')
  const lengths = [3, 2, 1].map((length) => words.slice(0, length).join(' '))
  return lengths.find((name) => commands.has(name)) ?? null
}

/** The complaints about the commands in a text. */
function misnamed(text: string): string[] {
  return [...text.matchAll(/`paydesk ([\w-][^`]*)`/g)].flatMap(([, line = '']) => {
    // `x` stands for a command that the program has looked up itself.
    if (line.startsWith('--') || line === 'x') return []
    const name = commandIn(line)
    return name === null ? [`no command: ${line}`] : complaints(line, commands.get(name) ?? new Map())
  })
}

test('the flags and commands that a code of the service leads to exist, and no field stands for its flag', () => {
  const codes = [...codesOf('A').values(), ...codesOf('B').values()]
  const statuses: StatusFacts[] = [orderStatuses, payoutStatuses, walletResults].flatMap((each) => Object.values(each))
  const texts = [...codes, ...statuses].flatMap(({ next }) => (next === null ? [] : hintInWords(next)))
  const wrong = texts.flatMap((text) => [...complaints(text, everyFlag), ...misnamed(text)])
  const fields = texts.filter((text) => /\b(splitDetails|refundDetails|orderProperties|subscriptionPlan)\b/.test(text))
  expect([...wrong, ...fields]).toEqual([])
})

test('every command that a text of the program names exists, with the flags it is named with', () => {
  const sources = sourcesIn(join(root, 'src')).map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  // As the text is read: escaped backticks of templates are backticks, and what is filled in stands for one word.
  const read = sources.map((source) =>
    source
      .replaceAll('\\`', '`')
      .replaceAll(/--\$\{[^{}]*\}/g, '')
      .replaceAll(/\$\{[^{}]*\}/g, 'x'),
  )
  expect(read.flatMap(misnamed)).toEqual([])
})

function nodesIn(value: unknown): ESTree.Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') return []
  return [value as ESTree.Node, ...Object.values(value).flatMap(nodesIn)]
}

const nodesOf = (file: string) => nodesIn(parseSync(file, readFileSync(join(root, 'src', file), 'utf8')).program)

/** The lines to paste that a source makes, as `paste(…)` has them: the command, and the literal arguments behind it. */
function linesIn(file: string) {
  return nodesOf(file).flatMap((node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'paste') return []
    // Any other first argument is a command that the program has looked up itself.
    if (node.arguments[0]?.type !== 'Literal') return []
    const [command, ...args] = node.arguments.map((each) => (each.type === 'Literal' ? String(each.value) : ''))
    return [{ command: command ?? '', args }]
  })
}

/** The hints of a source whose text holds a command: it would be pasted without its profile. */
function commandsInText(file: string): string[] {
  return nodesOf(file).flatMap((node) => {
    if (node.type !== 'TaggedTemplateExpression' || node.tag.type !== 'Identifier' || node.tag.name !== 'hint')
      return []
    const texts = node.quasi.quasis.map(({ value }) => value.cooked ?? '')
    return texts.filter((text) => /paydesk [a-z]/.test(text)).map((text) => `${file}: ${text}`)
  })
}

test('every line to paste is of a command that exists, with flags that it has', () => {
  const lines = sourcesIn(join(root, 'src')).flatMap(linesIn)
  const wrong = lines.flatMap(({ command, args }) => {
    const flags = commands.get(command)
    return flags ? complaints(args.join(' '), new Map([...flags, ['p', {} as Flag]])) : [`no command: ${command}`]
  })
  expect(wrong).toEqual([])
  expect(lines.length).toBeGreaterThan(50)
})

test('no hint has a command in its text, where neither quoting nor profile would reach it', () => {
  expect(sourcesIn(join(root, 'src')).flatMap(commandsInText)).toEqual([])
})
