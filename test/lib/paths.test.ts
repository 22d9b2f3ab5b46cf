/** Places of all files, directories that commands make, and places that others may write. */

import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { geteuid } from 'node:process'
import { expect, test } from 'vitest'
import { Failure } from '../../src/lib/failure.ts'
import { makePrivateDirectory, othersMayWrite, places } from '../../src/lib/paths.ts'
import { sandboxPayroll } from '../kit/batch.ts'
import { builtPaydesk } from '../kit/process.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'

const platform = { configDir: '/c/paydesk', dataDir: '/d/paydesk', cacheDir: '/k/paydesk' }

test('with PAYDESK_HOME everything lies below it', () => {
  expect(places({ PAYDESK_HOME: '/h' }, platform)).toEqual({
    team: null,
    config: '/h/config',
    journal: '/h/journal/journal.db',
    callbacks: '/h/callbacks/callbacks.db',
    batches: '/h/batches',
    outbox: '/h/outbox',
    sandbox: '/h/sandbox',
    tokens: '/h/tokens',
  })
})

/** What is said, and the line to paste. */
function refusal(env: Record<string, string>, dirs = platform): readonly string[] {
  try {
    places(env, dirs)
  } catch (error) {
    if (error instanceof Failure) return [error.kind, error.message, ...(error.toLine().error.hints ?? [])]
  }
  return []
}

test.each([
  ['here', resolve('here')],
  ['./here', resolve('here')],
  ['..', resolve('..')],
  ['~', '/home/nino'],
  ['~/paydesk', '/home/nino/paydesk'],
])('PAYDESK_HOME %j: refused (2) with the whole path', (home, meant) => {
  const [kind, message, advice] = refusal({ PAYDESK_HOME: home, HOME: '/home/nino' })
  expect(kind).toBe('usage')
  expect(message).toContain(`PAYDESK_HOME is '${home}'`)
  expect(advice).toContain(`export PAYDESK_HOME='${meant}'`)
})

test('PAYDESK_HOME of another user, as ~nino: refused (2), and no path is guessed', () => {
  expect(refusal({ PAYDESK_HOME: '~nino/paydesk', HOME: '/home/nino' })).toEqual([
    'usage',
    expect.stringContaining("'~nino/paydesk'"),
    'The shell did not replace ~: write the full path.',
  ])
})

/** As oclif makes them of variables. */
function directoriesIn(env: Record<string, string>) {
  const below = (variable: string, place: string) => join(env[variable] ?? join(env.HOME ?? '', place), 'paydesk')
  return {
    configDir: below('XDG_CONFIG_HOME', '.config'),
    dataDir: env.PAYDESK_DATA_DIR ?? below('XDG_DATA_HOME', '.local/share'),
    cacheDir: below('XDG_CACHE_HOME', '.cache'),
  }
}

test.each<[Record<string, string>, string]>([
  [{ HOME: 'nino' }, 'HOME'],
  [{ HOME: '/home/nino', XDG_DATA_HOME: '~/data' }, 'XDG_DATA_HOME'],
  [{ HOME: '/home/nino', XDG_CONFIG_HOME: 'config' }, 'XDG_CONFIG_HOME'],
  [{ HOME: '/home/nino', PAYDESK_DATA_DIR: 'data' }, 'PAYDESK_DATA_DIR'],
])('without PAYDESK_HOME, with %j: refused (2), and the variable is named', (env, name) => {
  expect(refusal(env, directoriesIn(env))[1]).toContain(`${name} is '`)
  expect(refusal({ ...env, PAYDESK_HOME: '/h' }, directoriesIn(env))).toEqual([])
})

test('without any home directory, as in a container: refused (2) unless PAYDESK_HOME names a place', () => {
  const nowhere = { configDir: '.config/paydesk', dataDir: '.local/share/paydesk', cacheDir: '.cache/paydesk' }
  expect(refusal({}, nowhere)[1]).toContain('this user has no home directory')
  expect(refusal({ PAYDESK_HOME: '/h' }, nowhere)).toEqual([])
})

test('without PAYDESK_HOME, or with an empty one, the platform decides', () => {
  const expected = {
    team: null,
    config: '/c/paydesk',
    journal: '/d/paydesk/journal/journal.db',
    callbacks: '/d/paydesk/callbacks/callbacks.db',
    batches: '/d/paydesk/batches',
    outbox: '/d/paydesk/outbox',
    sandbox: '/d/paydesk/sandbox',
    tokens: '/k/paydesk/tokens',
  }
  expect(places({}, platform)).toEqual(expected)
  expect(places({ PAYDESK_HOME: '' }, platform)).toEqual(expected)
})

test('PAYDESK_STORE names the store of a team; an empty one names none', () => {
  expect(places({ PAYDESK_STORE: 'postgres://desk@db/paydesk' }, platform).team).toBe('postgres://desk@db/paydesk')
  expect(places({ PAYDESK_STORE: '' }, platform).team).toBeNull()
})

test('a directory is made with those above it, for its owner only; one that exists stays as it is', () => {
  const directory = temporaryDirectory('private')
  const deep = join(directory, 'a', 'b', 'c')
  makePrivateDirectory(deep)
  makePrivateDirectory(deep)
  for (const each of [join(directory, 'a'), join(directory, 'a', 'b'), deep]) {
    expect(statSync(each).mode & 0o777).toBe(0o700)
  }
})

// Node's own `recursive` turns for ever there: the program would have to be killed.
test.runIf(existsSync('/proc/self'))(
  'where none can be made the command ends with 2',
  { timeout: 30_000 },
  async () => {
    const payroll = sandboxPayroll([{ key: 'e-1' }])
    expect((await payroll.plan()).code).toBe(0)
    const results = builtPaydesk(['batch', 'results', payroll.planId, '--dir', '/proc/none/papers'], payroll.home)
    const ended = await results
    expect(ended.code, ended.stderr).toBe(2)
    expect(ended.stderr).toContain('/proc/none/papers')
  },
)

test.skipIf(geteuid === undefined)('only this user and root are believed, and only where nobody else may write', () => {
  const own = geteuid?.() ?? 0
  for (const uid of [own, 0]) {
    for (const mode of [0o100600, 0o100644, 0o40755]) expect(othersMayWrite({ uid, mode })).toBeNull()
    for (const mode of [0o100620, 0o100602, 0o40770, 0o41777]) expect(othersMayWrite({ uid, mode })).toBe('mode')
  }
  expect(othersMayWrite({ uid: own + 4711, mode: 0o100600 })).toBe('owner')
})
