/** The rules of the house, executed: the allowed imports, the places of things, and both sides of every operation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../src/lib/contract/core/field.ts'
import { firstVersions, operations } from '../src/lib/contract/operations.ts'
import { signInRoute } from '../src/lib/sandbox/access/bearer.ts'
import { areas } from '../src/lib/sandbox/sandbox.ts'

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
  'html.ts',
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
  'html.ts': [],
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
 * The sandbox inside, folder by folder, a file beside them as one of its own: each imports only what stands behind it, and
 * what stands behind that. Two that import each other would be one.
 */
const insideSandbox: Readonly<Record<string, readonly string[]>> = {
  'shape.ts': [],
  'clock.ts': [],
  'ledger.ts': [],
  'faults.ts': ['shape.ts'],
  'handler.ts': ['accounts', 'log', 'shape.ts'],
  'routes.ts': ['handler.ts', 'shape.ts'],
  accounts: ['handler.ts', 'ledger.ts'],
  log: ['accounts', 'clock.ts', 'faults.ts', 'shape.ts'],
  access: ['accounts', 'handler.ts', 'log', 'shape.ts'],
  areas: ['access', 'accounts', 'clock.ts', 'handler.ts', 'ledger.ts', 'log', 'shape.ts'],
  callbacks: ['accounts', 'areas', 'clock.ts', 'handler.ts', 'ledger.ts'],
  'trigger.ts': ['areas', 'callbacks', 'handler.ts', 'ledger.ts'],
  'service.ts': ['access', 'accounts', 'clock.ts', 'faults.ts', 'handler.ts', 'log', 'routes.ts', 'shape.ts'],
  server: ['accounts', 'callbacks', 'faults.ts', 'log', 'routes.ts', 'sandbox.ts', 'service.ts', 'shape.ts'],
  'openapi.ts': ['server', 'service.ts'],
  checkout: ['accounts', 'areas', 'clock.ts', 'handler.ts', 'ledger.ts', 'server', 'service.ts'],
  console: [
    ...['accounts', 'areas', 'clock.ts', 'faults.ts', 'ledger.ts', 'log', 'server', 'service.ts'],
    'trigger.ts',
  ],
  'sample.ts': ['areas', 'faults.ts'],
  'result.ts': ['accounts', 'areas', 'callbacks'],
  'sandbox.ts': [
    ...['accounts', 'areas', 'callbacks', 'checkout', 'console', 'handler.ts', 'ledger.ts', 'openapi.ts', 'result.ts'],
    ...['server', 'service.ts', 'trigger.ts'],
  ],
}

test('house: every file of the sandbox imports only what its folder may', () => {
  const home = join(source, 'lib/sandbox')
  const folderOf = (file: string) => relative(home, file).split('/')[0] ?? ''
  const wrong = filesBelow(home)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const known = [folderOf(file), ...(insideSandbox[folderOf(file)] ?? [])]
      return importsOf(file)
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => resolve(dirname(file), from))
        .filter((other) => other.startsWith(`${home}/`) && !known.includes(folderOf(other)))
        .map((other) => `${relative(home, file)} imports ${relative(home, other)}`)
    })
  expect(wrong).toEqual([])
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
    ['hono', /^lib\/(html\.ts|(sandbox|callback|dashboard|batch\/reports|listing)\/)/],
    ['@hono/node-server', /^lib\/(sandbox|callback)\//],
    ['standardwebhooks', /^lib\/callback\//],
    ['node-forge', /^lib\/(envelope|sandbox\/server)\//],
    ['csv-parse', /^lib\/batch\/read\/csv\.ts$/],
    ['fflate', /^lib\/(batch\/read\/xlsx\/|sandbox\/sample\.ts)/],
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
    ['console', /\bconsole\.(?!ts)/],
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
  const routed = [signInRoute, ...areas.flatMap(({ routes = [] }) => routes)].map(([operation]) => operation)

  test('house: every operation has one route in the sandbox (src/lib/sandbox/areas)', () => {
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
