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
  'approval approve': [16, 170],
  'approval list': [14, 166],
  'approval reject': [16, 168],
  'approval request': [16, 169],
  'approval show': [14, 166],
  'batch check': [14, 156],
  'batch discard': [16, 178],
  'batch list': [16, 178],
  'batch plan': [18, 183],
  'batch report': [16, 181],
  'batch results': [16, 178],
  'batch resume': [17, 183],
  'batch run': [17, 183],
  'batch show': [16, 179],
  'batch status': [16, 178],
  'batch wait': [17, 183],
  'callback list': [15, 177],
  'callback listen': [16, 192],
  'callback replay': [15, 183],
  'callback show': [15, 179],
  'callback verify': [17, 284],
  'card get': [16, 184],
  completion: [12, 156],
  'envelope doctor': [23, 325],
  'envelope inspect': [12, 152],
  'envelope open': [17, 268],
  'envelope seal': [24, 326],
  explain: [12, 155],
  help: [12, 156],
  'journal export': [13, 166],
  'journal import': [13, 170],
  'journal list': [14, 166],
  'journal show': [13, 165],
  'journal verify': [12, 154],
  'key generate': [12, 153],
  'key import': [12, 152],
  'key show': [14, 160],
  'order cancel': [17, 196],
  'order complete': [25, 357],
  'order create': [26, 366],
  'order diff': [16, 186],
  'order list': [14, 177],
  'order refund': [25, 357],
  'order status': [16, 184],
  'order wait': [16, 184],
  'payee add': [22, 307],
  'payee list': [15, 165],
  'payee remove': [15, 165],
  'payout balance': [15, 183],
  'payout create': [23, 331],
  'payout diff': [16, 176],
  'payout get': [16, 184],
  'payout list': [14, 177],
  'payout receipt': [14, 178],
  'payout reconcile': [15, 185],
  'payout wait': [16, 184],
  'profile add': [15, 276],
  'profile check': [25, 363],
  'profile list': [12, 151],
  'profile remove': [12, 153],
  'profile show': [12, 152],
  'profile use': [13, 255],
  resume: [15, 191],
  'sandbox callbacks': [14, 167],
  'sandbox clock advance': [12, 152],
  'sandbox clock set': [12, 152],
  'sandbox clock show': [12, 151],
  'sandbox fault add': [25, 332],
  'sandbox fault clear': [13, 255],
  'sandbox fault list': [12, 151],
  'sandbox ledger': [12, 152],
  'sandbox openapi': [14, 255],
  'sandbox requests': [24, 332],
  'sandbox reset': [15, 259],
  'sandbox run': [12, 154],
  'sandbox sample': [12, 156],
  'sandbox start': [19, 278],
  'sandbox trigger': [27, 338],
  'sandbox world': [12, 153],
  'subscription history': [16, 184],
  'subscription revoke': [17, 195],
  'team confirm': [13, 170],
  'team dashboard': [16, 178],
  'team key add': [15, 167],
  'team key generate': [12, 155],
  'team key list': [13, 164],
  'team key revoke': [15, 167],
  'team rule add': [21, 302],
  'team rule list': [13, 164],
  'team rule remove': [15, 167],
  'user register': [16, 194],
  'wallet cancel': [17, 195],
  'wallet create': [25, 363],
  'wallet details': [16, 185],
  'wallet finalize': [25, 366],
  'wallet list': [14, 177],
  'worker list': [13, 160],
  'worker start': [17, 190],
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
    [['--version'], 0, [5, 31]],
    [['--help'], 0, [6, 35]],
    [['payout', 'create', '--help'], 0, [6, 35]],
    [['help', 'exit-codes'], 0, [10, 89]],
    [['payout', 'crate'], 2, [8, 57]],
    [['__complete', 'zsh', '--', 'payout', 'create', '--to'], 0, [8, 96]],
  ] as const)('%j loads neither oclif nor a schema', async (argv, code, most) => {
    const loads = await loadsOf(argv)
    expect(loads.code).toBe(code)
    mustFit(loads, most)
    expect(sourcesIn(loads).filter((each) => /@oclif|\/zod\//.test(each))).toEqual([])
  })

  test('a payout that no profile may send', async () => {
    const loads = await loadsOf([...payout, '--amount', '12.505'])
    expect(loads.code).toBe(2)
    mustFit(loads, [24, 337])
    mustDoWithout(loads, 'client', 'store', 'sandbox', 'server', 'validator', 'questions', 'tables')
  })

  test('a read of the journal', async () => {
    const loads = await loadsOf(['journal', 'list'])
    expect(loads.code).toBe(0)
    mustFit(loads, [31, 414])
    mustDoWithout(loads, 'client', 'sandbox', 'server', 'validator', 'questions')
  })

  test('a list of profiles', async () => {
    const loads = await loadsOf(['profile', 'list'])
    expect(loads.code).toBe(0)
    mustFit(loads, [18, 311])
    mustDoWithout(loads, 'client', 'store', 'sandbox', 'server', 'validator', 'questions')
  })

  test('a payout on the built-in sandbox asks for no page of it', async () => {
    const loads = await loadsOf([...payout, '--amount', '12.50'])
    expect(loads.code).toBe(0)
    mustFit(loads, [90, 1165])
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
