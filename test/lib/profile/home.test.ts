import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { Failure } from '../../../src/lib/failure.ts'
import { places } from '../../../src/lib/home.ts'

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
