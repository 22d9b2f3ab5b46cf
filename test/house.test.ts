/** The rules of the house, executed: the allowed imports, the places of things, and both sides of every operation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../src/lib/contract/core/field.ts'
import { firstVersions, operations } from '../src/lib/contract/operations.ts'
import { signInRoute } from '../src/lib/sandbox/access/sign-in.ts'
import { rooms } from '../src/lib/sandbox/sandbox.ts'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

function importsOf(file: string): { readonly from: string }[] {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(/(?:import|export)\s+(?:type\s+)?(?:[^'"();]*?\s+from\s+)?'([^']+)'/g)
  const lazy = text.matchAll(/import\('([^']+)'\)/g)
  return [...[...statements].map(([, from = '']) => ({ from })), ...[...lazy].map(([, from = '']) => ({ from }))]
}

const files = filesBelow(source).filter((file) => file.endsWith('.ts'))
const name = (file: string) => relative(source, file)

/** The part of the house a file belongs to: a folder of lib, a single file of lib, or the commands. */
function partOf(file: string): string {
  const [first = '', second = ''] = name(file).split('/')
  return first === 'lib' ? second : first
}

const everywhere = [
  ...['failure.ts', 'hint.ts', 'shell-word.ts', 'edge.ts', 'backoff.ts', 'json.ts', 'result.ts', 'readable-file.ts'],
  ...['failure-before-sending.ts', 'ends.ts', 'limits.ts', 'private-directory.ts', 'nearest.ts', 'visible.ts'],
  'person-name.ts',
  'bounded.ts',
]

/** The allowed imports. */
const neighbours: Readonly<Record<string, readonly string[]>> = {
  'failure.ts': [],
  'failure-before-sending.ts': [],
  'hint.ts': [],
  'shell-word.ts': [],
  'ends.ts': [],
  'limits.ts': [],
  'nearest.ts': [],
  'person-name.ts': [],
  'visible.ts': [],
  'edge.ts': [],
  'backoff.ts': [],
  'json.ts': ['contract'],
  'result.ts': ['contract'],
  'home.ts': [],
  'readable-file.ts': [],
  'private-directory.ts': [],
  'signals.ts': [],
  'bounded.ts': [],
  contract: [],
  envelope: ['contract'],
  client: ['contract', 'envelope', 'http', 'redact.ts'],
  http: [],
  store: ['contract'],
  'redact.ts': ['contract'],
  'spending.ts': ['contract'],
  journal: ['approvals', 'contract', 'spending.ts', 'store', 'signals.ts'],
  approvals: ['contract', 'spending.ts', 'store'],
  profile: ['contract', 'envelope', 'http', 'spending.ts', 'store', 'home.ts'],
  desk: ['approvals', 'client', 'contract', 'envelope', 'http', 'journal', 'profile', 'redact.ts', 'signals.ts'],
  listing: ['callback', 'contract', 'desk', 'journal'],
  sandbox: ['client', 'contract', 'envelope', 'http', 'store'],
  batch: ['approvals', 'client', 'contract', 'desk', 'http', 'journal', 'profile', 'spending.ts', 'store'],
  dashboard: ['http'],
  fleet: ['batch', 'contract', 'desk', 'http', 'journal', 'store'],
  callback: ['client', 'contract', 'envelope', 'http', 'store', 'redact.ts'],
  cli: [
    'batch',
    'contract',
    'desk',
    'callback',
    'dashboard',
    'envelope',
    'fleet',
    'approvals',
    'client',
    'http',
    'journal',
    'listing',
    'profile',
    'spending.ts',
    'store',
    'sandbox',
    'redact.ts',
    'home.ts',
    'signals.ts',
  ],
  commands: [
    'approvals',
    'cli',
    'approvals',
    'batch',
    'callback',
    'contract',
    'dashboard',
    'desk',
    'envelope',
    'fleet',
    'journal',
    'listing',
    'profile',
    'sandbox',
  ],
  'main.ts': ['signals.ts', 'home.ts', 'cli'],
}

describe('allowed imports', () => {
  test('house: every file imports only its neighbours', () => {
    const wrong = files.flatMap((file) => {
      const part = partOf(file)
      const allowed = neighbours[part]
      if (allowed === undefined) return [`${part} has no line in the table of neighbours`]
      return importsOf(file)
        .filter(({ from }) => from.startsWith('.'))
        .filter(({ from }) => ![part, ...everywhere, ...allowed].includes(partOf(resolve(dirname(file), from))))
        .map(({ from }) => `${name(file)} imports ${from}`)
    })
    expect(wrong).toEqual([])
  })

  test('the desk and the sandbox meet in contract and client only', () => {
    const crossing = files.flatMap((file) => {
      const part = partOf(file)
      const foreign = part === 'desk' ? '/sandbox/' : part === 'sandbox' ? '/desk/' : null
      return foreign ? importsOf(file).filter(({ from }) => from.includes(foreign)) : []
    })
    expect(crossing).toEqual([])
  })
})

/**
 * The sandbox inside. Its core knows no room: time, events, routes and pages are handed in by `sandbox.ts`, which puts the
 * rooms together. Behind each room stand the other rooms that it may know.
 */
const sandboxRooms: Readonly<Record<string, readonly string[]>> = {
  payouts: [],
  cards: [],
  users: [],
  wallet: [],
  openapi: [],
  sample: ['payouts'],
  orders: ['cards'],
  subscriptions: ['orders', 'cards'],
  callbacks: ['orders'],
  checkout: ['orders', 'cards'],
  trigger: ['orders', 'subscriptions', 'callbacks'],
  window: ['payouts', 'orders', 'wallet', 'cards', 'subscriptions', 'checkout', 'trigger'],
  scenarios: ['sandbox.ts', 'trigger', 'callbacks'],
  running: ['sandbox.ts', 'callbacks', 'window'],
}

const sandboxCore = [
  ...['service.ts', 'room.ts', 'routes.ts', 'handler.ts', 'shape.ts', 'events.ts', 'switches.ts'],
  ...['server', 'access', 'world', 'clock', 'faults', 'log', 'ledger'],
]

describe('allowed imports inside the sandbox', () => {
  const home = join(source, 'lib/sandbox')
  const inside = filesBelow(home).filter((file) => file.endsWith('.ts'))
  const roomOf = (file: string) => relative(home, file).split('/')[0] ?? ''

  test('house: every file of the sandbox imports its core and the rooms that its own room may know', () => {
    const wrong = inside.flatMap((file) => {
      const own = roomOf(file)
      if (['sandbox.ts', 'result.ts'].includes(own)) return []
      const known = [own, ...sandboxCore, ...(sandboxRooms[own] ?? [])]
      if (![...sandboxCore, ...Object.keys(sandboxRooms)].includes(own)) return [`${own} is neither core nor a room`]
      return importsOf(file)
        .map(({ from }) => resolve(dirname(file), from))
        .filter((other) => other.startsWith(`${home}/`) && !known.includes(roomOf(other)))
        .map((other) => `${relative(home, file)} imports ${relative(home, other)}`)
    })
    expect(wrong).toEqual([])
  })

  test('only rooms that stand on the whole sandbox know sandbox.ts', () => {
    const knowing = Object.entries(sandboxRooms).filter(([, others]) => others.includes('sandbox.ts'))
    const known = new Set(Object.values(sandboxRooms).flat())
    expect(knowing.filter(([room]) => known.has(room))).toEqual([])
  })
})

describe('each package has one home', () => {
  const homes: readonly (readonly [string, RegExp])[] = [
    ['@oclif/core', /^(commands\/|main\.ts|lib\/cli\/)/],
    ['undici', /^lib\/http\//],
    ['kysely', /^lib\/store\//],
    ['pg-boss', /^lib\/store\/team\//],
    ['prom-client', /^lib\/fleet\/metrics\.ts$/],
    ['@photostructure/sqlite', /^lib\/store\//],
    ['conf', /^lib\/profile\//],
    ['@napi-rs/keyring', /^lib\/profile\//],
    ['write-file-atomic', /^lib\/profile\//],
    ['inquirer', /^lib\/cli\//],
    ['chalk', /^lib\/cli\//],
    ['cli-table3', /^lib\/cli\//],
    ['uqr', /^lib\/cli\/output\/view\.ts$/],
    ['open', /^lib\/cli\/write\/checkout\.ts$/],
    ['hono', /^lib\/(sandbox|callback|dashboard|batch\/reports|listing)\//],
    ['@hono/node-server', /^lib\/(sandbox|callback)\//],
    ['standardwebhooks', /^lib\/callback\//],
    ['node-forge', /^lib\/(envelope|sandbox\/running)\//],
    ['csv-parse', /^lib\/batch\/read\/csv\.ts$/],
    ['fflate', /^lib\/(batch\/read\/xlsx|sandbox\/sample)\//],
    ['saxes', /^lib\/batch\/read\//],
    ['lossless-json', /^lib\/(wire\/)?json\.ts$/],
  ]

  test.each(homes)('%s is imported in its home only', (library, home) => {
    const users = files.filter((file) =>
      importsOf(file).some(({ from }) => from === library || from.startsWith(`${library}/`)),
    )
    expect(users.length).toBeGreaterThan(0)
    for (const file of users) expect(name(file)).toMatch(home)
  })

  test('the contract imports zod and nothing else from outside', () => {
    const outside = files
      .filter((file) => partOf(file) === 'contract')
      .flatMap((file) => importsOf(file).map(({ from }) => from))
      .filter((from) => !from.startsWith('.'))
    expect([...new Set(outside)]).toEqual(['zod'])
  })
})

describe('code that stands nowhere', () => {
  test.each([
    ['console', /\bconsole\./],
    ['any', /[:<,|]\s*any\b|\bas any\b/],
    ['TODO', /\b(TODO|FIXME|XXX)\b/],
    ['parseFloat', /\bparseFloat\(/],
    ['a suppressed type error', /@ts-(ignore|nocheck|expect-error)/],
  ])('%s', (_what, pattern) => {
    // Comments may speak of it: only code counts.
    const code = (file: string) => readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    expect(files.filter((file) => pattern.test(code(file))).map(name)).toEqual([])
  })

  test('process.exit, but where a second signal ends the process', () => {
    const code = (file: string) => readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    expect(files.filter((file) => /\bprocess\.exit\(/.test(code(file))).map(name)).toEqual(['lib/edge.ts'])
  })

  test('folders that say nothing', () => {
    const banned = /\/(utils?|helpers?|common|types|constants|services)(\/|\.ts$)|\/index\.ts$/
    expect(files.map((file) => `/${name(file)}`).filter((path) => banned.test(path))).toEqual([])
  })

  test('the clock, chance and the environment away from the edge', () => {
    const reading = /\bDate\.now\(|\bMath\.random\(|\brandomUUID\(|\bprocess\.env\b|new Date\(\)/
    const readers = files.filter((file) =>
      reading.test(readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
    )
    expect(readers.map(name)).toEqual(['lib/edge.ts'])
  })
})

describe('both sides exist', () => {
  const routed = [signInRoute, ...rooms.flatMap(({ routes = [] }) => routes)].map(([operation]) => operation)

  test('house: every operation has one route in the sandbox (src/lib/sandbox/<room>/)', () => {
    const wrong = operations.filter((each) => routed.filter((operation) => operation === each).length !== 1)
    expect(wrong.map((operation) => operation.name)).toEqual([])
  })

  test('the sandbox serves nothing that the contract does not know', () => {
    const known = [...operations, ...firstVersions]
    expect(routed.filter((operation) => !known.includes(operation))).toEqual([])
  })

  test('house: the sandbox serves the first version of every operation that has one', () => {
    expect(firstVersions.filter((operation) => !routed.includes(operation))).toEqual([])
  })

  test('house: every field of every operation has a help text', () => {
    const fields = operations.flatMap((operation) =>
      fieldsOf(operation.request).map((field) => [operation.name, field.name, field.help] as const),
    )
    expect(fields.filter(([, , help]) => help === '')).toEqual([])
  })

  const commands = files.filter((file) => partOf(file) === 'commands').map(name)

  test('house: every command has a test at the same path', () => {
    const tested = (command: string) => existsSync(join(root, 'test', command.replace(/\.ts$/, '.test.ts')))
    expect(commands.filter((command) => !tested(command))).toEqual([])
  })

  test('house: every command is short: parse, one call, view', () => {
    const lines = (command: string) => readFileSync(join(source, command), 'utf8').split('\n').length
    expect(commands.filter((command) => lines(command) >= 115)).toEqual([])
  })
})

/** The files of a circle of imports, types included; null where there is none. */
function circleIn(start: readonly string[]): readonly string[] | null {
  const done = new Set<string>()
  const follow = (file: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file].map(name)
    if (done.has(file)) return null
    const next = importsOf(file).filter(({ from }) => from.startsWith('.'))
    for (const { from } of next) {
      const circle = follow(resolve(dirname(file), from), [...way, file])
      if (circle) return circle
    }
    done.add(file)
    return null
  }
  for (const file of start) {
    const circle = follow(file, [])
    if (circle) return circle
  }
  return null
}

test('no files import each other in a circle', () => {
  expect(circleIn(files)).toBeNull()
})
