/** A command line that is broken for a narrow terminal is still the same command: a shell says so. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { shellLine } from '../../../../src/lib/cli/help/shell-line.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

const root = join(import.meta.dirname, '..', '..', '..', '..')

interface Listed {
  readonly commands: Readonly<
    Record<string, { readonly examples?: readonly (string | { readonly command: string })[] }>
  >
}

const { commands }: Listed = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
const examples = Object.values(commands)
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
