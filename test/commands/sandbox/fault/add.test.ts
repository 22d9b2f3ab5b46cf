import { beforeAll, describe, expect, test } from 'vitest'
import { faultKinds } from '../../../../src/lib/sandbox/faults.ts'
import { hurriedClock, impatient } from '../../../kit/clock.ts'
import { create, flags } from '../../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../../kit/program.ts'
import { ledgerOf, standingSandbox } from '../../../kit/world.ts'

const usual = { op: 'payout.create', at: 'after', kind: 'reset' }
const none = { perMille: null, seed: null, draws: 0, delay: null, above: null }
const fresh = { ...usual, ...none, id: '1', nth: 1, times: 1 }
const add = (home: string, more: Readonly<Record<string, string | null>> = {}, ...rest: string[]) =>
  paydesk(['sandbox', 'fault', 'add', ...flags({ ...usual, ...more }), ...rest], { home })
const waiting = async (home: string) => (await paydesk(['sandbox', 'fault', 'list', '--json'], { home })).json

test('sandbox fault add: each --kind alone strikes the next request of any operation, before a 401 or 429 and after the others', async () => {
  const home = newHome()
  const added = []
  for (const kind of faultKinds) {
    const { json, stderr } = await paydesk(['sandbox', 'fault', 'add', '--kind', kind, '--json'], { home })
    const at = ['401', '429'].includes(kind) ? 'before' : 'after'
    const delay = kind === 'slow' ? 3000 : null
    expect(json, stderr).toEqual({ ...fresh, id: expect.any(String), op: '*', at, kind, delay })
    added.push(json)
  }
  expect(await waiting(home)).toEqual(added)
})

test('sandbox fault add: --op, --at and --kind are stored as given', async () => {
  const home = newHome()
  const added = await add(home, { op: 'order.*', at: 'before', kind: 'hang' }, '--json')
  expect(added, added.stderr).toMatchObject({ code: 0, stderr: '' })
  expect(added.json).toEqual({ ...fresh, op: 'order.*', at: 'before', kind: 'hang' })
  expect(await waiting(home)).toEqual([added.json])
})

test('sandbox fault add: a fault strikes when its turn comes, the second payout three times', async () => {
  const home = newHome()
  const around = { home, clock: hurriedClock(), random: impatient }
  await add(home, { at: 'before', kind: 'html502', nth: '2', times: '3' })
  expect(await paydesk(create({ amount: '1' }), around)).toMatchObject({ code: 0 })
  expect(await waiting(home)).toMatchObject([{ nth: 1, times: 3 }])
  const second = await succeeds(paydesk([...create({ amount: '2' }), '--json'], around))
  const shown = await paydesk(['journal', 'show', String(second.json.journalId), '--json'], { home })
  expect(shown.json.attempts).toMatchObject([{ http: 502 }, { http: 502 }, { http: 502 }, { outcome: 'accepted' }])
  expect(await waiting(home)).toEqual([])
  expect(await ledgerOf(home)).toHaveLength(2)
})

test('sandbox fault add: a running sandbox obeys the new fault', async () => {
  const home = newHome()
  const { url } = await standingSandbox(home)
  await add(home, { op: 'auth.token', at: 'before', kind: 'json500' })
  expect((await fetch(`${url}/api/auth`, { method: 'POST', body: '{}' })).status).toBe(500)
  expect((await fetch(`${url}/api/auth`, { method: 'POST', body: '{}' })).status).toBe(400)
})
describe('sandbox fault add with contradicting flags', () => {
  let home = ''
  beforeAll(() => {
    home = newHome()
  })

  test.each([
    ['an unknown operation', { op: 'payout.delete' }, 'payout.create'],
    ['an unknown place', { at: 'during' }, 'before'],
    ['an unknown kind', { kind: 'flood' }, 'html502'],
    ['a missing kind', { kind: null }, 'kind'],
    ['--nth 0', { nth: '0' }, 'nth'],
    ['--times many', { times: 'many' }, 'times'],
    ['--times -1', { times: '-1' }, 'times'],
    ['--times 1.5', { times: '1.5' }, 'times'],
    ['duplicate before the execution', { at: 'before', kind: 'duplicate' }, 'after'],
    ['duplicate-second before the execution', { at: 'before', kind: 'duplicate-second' }, 'after'],
    ['a delay of a kind that is not slow', { delay: '3s' }, 'slow'],
    ['a malformed delay', { kind: 'slow', delay: 'soon' }, 'delay'],
    ['--nth with --per-mille', { nth: '2', 'per-mille': '5' }, 'per-mille'],
    ['--seed without --per-mille', { seed: '7' }, 'per-mille'],
    ['--per-mille 1001', { 'per-mille': '1001' }, 'per-mille'],
    ['a rate without a unit', { kind: '429', at: 'before', above: '50' }, '50/s'],
    ['a rate of 0/s', { kind: '429', at: 'before', above: '0/s' }, '50/s'],
    ['a rate of a kind that is not 429', { kind: 'hang', at: 'before', above: '50/s' }, '429'],
    ['a rate after the execution', { kind: '429', at: 'after', above: '50/s' }, 'before'],
    ['--above with --per-mille', { kind: '429', at: 'before', above: '50/s', 'per-mille': '5' }, 'above'],
  ] as const)('sandbox fault add: %s is refused (2) and nothing is stored', async (_what, wrong, said) => {
    const ended = await add(home, wrong, '--json')
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.error).toMatchObject({ name: 'usage', moneyMoved: 'no' })
    expect(ended.error.message).toContain(said)
    expect(await waiting(home)).toEqual([])
  })
})
