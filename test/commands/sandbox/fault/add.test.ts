import { describe, expect, test } from 'vitest'
import { faultKinds, faultPlaces, faultTargets } from '../../../../src/lib/sandbox/faults/kinds.ts'
import { create, flags } from '../../../kit/payment.ts'
import { hurriedClock, impatient } from '../../../kit/program/hurried.ts'
import { newHome, paydesk } from '../../../kit/program/paydesk.ts'
import { ledgerOf, standingSandbox } from '../../../kit/world.ts'

const usual = { op: 'payout.create', at: 'after', kind: 'reset' }
const none = { perMille: null, seed: null, draws: 0, delay: null, above: null }
const fresh = { ...usual, ...none, id: '1', nth: 1, times: 1 }
const add = (home: string, more: Readonly<Record<string, string | null>> = {}, ...rest: string[]) =>
  paydesk(['sandbox', 'fault', 'add', ...flags({ ...usual, ...more }), ...rest], { home })
const waiting = async (home: string) => (await paydesk(['sandbox', 'fault', 'list', '--json'], { home })).json

describe('a fault is ordered', () => {
  const combined = faultPlaces.flatMap((at) => faultKinds.map((kind) => [kind, at] as const))

  test.each(combined.filter(([kind, at]) => !kind.startsWith('duplicate') || at === 'after'))(
    '%s %s the service has seen it',
    async (kind, at) => {
      const home = newHome()
      const added = await add(home, { at, kind }, '--json')
      expect(added, added.stderr).toMatchObject({ code: 0, stderr: '' })
      expect(added.json).toEqual({ ...fresh, at, kind, delay: kind === 'slow' ? 3000 : null })
      expect(await waiting(home)).toEqual([added.json])
    },
  )

  test.each(faultTargets)('for %s', async (op) => {
    const home = newHome()
    expect((await add(home, { op }, '--json')).json).toMatchObject({ op })
  })

  test('with --nth and --times, and shown as a table', async () => {
    const home = newHome()
    const ended = await add(home, { nth: '2', times: '3' })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^1 +payout\.create +after +reset +request 2, 3 in a row$/m)
  })

  test('by chance, and shown as a table', async () => {
    const home = newHome()
    const ended = await add(home, { kind: 'slow', delay: '1500ms', 'per-mille': '50', seed: '7' })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^1 +payout\.create +after +slow, 1\.5 s +50 of 1000 by chance, seed 7, 0 drawn$/m)
    expect(await waiting(home)).toEqual([
      { ...fresh, kind: 'slow', delay: 1500, nth: null, times: null, perMille: 50, seed: 7 },
    ])
  })

  test('by rate, and shown as a table', async () => {
    const home = newHome()
    const limit = { kind: '429', at: 'before', above: '50/s' }
    const ended = await add(home, limit)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^1 +payout\.create +before +429 +faster than 50\/s$/m)
    expect(await waiting(home)).toEqual([{ ...fresh, ...limit, nth: null, times: null }])
  })

  test.each(faultKinds)(
    '%s, of which nothing else is said: for every operation, where it usually comes',
    async (kind) => {
      const home = newHome()
      const { json, stderr } = await add(home, { op: null, at: null, kind }, '--json')
      const at = ['401', '429'].includes(kind) ? 'before' : 'after'
      expect(json, stderr).toMatchObject({ op: '*', at, kind, nth: 1, times: 1 })
    },
  )

  test.each(['--kind slow --delay 20ms --per-mille 1000', '--kind 429 --above 50/s'])('%s', async (line) => {
    const ended = await paydesk(['sandbox', 'fault', 'add', ...line.split(' ')], { home: newHome() })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('and strikes when its turn comes: the second payout, three times', async () => {
    const home = newHome()
    const around = { home, clock: hurriedClock(), random: impatient }
    await add(home, { at: 'before', kind: 'html502', nth: '2', times: '3' })
    expect(await paydesk(create({ amount: '1' }), around)).toMatchObject({ code: 0 })
    expect(await waiting(home)).toMatchObject([{ nth: 1, times: 3 }])
    const second = await paydesk([...create({ amount: '2' }), '--json'], around)
    expect(second.code, second.stderr).toBe(0)
    const shown = await paydesk(['journal', 'show', String(second.json.journalId), '--json'], { home })
    expect(shown.json.attempts).toMatchObject([{ http: 502 }, { http: 502 }, { http: 502 }, { outcome: 'accepted' }])
    expect(await waiting(home)).toEqual([])
    expect(await ledgerOf(home)).toHaveLength(2)
  })

  test('and is obeyed by a sandbox that stands already', async () => {
    const home = newHome()
    const { url } = await standingSandbox(home)
    await add(home, { op: 'auth.token', at: 'before', kind: 'json500' })
    expect((await fetch(`${url}/api/auth`, { method: 'POST', body: '{}' })).status).toBe(500)
    expect((await fetch(`${url}/api/auth`, { method: 'POST', body: '{}' })).status).toBe(400)
  })
})

describe('an order is refused (2), and nothing is kept', () => {
  test.each([
    ['an operation that there is not', { op: 'payout.delete' }, 'payout.create'],
    ['a place that there is not', { at: 'during' }, 'before'],
    ['a kind that there is not', { kind: 'flood' }, 'html502'],
    ['no kind', { kind: null }, 'kind'],
    ['a count of none', { nth: '0' }, 'nth'],
    ['times less than one', { times: '-1' }, 'times'],
    ['half a time', { times: '1.5' }, 'times'],
    ['twice before it is executed', { at: 'before', kind: 'duplicate' }, 'after'],
    ['twice before it is executed, the second answer heard', { at: 'before', kind: 'duplicate-second' }, 'after'],
    ['a delay of what is not slow', { delay: '3s' }, 'slow'],
    ['a delay that is none', { kind: 'slow', delay: 'soon' }, 'delay'],
    ['a count and a chance', { nth: '2', 'per-mille': '5' }, 'per-mille'],
    ['a seed without a chance', { seed: '7' }, 'per-mille'],
    ['more than every request', { 'per-mille': '1001' }, 'per-mille'],
    ['a rate that is none', { kind: '429', at: 'before', above: '50' }, '50/s'],
    ['a rate of nothing', { kind: '429', at: 'before', above: '0/s' }, '50/s'],
    ['a rate of another kind', { kind: 'hang', at: 'before', above: '50/s' }, '429'],
    ['a rate of what was executed', { kind: '429', at: 'after', above: '50/s' }, 'before'],
    ['a rate and a chance', { kind: '429', at: 'before', above: '50/s', 'per-mille': '5' }, 'above'],
  ] as const)('%s', async (_what, wrong, said) => {
    const home = newHome()
    const ended = await add(home, wrong, '--json')
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.error).toMatchObject({ name: 'usage', moneyMoved: 'no' })
    expect(ended.error.message).toContain(said)
    expect(await waiting(home)).toEqual([])
  })
})
