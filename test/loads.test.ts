/**
 * The modules that the built program loads, file by file: the fewer, the faster a command starts. The figures are ceilings
 * with a little room. A ceiling that is passed says which module came along; raise it only for a good reason.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { cleanEnv, program } from './kit/program/built-paydesk.ts'
import { temporaryDirectory } from './kit/run/temporary.ts'

const root = join(import.meta.dirname, '..')
const counter = join(import.meta.dirname, 'kit', 'program', 'count-loads.cjs')
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

/** Modules and kilobytes that a command loads to refuse a flag that it has not got. */
const refusing: Readonly<Record<string, readonly [modules: number, kilobytes: number]>> = {
  api: [21, 200],
  'approval approve': [17, 187],
  'approval list': [16, 184],
  'approval reject': [17, 185],
  'approval request': [17, 186],
  'approval show': [16, 184],
  'batch check': [15, 175],
  'batch discard': [18, 193],
  'batch list': [18, 193],
  'batch plan': [21, 200],
  'batch report': [18, 196],
  'batch results': [18, 194],
  'batch resume': [19, 199],
  'batch run': [19, 202],
  'batch show': [19, 193],
  'batch status': [18, 194],
  'batch wait': [18, 199],
  'callback list': [17, 198],
  'callback listen': [17, 211],
  'callback replay': [17, 204],
  'callback show': [16, 200],
  'callback verify': [18, 302],
  'card get': [21, 198],
  commands: [13, 172],
  completion: [13, 172],
  doctor: [13, 172],
  'envelope doctor': [25, 350],
  'envelope inspect': [13, 170],
  'envelope open': [19, 287],
  'envelope seal': [26, 352],
  explain: [13, 170],
  help: [13, 176],
  'journal export': [16, 183],
  'journal import': [13, 171],
  'journal list': [17, 193],
  'journal purge': [13, 172],
  'journal show': [17, 188],
  'journal verify': [13, 172],
  'key generate': [13, 171],
  'key import': [13, 171],
  'key show': [15, 181],
  'order cancel': [20, 204],
  'order complete': [29, 376],
  'order create': [29, 386],
  'order diff': [19, 193],
  'order list': [17, 190],
  'order refund': [28, 375],
  'order status': [21, 198],
  'order wait': [19, 191],
  'payee add': [24, 328],
  'payee list': [17, 186],
  'payee remove': [17, 186],
  'payout balance': [19, 196],
  'payout create': [25, 344],
  'payout diff': [19, 193],
  'payout get': [21, 198],
  'payout list': [17, 189],
  'payout receipt': [17, 194],
  'payout reconcile': [18, 193],
  'payout wait': [19, 191],
  'profile add': [16, 298],
  'profile check': [28, 385],
  'profile list': [13, 169],
  'profile remove': [13, 171],
  'profile show': [13, 172],
  'profile use': [14, 273],
  resume: [18, 196],
  'sandbox callbacks': [16, 183],
  'sandbox clock advance': [13, 170],
  'sandbox clock set': [13, 170],
  'sandbox clock show': [13, 170],
  'sandbox fault add': [27, 359],
  'sandbox fault clear': [14, 273],
  'sandbox fault list': [13, 170],
  'sandbox ledger': [13, 170],
  'sandbox openapi': [15, 274],
  'sandbox requests': [26, 358],
  'sandbox reset': [16, 278],
  'sandbox run': [13, 173],
  'sandbox sample': [13, 174],
  'sandbox start': [21, 301],
  'sandbox trigger': [29, 366],
  'sandbox world': [13, 173],
  'subscription history': [21, 199],
  'subscription revoke': [20, 204],
  'team confirm': [13, 170],
  'team dashboard': [18, 194],
  'team key add': [16, 182],
  'team key generate': [13, 170],
  'team key list': [15, 180],
  'team key revoke': [16, 182],
  'team rule add': [22, 317],
  'team rule list': [15, 180],
  'team rule remove': [16, 182],
  token: [18, 194],
  'user register': [18, 201],
  'wallet cancel': [20, 204],
  'wallet create': [28, 383],
  'wallet details': [21, 198],
  'wallet finalize': [29, 388],
  'wallet list': [17, 190],
  'worker list': [13, 170],
  'worker start': [19, 198],
}

const room = 1.04

function mustFit({ files, kilobytes }: Loads, [modules, most]: readonly [number, number]): void {
  const names = files.map((file) => relative(root, file))
  expect(files.length, `modules: ${names.join(', ')}`).toBeLessThanOrEqual(Math.ceil(modules * room))
  expect(kilobytes, `kilobytes: ${names.join(', ')}`).toBeLessThanOrEqual(Math.ceil(most * room))
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
  sandbox: /\/src\/lib\/sandbox\/(?!shape|faults|log|server\/address|cards\/test-card|callbacks\/words|openapi\/page)/,
  server: /\/hono\//,
  listener: /\/@hono\/node-server\//,
  validator: /\/ajv\/|\/conf\//,
  questions: /\/inquirer\//,
  oclifsLoader: /\/@oclif\/core\/lib\/(config\/plugin|help\/)/,
  tables: /\/cli-table3\//,
}

function mustDoWithout(loads: Loads, ...parts: readonly (keyof typeof heavy)[]): void {
  const sources = sourcesIn(loads)
  for (const part of parts)
    expect(
      sources.filter((each) => heavy[part].test(each)).map((each) => basename(each)),
      part,
    ).toEqual([])
}

test('every command has its figures', () => {
  const { commands } = JSON.parse(readFileSync(join(root, 'dist', 'listing.json'), 'utf8'))
  expect(Object.keys(refusing).toSorted()).toEqual(
    Object.keys(commands)
      .map((id) => id.replaceAll(':', ' '))
      .toSorted(),
  )
})

describe('a flag that a command has not got is refused without the client, the store and the sandbox', () => {
  test.each(Object.entries(refusing))('%s', async (command, most) => {
    const loads = await loadsOf([...command.split(' '), '--nonsense'])
    expect(loads.code).toBe(2)
    mustFit(loads, most)
    mustDoWithout(loads, 'client', 'store', 'server', 'validator', 'questions', 'oclifsLoader', 'tables')
  })
})

const payout = [
  ...['payout', 'create', '-p', 'sandbox', '--currency', 'GEL', '--to-iban', 'GE29NB0000000101904917'],
  ...['--beneficiary-name', 'Nino Beridze', '--description', 'Salary, November', '--yes'],
]

describe('other everyday commands', () => {
  test.each([
    [['--version'], 0, [5, 35]],
    [['--help'], 0, [6, 39]],
    [['payout', 'create', '--help'], 0, [6, 39]],
    [['help', 'exit-codes'], 0, [10, 100]],
    [['payout', 'crate'], 2, [9, 82]],
    [['__complete', 'zsh', '--', 'payout', 'create', '--to'], 0, [8, 112]],
  ] as const)('%j loads neither oclif nor a schema', async (argv, code, most) => {
    const loads = await loadsOf(argv)
    expect(loads.code).toBe(code)
    mustFit(loads, most)
    expect(sourcesIn(loads).filter((each) => /@oclif|\/zod\//.test(each))).toEqual([])
  })

  test('a payout that no profile may send', async () => {
    const loads = await loadsOf([...payout, '--amount', '12.505'])
    expect(loads.code).toBe(2)
    mustFit(loads, [28, 340])
    mustDoWithout(loads, 'client', 'store', 'sandbox', 'server', 'validator', 'questions', 'tables')
  })

  test('a read of the journal', async () => {
    const loads = await loadsOf(['journal', 'list'])
    expect(loads.code).toBe(0)
    mustFit(loads, [33, 440])
    mustDoWithout(loads, 'client', 'sandbox', 'server', 'validator', 'questions')
  })

  test('a list of profiles', async () => {
    const loads = await loadsOf(['profile', 'list'])
    expect(loads.code).toBe(0)
    mustFit(loads, [18, 315])
    mustDoWithout(loads, 'client', 'store', 'sandbox', 'server', 'validator', 'questions')
  })

  test('a payout on the built-in sandbox asks for no page of it', async () => {
    const loads = await loadsOf([...payout, '--amount', '12.50'])
    expect(loads.code).toBe(0)
    mustFit(loads, [94, 1220])
    mustDoWithout(loads, 'listener', 'validator', 'questions')
    expect(
      sourcesIn(loads).filter((each) => /sandbox\/(checkout\/pages|window\/sections|openapi\/document)/.test(each)),
    ).toEqual([])
  })

  test('the end of a payout waits for no compiler', async () => {
    const argv = ['--trace-wasm-compilation-times', program, ...payout, '--amount', '12.60']
    const { stdout } = await promisify(execFile)(process.execPath, argv, { env: cleanEnv(join(home, 'compiler')) })
    expect(stdout).toContain('Payout accepted')
    expect(stdout).not.toContain('using TurboFan')
  })

  test('a payout on the built-in sandbox asks Node for nothing of the web', async () => {
    const told = '(process.moduleLoadList.filter((name) => /undici|http2/.test(name)))'
    const script = `process.on('exit', () => process.stderr.write(JSON.stringify${told}))`
    const hook = join(home, 'told.cjs')
    writeFileSync(hook, script)
    const argv = ['-r', hook, program, ...payout, '--amount', '12.70']
    const { stderr } = await promisify(execFile)(process.execPath, argv, { env: cleanEnv(join(home, 'web')) })
    expect(stderr.trimEnd()).toMatch(/\[\]$/)
  })
})
