/** What the built program loads for a command: the less, the faster it starts. A ceiling that is passed names the modules. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cleanEnv, program } from './kit/process.ts'
import { temporaryDirectory } from './kit/run/temporary.ts'

const root = join(import.meta.dirname, '..')
const counter = join(import.meta.dirname, 'count-loads.cjs')
const home = temporaryDirectory('loads')

interface Loads {
  readonly code: number
  readonly files: readonly string[]
  readonly kilobytes: number
}

let runs = 0

function loadsOf(argv: readonly string[]): Promise<Loads> {
  runs += 1
  const [own, told] = [join(home, `home-${runs}`), join(home, `${runs}.json`)]
  const env = cleanEnv(own, { LOADS: told })
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['-r', counter, program, ...argv], { env }, () => {
      const loaded = JSON.parse(readFileSync(told, 'utf8')) as string[]
      // SQLite itself is no text that Node reads.
      const files = loaded.filter((file) => !file.endsWith('.node'))
      const kilobytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1024
      resolve({ code: child.exitCode ?? -1, files, kilobytes: Math.round(kilobytes) })
    })
  })
}

function requireWithinLimits({ files, kilobytes }: Loads, most: number): void {
  const names = files.map((file) => relative(root, file))
  expect(kilobytes, `kilobytes: ${names.join(', ')}`).toBeLessThanOrEqual(most)
}

/** The sources of which something was loaded, by the maps of the chunks. */
function sourcesIn({ files }: Loads): readonly string[] {
  return files.flatMap((file) => {
    const map = `${file}.map`
    return existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')).sources as string[]) : [file]
  })
}

/** Packages and rooms that take long to load, by the names of their files. */
const heavy = {
  client: /\/undici\//,
  store: /\/kysely\/|\/@photostructure\//,
  sandbox: /\/src\/lib\/sandbox\/(?!shape|faults|clock|log|server\/address)/,
  server: /\/hono\//,
  listener: /\/@hono\/node-server\//,
  validator: /\/ajv\/|\/conf\//,
  questions: /\/inquirer\//,
}

function mustDoWithout(loads: Loads, ...parts: readonly (keyof typeof heavy)[]): void {
  const sources = sourcesIn(loads)
  for (const part of parts)
    expect(
      sources.filter((each) => heavy[part].test(each)).map((each) => basename(each)),
      part,
    ).toEqual([])
}

/** One command of each kind: reads, writes, local ones, and those of the sandbox. */
const commands = [
  'batch run',
  'callback verify',
  'envelope seal',
  'journal list',
  'order create',
  'payout get',
  'profile add',
  'sandbox start',
  'team rule add',
  'wallet finalize',
]

test.each(commands)('%s: an unknown flag is refused (2), client, store and questions unloaded', async (command) => {
  const loads = await loadsOf([...command.split(' '), '--nonsense'])
  expect(loads.code).toBe(2)
  requireWithinLimits(loads, 600)
  mustDoWithout(loads, 'client', 'store', 'server', 'validator', 'questions')
})

const payout = [
  ...['payout', 'create', '-p', 'sandbox', '--currency', 'GEL', '--to-iban', 'GE29NB0000000101904917'],
  ...['--beneficiary-name', 'Nino Beridze', '--description', 'Salary, November', '--yes'],
]

test.each([
  [['--version'], 0, 50],
  [['--help'], 0, 50],
  [['payout', 'create', '--help'], 0, 50],
  [['payout', 'crate'], 2, 130],
] as const)('%j: neither oclif nor a schema is loaded', async (argv, code, most) => {
  const loads = await loadsOf(argv)
  expect(loads.code).toBe(code)
  requireWithinLimits(loads, most)
  expect(sourcesIn(loads).filter((each) => /@oclif|\/zod\//.test(each))).toEqual([])
})

test.each([[['help', 'exit-codes']], [['__complete', 'zsh', '--', 'payout', 'create', '--to']]])(
  '%j: client, store and sandbox are not loaded',
  async (argv) => {
    const loads = await loadsOf(argv)
    expect(loads.code).toBe(0)
    requireWithinLimits(loads, 350)
    mustDoWithout(loads, 'client', 'store', 'sandbox', 'server', 'validator', 'questions')
  },
)

test('journal list: client, sandbox and questions are not loaded', async () => {
  const loads = await loadsOf(['journal', 'list'])
  expect(loads.code).toBe(0)
  requireWithinLimits(loads, 800)
  mustDoWithout(loads, 'client', 'sandbox', 'server', 'validator', 'questions')
})

test('profile list: client, store and sandbox are not loaded', async () => {
  const loads = await loadsOf(['profile', 'list'])
  expect(loads.code).toBe(0)
  requireWithinLimits(loads, 600)
  mustDoWithout(loads, 'client', 'store', 'sandbox', 'server', 'validator', 'questions')
})

test('payout create: on the built-in sandbox no page of the sandbox is loaded', async () => {
  const loads = await loadsOf([...payout, '--amount', '12.50'])
  expect(loads.code).toBe(0)
  requireWithinLimits(loads, 1800)
  mustDoWithout(loads, 'listener', 'validator', 'questions')
  expect(sourcesIn(loads).filter((each) => /sandbox\/(checkout|console|openapi)/.test(each))).toEqual([])
})

test('payout create: its end waits for no compiler', async () => {
  const argv = ['--trace-wasm-compilation-times', program, ...payout, '--amount', '12.60']
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env: cleanEnv(join(home, 'compiler')) })
  expect(stdout).toContain('Payout accepted')
  expect(stdout).not.toContain('using TurboFan')
})

test('payout create: on the built-in sandbox nothing of the web is asked of Node', async () => {
  const told = '(process.moduleLoadList.filter((name) => /undici|http2/.test(name)))'
  const script = `process.on('exit', () => process.stderr.write(JSON.stringify${told}))`
  const hook = join(home, 'told.cjs')
  writeFileSync(hook, script)
  const argv = ['-r', hook, program, ...payout, '--amount', '12.70']
  const { stderr } = await promisify(execFile)(process.execPath, argv, { env: cleanEnv(join(home, 'web')) })
  expect(stderr.trimEnd()).toMatch(/\[\]$/)
})
