/** Four eyes: a hundred tries at once, on both engines. */
import { describe, test } from 'vitest'
import { postgresServer } from '../kit/postgres.ts'
import {
  type Engine,
  mustNotAddUp,
  mustNotApproveChanged,
  mustNotApproveOwn,
  mustNotChangeApproved,
  mustUseApprovalOnce,
} from './four-eyes.ts'

const server = postgresServer()
const tries = 100

const engines: readonly (readonly [name: string, engine: () => Engine])[] = [
  ['Postgres', () => server],
  ['SQLite', () => null],
]

describe.each(engines)('on %s', { timeout: 600_000 }, (_, engine) => {
  test('approval approve: a hundred tries at once to approve their own request are refused (4)', () =>
    mustNotApproveOwn(engine(), tries))
  test('payout create: a hundred tries at once use one approval once', () => mustUseApprovalOnce(engine(), tries))
  test('payout create: a hundred tries at once do not change what was approved', () =>
    mustNotChangeApproved(engine(), tries))
  test('approval approve: a request that changes a hundred times meanwhile is not approved', () =>
    mustNotApproveChanged(engine(), tries))
  test('payout create: a hundred small payouts at once do not add up to one that needs an approval (13)', () =>
    mustNotAddUp(engine(), tries))
})
