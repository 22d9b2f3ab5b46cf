/**
 * What the built program loads, file by file: a command starts as fast as that is little. The figures are ceilings with a
 * little room; one that is passed says what came along, and whoever wants it raises the figure with open eyes.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cleanEnv, program } from './kit/program/built-paydesk.ts'

const root = join(import.meta.dirname, '..')
const counter = join(import.meta.dirname, 'kit', 'program', 'count-loads.cjs')
const home = mkdtempSync(join(tmpdir(), 'paydesk-loads-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

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
  'callback list': [18, 295],
  'callback listen': [19, 310],
  'callback replay': [18, 302],
  'callback show': [18, 298],
  'callback verify': [19, 299],
  'card get': [19, 302],
  'envelope doctor': [25, 335],
  'envelope inspect': [15, 271],
  'envelope open': [19, 283],
  'envelope seal': [26, 337],
  help: [15, 275],
  'journal list': [17, 285],
  'journal show': [16, 283],
  'key generate': [15, 271],
  'key import': [15, 271],
  'key show': [17, 279],
  'order cancel': [20, 313],
  'order complete': [27, 371],
  'order create': [27, 381],
  'order diff': [19, 304],
  'order refund': [27, 372],
  'order status': [19, 302],
  'order wait': [19, 302],
  'payout balance': [18, 301],
  'payout create': [25, 346],
  'payout get': [19, 302],
  'payout reconcile': [18, 304],
  'payout wait': [19, 302],
  'profile add': [15, 280],
  'profile check': [25, 364],
  'profile list': [15, 270],
  'profile remove': [15, 271],
  'profile show': [15, 271],
  'profile use': [15, 270],
  resume: [18, 310],
  'sandbox callbacks': [17, 285],
  'sandbox clock advance': [15, 271],
  'sandbox clock set': [15, 271],
  'sandbox clock show': [15, 270],
  'sandbox fault add': [27, 341],
  'sandbox fault clear': [15, 270],
  'sandbox fault list': [15, 270],
  'sandbox ledger': [15, 271],
  'sandbox openapi': [16, 271],
  'sandbox requests': [26, 340],
  'sandbox reset': [16, 272],
  'sandbox run': [15, 273],
  'sandbox start': [21, 293],
  'sandbox trigger': [29, 351],
  'sandbox world': [15, 271],
  'subscription history': [19, 302],
  'subscription revoke': [20, 313],
  'user register': [19, 312],
  'wallet cancel': [20, 313],
  'wallet create': [27, 378],
  'wallet details': [19, 303],
  'wallet finalize': [27, 381],
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

/** What takes long to load, by what its files are called. */
const heavy = {
  client: /\/undici\//,
  store: /\/kysely\/|\/@photostructure\//,
  sandbox: /\/src\/lib\/sandbox\/(?!shape|faults|log|server\/address|cards\/test-card|callbacks\/words|openapi\/page)/,
  server: /\/hono\//,
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

describe('what else is asked every day', () => {
  test.each([
    [['--version'], 0, [5, 29]],
    [['--help'], 0, [6, 30]],
    [['payout', 'create', '--help'], 0, [6, 33]],
    [['help', 'exit-codes'], 0, [10, 89]],
    [['payout', 'crate'], 2, [8, 55]],
  ] as const)('%j loads neither oclif nor a schema', async (argv, code, most) => {
    const loads = await loadsOf(argv)
    expect(loads.code).toBe(code)
    mustFit(loads, most)
    expect(sourcesIn(loads).filter((each) => /@oclif|\/zod\//.test(each))).toEqual([])
  })

  test('a payout that no profile may send', async () => {
    const loads = await loadsOf([...payout, '--amount', '12.505'])
    expect(loads.code).toBe(2)
    mustFit(loads, [25, 346])
    mustDoWithout(loads, 'client', 'store', 'sandbox', 'server', 'validator', 'questions', 'tables')
  })

  test('a read of the journal', async () => {
    const loads = await loadsOf(['journal', 'list'])
    expect(loads.code).toBe(0)
    mustFit(loads, [28, 499])
    mustDoWithout(loads, 'client', 'sandbox', 'server', 'validator', 'questions')
  })

  test('a list of profiles', async () => {
    const loads = await loadsOf(['profile', 'list'])
    expect(loads.code).toBe(0)
    mustFit(loads, [17, 305])
    mustDoWithout(loads, 'client', 'store', 'sandbox', 'server', 'validator', 'questions')
  })

  test('a payout on the built-in sandbox asks for no page of it', async () => {
    const loads = await loadsOf([...payout, '--amount', '12.50'])
    expect(loads.code).toBe(0)
    mustFit(loads, [79, 1161])
    mustDoWithout(loads, 'validator', 'questions')
    expect(
      sourcesIn(loads).filter((each) => /sandbox\/(checkout\/pages|window\/sections|openapi\/document)/.test(each)),
    ).toEqual([])
  })
})
