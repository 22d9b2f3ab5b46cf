/**
 * Help of every command, topic and of the program, as the build made it: what stands where, and that it fits its
 * terminal.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { drawHelp, type HelpPage, shellLine } from '../../../../src/lib/cli/help/draw.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const widths = [40, 80, 200]

const read = (...path: string[]) => JSON.parse(readFileSync(join(root, 'dist', ...path), 'utf8'))
const commands: readonly string[] = read('listing.json').commands
const topics = new Set(
  commands.flatMap((id) =>
    id
      .split(':')
      .slice(0, -1)
      .map((_, at, all) => all.slice(0, at + 1).join(':')),
  ),
)
const builtPage = (id: string): HelpPage => read(`${['help', ...id.split(':')].filter(Boolean).join('/')}.json`)
const front = builtPage('')

const draw = (page: HelpPage, width = 80, coloured = false) =>
  drawHelp(page, { width, coloured, agent: 'paydesk/1.2.3 linux-x64 node-v20.19.0', goesOn: '\\' })
const headersOf = (page: HelpPage) => page.flatMap((each) => ('header' in each ? [each.header] : []))
const ids = ['', 'flags', ...topics, ...commands]

test.each(widths)('every page fits %i columns, but for a word of a command line that is longer', (width) => {
  for (const id of ids) {
    const long = draw(builtPage(id), width)
      .split('\n')
      .filter((line) => line.length > width)
    expect(
      long.filter((line) => !/^ {2,6}(?:"[^"]*"|'[^']*'|\$\([^)]*\)|\S)+(?: \\)?$/.test(line)),
      id,
    ).toEqual([])
  }
})

test('every command: examples, then its own flags in groups, then those of all commands in a line', () => {
  for (const id of commands) {
    const page = builtPage(id)
    const headers = headersOf(page)
    expect(headers.slice(0, 2)).toEqual(['USAGE', 'EXAMPLES'])
    expect(headers.at(-1)).toBe('GLOBAL FLAGS')
    const own = headers.filter((header) => /FLAGS$/.test(header))
    expect(new Set(own).size).toBe(own.length)
    const last = draw(page.slice(-1), 200).split('\n')
    expect(last[1]).toMatch(/^ {2}(-\w\/)?--[\w-]+(, (-\w\/)?--[\w-]+)+$/)
    expect(last[2]).toBe('  (explained by: paydesk help flags)')
    expect(draw(page)).toMatch(new RegExp(`^ {2}paydesk ${id.replaceAll(':', ' ')}( |$)`, 'm'))
  }
})

describe('the program', () => {
  test('examples first, tasks before topics', () => {
    const headers = headersOf(front)
    expect(headers[0]).toBe('EXAMPLES')
    expect(
      headers.slice(1, headers.indexOf('TOPICS')).every((header) => /^(PAY|LOOK UP|WHEN |SET UP)/.test(header)),
    ).toBe(true)
    expect(headers.slice(headers.indexOf('TOPICS'))).toEqual(['TOPICS', 'COMMANDS', 'MORE HELP', 'VERSION'])
  })

  test('every task is one of a command that there is', () => {
    const rows = front.flatMap((each) =>
      'header' in each && /^(PAY|LOOK UP|WHEN |SET UP)/.test(each.header) && 'rows' in each ? each.rows : [],
    )
    expect(rows.length).toBeGreaterThan(10)
    for (const [name, said] of rows) {
      const named = [name, ...(said ?? '').matchAll(/`([a-z ]+)`/g)].map((each) =>
        typeof each === 'string' ? each : (each[1] ?? ''),
      )
      for (const each of named) expect(commands).toContain(each.replaceAll(' ', ':'))
    }
  })

  test('speaks of no area of the specification', () => {
    expect(draw(front)).not.toMatch(/\barea [A-D]\b|\([A-D]\d?\)/)
  })

  test('names every topic and every command that stands in none', () => {
    const named = front.flatMap((each) => ('rows' in each ? each.rows.map(([name]) => name) : []))
    const tops = [...topics].filter((topic) => !topic.includes(':'))
    for (const each of [...tops, ...commands.filter((id) => !id.includes(':'))]) expect(named).toContain(each)
  })
})

test('colours add nothing but colour', () => {
  const page = builtPage('payout:create')
  const [coloured, esc] = [draw(page, 80, true), String.fromCharCode(27)]
  expect(coloured).toContain('\u001B[1mUSAGE\u001B[22m')
  expect(coloured.replaceAll(new RegExp(`${esc}\\[\\d+m`, 'g'), '')).toBe(draw(page, 80))
})

test('names stand below each other, with a letter or without one', () => {
  const own = builtPage('batch:status').filter((each) => 'header' in each && each.header === 'FLAGS')
  const columns = [...draw(own).matchAll(/^ +(?:-\w, )?--/gm)].map(([all]) => all.indexOf('--'))
  expect(columns).toEqual([6, 6])
})

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

interface Listed {
  readonly commands: Readonly<
    Record<string, { readonly examples?: readonly (string | { readonly command: string })[] }>
  >
}

const { commands: listed }: Listed = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
const examples = Object.values(listed)
  .flatMap(({ examples = [] }) => examples)
  .map((each) => (typeof each === 'string' ? each : each.command).replaceAll('<%= config.bin %>', 'paydesk'))

/** The words that a shell makes of each text: paydesk, and what else stands in front of a line, tell their words. */
function wordsOf(lines: readonly string[]): string {
  const told =
    'tell() { printf "<%s>" "$@"; echo; }; paydesk() { tell "$@" >&3; }; pass() { tell "$@"; }; umask() { :; }\n'
  const script = `${told}cd "$(mktemp -d)"; touch envelope.json answer.json order.json\n${lines.join('\necho "--" >&3\n')}\n`
  return execFileSync('bash', ['-c', `exec 3>&1 1>/dev/null\n${script}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

describe.each([40, 80])('in %i columns', (columns) => {
  const plain = examples.filter((line) => !/[<>|`]|\$\(/.test(line))

  test('every example is the same command', () => {
    expect(plain.length).toBeGreaterThan(150)
    expect(wordsOf(plain.map((line) => shellLine(line, columns, '\\')))).toBe(wordsOf(plain))
  })

  test('no line is longer, but for one word', () => {
    const rows = examples.flatMap((line) => shellLine(line, columns, '\\').split('\n'))
    for (const row of rows.filter((each) => each.length > columns))
      expect(row.replace(/ \\$/, '').trim(), row).toMatch(/^(?:"[^"]*"|'[^']*'|\$\([^)]*\)|\S)+$/)
  })
})

test('any words, quoted as shells want them, come through', () => {
  const word = fc.stringMatching(/^[a-z0-9 $\\"'=;|<>-]{0,20}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.integer({ min: 20, max: 80 }), (words, columns) => {
      const line = `paydesk ${words.map((each) => `'${each.replaceAll("'", `'\\''`)}'`).join(' ')}`
      expect(wordsOf([shellLine(line, columns, '\\')])).toBe(`${words.map((each) => `<${each}>`).join('')}\n`)
    }),
    { numRuns: 40 },
  )
})
