import { isAbsolute, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { places } from '../../../src/lib/home.ts'

const platform = { configDir: '/c/paydesk', dataDir: '/d/paydesk', cacheDir: '/k/paydesk' }

test('with PAYDESK_HOME everything lies below it', () => {
  expect(places({ PAYDESK_HOME: '/h' }, platform)).toEqual({
    team: null,
    config: '/h/config',
    journal: '/h/journal/journal.db',
    callbacks: '/h/callbacks/callbacks.db',
    batches: '/h/batches',
    spool: '/h/spool',
    sandbox: '/h/sandbox',
    tokens: '/h/tokens',
  })
})

test('a relative PAYDESK_HOME is made absolute', () => {
  const { journal } = places({ PAYDESK_HOME: 'here' }, platform)
  expect(isAbsolute(journal)).toBe(true)
  expect(journal).toBe(resolve('here/journal/journal.db'))
})

test('without PAYDESK_HOME, or with an empty one, the platform decides', () => {
  const expected = {
    team: null,
    config: '/c/paydesk',
    journal: '/d/paydesk/journal/journal.db',
    callbacks: '/d/paydesk/callbacks/callbacks.db',
    batches: '/d/paydesk/batches',
    spool: '/d/paydesk/spool',
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
