/**
 * The rules of the house (`npm run house`): who may import whom, no two folders that import each other, no file that is too small or too
 * large. Prints the sizes of the folders, largest first.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..', 'src')

interface Source {
  readonly path: string
  readonly text: string
  readonly lines: number
  /** Paths below src, and names of packages. */
  readonly imports: readonly string[]
}

const files: readonly Source[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(source, path), 'utf8')
    const named = [...text.matchAll(/(?:\bfrom |\bimport\(|^import )'([^']+)'/gm)].map(([, from = '']) => from)
    const imports = named.map((from) => (from.startsWith('.') ? normalize(join(dirname(path), from)) : from))
    return { path, text, lines: text.split('\n').length - 1, imports }
  })

/** The part of the house that a file belongs to: a folder or a file of lib, or the commands. */
function partOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'lib' ? second : first
}

/** Files beside the folders of lib that every part may import. */
const everywhere = [
  ...['backoff.ts', 'edge.ts', 'failure.ts', 'hint.ts', 'html.ts', 'json.ts', 'nearest.ts', 'paths.ts'],
  ...['redact.ts', 'result.ts', 'signals.ts', 'spending.ts', 'text.ts'],
]

/** The parts that each part may import besides. All but http may import the contract. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  envelope: [],
  http: [],
  store: [],
  client: ['envelope', 'http'],
  approvals: ['store'],
  journal: ['approvals', 'store'],
  profile: ['envelope', 'http', 'store'],
  desk: ['approvals', 'client', 'envelope', 'http', 'journal', 'profile'],
  callback: ['client', 'envelope', 'http', 'profile', 'store'],
  reconcile: ['batch', 'journal'],
  listing: ['callback', 'desk', 'journal', 'profile', 'store'],
  batch: ['approvals', 'client', 'desk', 'http', 'journal', 'profile', 'store'],
  fleet: ['batch', 'desk', 'http', 'journal', 'profile', 'store'],
  dashboard: ['batch', 'fleet', 'http', 'journal'],
  sandbox: ['client', 'envelope', 'http', 'store'],
}

/** The commands, the command line and what starts them may import everything. */
const outermost = ['cli', 'commands', 'main.ts']

test('house: every part imports only what it may', () => {
  const wrong = files.flatMap(({ path, imports }) => {
    const part = partOf(path)
    if (outermost.includes(part)) return []
    const own = part === 'http' ? [] : ['contract']
    const may = [part, ...everywhere, ...own, ...(allowed[part] ?? [])]
    const inside = imports.filter((other) => other.startsWith('lib/') || outermost.includes(partOf(other)))
    return inside.filter((other) => !may.includes(partOf(other))).map((other) => `${path} imports ${other}`)
  })
  expect(wrong).toEqual([])
})

test.each([
  ['@oclif/core', /^(commands\/|main\.ts|lib\/cli\/)/],
  ['undici', /^lib\/http\//],
  ['kysely', /^lib\/store\//],
] as const)('house: %s is imported in its home only', (library, home) => {
  const users = files.filter(({ imports }) =>
    imports.some((each) => each === library || each.startsWith(`${library}/`)),
  )
  expect(users.length).toBeGreaterThan(0)
  expect(users.filter(({ path }) => !home.test(path)).map(({ path }) => path)).toEqual([])
})

/** The two folders below the one in which the paths part ways; null where one path lies in the folder of the other. */
function foldersApart(one: string, other: string): readonly [string, string] | null {
  const [left, right] = [dirname(one).split('/'), dirname(other).split('/')]
  const at = left.findIndex((folder, depth) => folder !== right[depth])
  if (at < 0 || right[at] === undefined) return null
  return [left.slice(0, at + 1).join('/'), right.slice(0, at + 1).join('/')]
}

test('house: no two folders import each other, at any depth', () => {
  const ways = new Map<string, string>()
  for (const { path, imports } of files) {
    for (const other of imports.filter((each) => each.startsWith('lib/'))) {
      const apart = foldersApart(path, other)
      if (apart) ways.set(apart.join(' ↔ '), `${path} imports ${other}`)
    }
  }
  const both = [...ways.keys()].filter((way) => ways.has(way.split(' ↔ ').reverse().join(' ↔ ')))
  expect(both.map((way) => `${way}: ${ways.get(way)}`)).toEqual([])
})

/** A file this small belongs into its importer, unless it says at its top why it stands alone. */
const smallest = 25
const largest = 500

test(`house: no file has fewer than ${smallest} lines without a reason at its top, or more than ${largest}`, () => {
  const small = files.filter(
    ({ path, text, lines }) => lines < smallest && partOf(path) !== 'commands' && !text.startsWith('/**'),
  )
  const large = files.filter(({ lines }) => lines > largest)
  expect([...small, ...large].map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
})

test('house: sizes', () => {
  const parts = [...new Set(files.map(({ path }) => partOf(path)))]
  const sizes = parts.map((part) => {
    const within = files.filter(({ path }) => partOf(path) === part)
    return { part, files: within.length, lines: within.reduce((sum, { lines }) => sum + lines, 0) }
  })
  const all = { part: 'all', files: files.length, lines: sizes.reduce((sum, { lines }) => sum + lines, 0) }
  const rows = [all, ...sizes.toSorted((one, other) => other.lines - one.lines)]
  const drawn = rows.map(
    ({ part, files, lines }) => `${part.padEnd(26)} ${String(files).padStart(4)} files ${lines} lines`,
  )
  process.stdout.write(`${drawn.join('\n')}\n`)
  expect(all.files).toBeGreaterThan(0)
})
