/** A plan belongs to one profile, client and service, and goes stale with any of them, its limits and its day. */
import { expect, test } from 'vitest'
import { relatedPlans } from '../../../src/lib/batch/duplicates.ts'
import { conditionsOf, isSameSender, ownStaleness, type Plan, staleness } from '../../../src/lib/batch/plan.ts'
import type { Profile } from '../../../src/lib/profile/profile.ts'

const now = Date.parse('2026-11-20T06:00:00Z')

/** The parts of a profile that a plan depends on. */
function profile(more: Partial<Profile> = {}): Profile {
  const own: Partial<Profile> = {
    ...{ name: 'acme', environment: 'test', service: 'https://pay.example', serviceId: 'pay', clientId: 'me' },
    limits: [{ currency: 'GEL', most: 500_000n, per: 'payout' }],
    ...more,
  }
  return own as Profile
}

function plan(more: Partial<Plan> = {}): Plan {
  return {
    ...{ planId: 'b-1', name: 'salaries', again: null, file: 'p.csv', format: 'csv', profile: 'acme', rows: 2 },
    ...{ totals: { GEL: '200' }, hash: 'hash', fileHash: 'bytes', headers: [], message: null, allowDuplicates: false },
    ...{ environment: 'test', service: 'https://pay.example', serviceId: 'pay', clientId: 'me' },
    ...{ plannedAt: '2026-11-20T05:00:00Z', expiresAt: '2026-11-21T05:00:00Z', conditions: conditionsOf(profile()) },
    discardedAt: null,
    ...more,
  }
}

test('a plan whose profile is as it was is not stale, however its address and client are spelled', () => {
  expect(staleness(plan(), profile(), now)).toBeNull()
  expect(staleness(plan(), profile({ service: 'https://PAY.example:443/v2', clientId: 'ME' }), now)).toBeNull()
})

test.each<[string, Partial<Profile>]>([
  ['name', { name: 'other' }],
  ['environment', { environment: 'live' }],
  ['address', { service: 'https://other.example' }],
  ['service name', { serviceId: 'other' }],
  ['client', { clientId: 'you' }],
])('a plan whose profile has another %s alone is stale: its profile has changed', (_what, more) => {
  expect(staleness(plan(), profile(more), now)).toBe('its profile has changed since it was planned')
})

test.each<[string, Profile['limits']]>([
  ['no limit', []],
  ['another sum', [{ currency: 'GEL', most: 500_001n, per: 'payout' }]],
  ['another currency', [{ currency: 'USD', most: 500_000n, per: 'payout' }]],
  ['another span', [{ currency: 'GEL', most: 500_000n, per: 'day' }]],
  ['a limit more', [...profile().limits, { currency: null, most: 100n, per: 'hour' }]],
])('a plan whose profile has %s is stale: its limits have changed', (_what, limits) => {
  expect(staleness(plan(), profile({ limits }), now)).toBe(
    'the limits of its profile have changed since it was planned',
  )
})

test('a plan whose profile has its limits in another order is not stale', () => {
  const limits: Profile['limits'] = [...profile().limits, { currency: null, most: 100n, per: 'hour' }]
  const planned = plan({ conditions: conditionsOf(profile({ limits })) })
  expect(staleness(planned, profile({ limits: limits.toReversed() }), now)).toBeNull()
})

test('a plan is stale from its expiry on, and once it was discarded', () => {
  const expiry = Date.parse('2026-11-21T05:00:00Z')
  expect(ownStaleness(plan(), expiry - 1)).toBeNull()
  expect(ownStaleness(plan(), expiry)).toBe('it was planned more than 24 hours ago')
  expect(ownStaleness(plan(), expiry + 1)).toBe('it was planned more than 24 hours ago')
  expect(ownStaleness(plan({ discardedAt: '2026-11-20T05:30:00Z' }), now)).toBe('it was discarded')
  expect(staleness(plan({ discardedAt: '2026-11-20T05:30:00Z' }), profile({ clientId: 'you' }), now)).toBe(
    'it was discarded',
  )
})

test.each<[string, Partial<Profile>, boolean]>([
  ['name', { name: 'other' }, true],
  ['spelling of the client', { clientId: 'ME' }, true],
  ['address', { service: 'https://other.example' }, true],
  ['service name', { serviceId: 'other' }, true],
  ['address and service name', { service: 'https://other.example', serviceId: 'other' }, false],
  ['environment', { environment: 'live' }, false],
  ['client', { clientId: 'you' }, false],
])('a profile with another %s alone may send the rows of a plan, or not', (_what, more, speaks) => {
  expect(isSameSender(profile(more), plan())).toBe(speaks)
})

const warnings = (other: Partial<Plan>, hasKeyless = true, own: Partial<Plan> = {}) =>
  relatedPlans({ list: async () => [plan(own), plan({ planId: 'b-2', ...other })] }, plan(own), hasKeyless)

test('a plan of the same file for another client is pointed out, as it would be paid once more', async () => {
  expect(await warnings({ clientId: 'you' })).toEqual([
    expect.stringContaining('b-2 is the same file, planned when this profile belonged to the client you'),
  ])
})

test.each<[string, Partial<Plan>]>([
  ['name', { name: 'bonus' }],
  ['sum', { totals: { GEL: '201' } }],
  ['currency', { totals: { USD: '200' } }],
  ['number of rows', { rows: 3 }],
  ['profile', { profile: 'other' }],
])('a plan for another client with another %s alone is another file', async (_what, more) => {
  expect(await warnings({ clientId: 'you', ...more })).toEqual([])
})

test('plans of the sandbox are not compared with those of another client: its worlds begin anew', async () => {
  expect(await warnings({ clientId: 'you', environment: 'sandbox' }, true, { environment: 'sandbox' })).toEqual([])
})

test('a plan of the same client whose name differs in case alone is pointed out if rows have no key', async () => {
  expect(await warnings({ name: 'Salaries' })).toEqual([expect.stringContaining('b-2 has the name Salaries')])
  expect(await warnings({ name: 'Salaries' }, false)).toEqual([])
  expect(await warnings({ name: 'salaries' })).toEqual([])
  expect(await warnings({ name: 'bonus' })).toEqual([])
})
