/** Homes of containers and of shells: a place that every directory shares, made by this user, or one sentence and a line to run. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { geteuid } from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { node, program } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'

/** Processes of the built program, on a machine that may be busy with others. */
const patience = { timeout: 60_000 }

interface Around {
  readonly env: Record<string, string>
  readonly cwd?: string
  /** Another user, of which the system knows nothing. */
  readonly uid?: number
}

function run(argv: readonly string[], { env, ...around }: Around) {
  return new Promise<{ readonly code: unknown; readonly out: string; readonly err: string }>((resolve) => {
    const options = { ...around, env: { PATH: process.env.PATH ?? '', ...env } }
    const child = execFile(node, [program, ...argv], options, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
    child.stdin?.end()
  })
}

const pay = [...create(), '--json']

test.each([
  ['is relative', (home: string) => ({ HOME: home, PAYDESK_HOME: 'paydesk' })],
  ['begins with a literal ~', (home: string) => ({ HOME: home, PAYDESK_HOME: '~/paydesk' })],
  ['is that of a relative HOME', () => ({ HOME: 'nino' })],
  ['is that of a relative XDG_DATA_HOME', (home: string) => ({ HOME: home, XDG_DATA_HOME: 'data' })],
])(
  'payout create, batch list, profile list, doctor, built program: a home that %s is refused (2), nothing is made',
  patience,
  async (_what, env) => {
    const directory = newHome()
    const around = { env: env(directory), cwd: directory }
    for (const argv of [pay, ['batch', 'list', '--json'], ['profile', 'list', '--json'], ['doctor', '--json']]) {
      const { code, out, err } = await run(argv, around)
      expect([code, out], err).toEqual([2, ''])
      expect(JSON.parse(err)).toMatchObject({ error: { moneyMoved: 'no', retry: 'after-fix' } })
      expect(readdirSync(directory)).toEqual([])
    }
  },
)

test('help, version and completion, built program: work whatever the home is', patience, async () => {
  const around = { env: { PAYDESK_HOME: 'here' }, cwd: newHome() }
  for (const argv of [
    ['--version'],
    ['--help'],
    ['help', 'exit-codes'],
    ['__complete', 'bash', '--', 'paydesk payout cr'],
  ])
    expect(await run(argv, around)).toMatchObject({ code: 0, err: '' })
})

// Only root can run a program as somebody else.
const asRoot = test.skipIf(geteuid?.() !== 0)
const uid = 54_321
const volumes: string[] = []

afterAll(() => {
  for (const each of volumes) rmSync(each, { recursive: true, force: true })
})

/** A directory that anybody may write, as a cluster gives a volume. */
function volume(mode = 0o777): string {
  // The directories of tests are for root alone.
  const directory = mkdtempSync('/tmp/paydesk-volume-')
  volumes.push(directory)
  chmodSync(directory, mode)
  return directory
}

asRoot(
  'payout create, a user without passwd entry and HOME: works where PAYDESK_HOME says enough',
  patience,
  async () => {
    const env = { PAYDESK_HOME: join(volume(), 'paydesk') }
    expect(await run(pay, { env, uid })).toMatchObject({ code: 0 })
    for (const argv of [
      ['doctor', '-p', 'sandbox'],
      ['commands'],
      ['help', 'explain'],
      ['payout', 'list'],
      ['batch', 'list'],
    ])
      expect(await run(argv, { env, uid })).toMatchObject({ code: 0, err: expect.not.stringContaining('bug') })
  },
)

asRoot(
  'payout create, a user without passwd entry, HOME and PAYDESK_HOME: refused (2) in one sentence',
  patience,
  async () => {
    const { code, err } = await run(pay, { env: {}, uid })
    expect(code, err).toBe(2)
    expect(JSON.parse(err)).toMatchObject({
      error: {
        message: expect.stringContaining('this user has no home directory'),
        hints: expect.arrayContaining([expect.stringContaining('export PAYDESK_HOME=')]),
      },
    })
  },
)

asRoot(
  'payout list, a user without passwd entry: a store whose address names no user is refused (2)',
  patience,
  async () => {
    const env = { PAYDESK_HOME: join(volume(), 'paydesk'), PAYDESK_STORE: 'postgres://127.0.0.1/team' }
    const { code, err } = await run(['payout', 'list'], { env, uid })
    expect(code, err).toBe(2)
    expect(err).toContain('postgres://user@host/database')
  },
)

asRoot(
  'payout create, the root of a volume as home: refused (4) with a line that this user can run',
  patience,
  async () => {
    const home = volume()
    const first = await run(pay, { env: { PAYDESK_HOME: home }, uid })
    expect(first.code, first.err).toBe(4)
    const below = join(home, 'paydesk')
    expect(first.err).toContain(`mkdir -m 700 '${below}' && export PAYDESK_HOME='${below}'`)
    mkdirSync(below, { mode: 0o777 })
    chmodSync(below, 0o777)
    expect(await run(pay, { env: { PAYDESK_HOME: join(below, 'own') }, uid })).toMatchObject({ code: 0 })
  },
)

asRoot(
  'payout create, a home of root that this user may not write: unsent (11) with a line for root',
  patience,
  async () => {
    const home = volume(0o755)
    const { code, err } = await run(pay, { env: { PAYDESK_HOME: home }, uid })
    expect(code, err).toBe(11)
    expect(err).toContain(`As root: chown ${uid} '${home}'`)
  },
)

test.each(['postgres:/me:hunter2@db/team', 'postgres:me:hunter2@db/team', 'postgres:///me:hunter2@db/team'])(
  'a store at %s: refused (2) by every command, never printed and never kept',
  async (store) => {
    const home = newHome()
    const add = ['profile', 'add', 'acme', '--base-url', 'http://127.0.0.1:1', '--environment', 'test']
    const lines: [readonly string[], Record<string, string>][] = [
      [['payout', 'list'], { PAYDESK_STORE: store }],
      [['payout', 'list', '--json'], { PAYDESK_STORE: store }],
      [[...add, '--store', store], {}],
      [['profile', 'add', store, '--base-url', 'http://127.0.0.1:1', '--environment', 'test'], {}],
      [[...add, store], {}],
      [[...add, '--store', store, '--enviroment', 'live'], {}],
      [[...add.slice(0, 5), '--environment', 'tst', '--store', store], {}],
    ]
    for (const [argv, env] of lines) {
      const { code, stdout, stderr } = await paydesk(argv, { home, env })
      expect([code, stdout], stderr).toEqual([2, ''])
      expect(stderr).not.toContain('hunter2')
    }
    expect((await paydesk(['profile', 'list', '--json'], { home })).stdout).not.toContain('hunter2')
  },
)
