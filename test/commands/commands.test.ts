import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newHome, paydesk } from '../kit/program.ts'

interface Listed {
  readonly command: string
  readonly summary: string
  readonly description: string | null
  readonly args: readonly { readonly name: string; readonly required: boolean; readonly options: string[] | null }[]
  readonly flags: readonly {
    readonly name: string
    readonly takesValue: boolean
    readonly repeats: boolean
    readonly everywhere: boolean
  }[]
  readonly examples: readonly string[]
}

const home = newHome()

const below = join(import.meta.dirname, '..', '..', 'src', 'commands')
const onDisk = readdirSync(below, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, '').replaceAll(/[/\\]/g, ' '))

async function listed(): Promise<readonly Listed[]> {
  const ended = await paydesk(['commands', '--json'], { home })
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(ended.stdout) as Listed[]
}

test('commands --json: every command stands once, in order, with a summary and the global flags', async () => {
  const commands = await listed()
  expect(commands.map(({ command }) => command)).toEqual(onDisk.toSorted())
  for (const { command, summary, flags } of commands) {
    expect(summary, command).toMatch(/\S/)
    const everywhere = flags.filter((flag) => flag.everywhere).map(({ name }) => name)
    expect(everywhere, command).toEqual(expect.arrayContaining(['profile', 'json', 'fields', 'no-input']))
  }
})

test('commands --json: arguments with their choices, flags and examples of a command are listed', async () => {
  const commands = await listed()
  const named = (words: string) => commands.find(({ command }) => command === words)
  expect(named('payout get')?.args).toMatchObject([{ name: 'id', required: true, options: null }])
  expect(named('completion')?.args).toMatchObject([{ options: ['bash', 'zsh', 'fish', 'powershell'] }])
  expect(named('profile add')?.flags).toContainEqual(
    expect.objectContaining({ name: 'limit', takesValue: true, repeats: true, everywhere: false }),
  )
  expect(named('payout list')?.examples).toContainEqual(expect.stringMatching(/^paydesk payout list /))
  expect(JSON.stringify(commands)).not.toContain('config.bin')
})

test.each([80, 200])('commands at %d columns: every command with its arguments, no line is wider', async (columns) => {
  const { stdout } = await paydesk(['commands'], { home, terminal: true, columns })
  for (const words of onDisk) expect(stdout).toMatch(new RegExp(`(?:^|  )${words}(?: |$)`, 'm'))
  expect(stdout).toContain('payout get <id>')
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns)
})

test('commands --output csv --fields: there is one row for each command with exactly these fields', async () => {
  const { stdout } = await paydesk(['commands', '--output', 'csv', '--fields', 'command,summary'], { home })
  const [head, ...rows] = stdout.trimEnd().split('\n')
  expect(head).toBe('command,summary')
  expect(rows).toHaveLength(onDisk.length)
})
