/** However a profile is named on a line, its payments stand in its store and nowhere else, and an argument stays one. */
import { expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'
import { postgresServer } from '../kit/store/postgres.ts'

const server = postgresServer()

const spellings = [
  ['-p', 'hand'],
  ['-phand'],
  ['-p=hand'],
  ['-qp', 'hand'],
  ['-yp', 'hand'],
  ['-qyphand'],
  ['--yes=-phand'],
  ['--profile=hand'],
]

async function scene() {
  const service = await serviceByHand()
  const home = newHome()
  const pay = (words: readonly string[], env = {}, more = {}) =>
    paydesk([...create({ profile: null, key: 'k-1', ...more }), ...words, '--json'], { home, env })
  return { service, home, pay, address: await server.newAddress() }
}

test('a key is executed once, however the profile of a team is spelled', { timeout: 60_000 }, async () => {
  const { service, home, pay, address } = await scene()
  await addHandProfile(home, service.url, { store: address })
  for (const words of spellings) {
    const ended = await pay(words)
    expect(ended.code, `${words.join(' ')}: ${ended.stderr}`).toBe(0)
  }
  expect(service.creates).toHaveLength(1)
})

test('a profile without a store leaves that of PAYDESK_PROFILE alone', { timeout: 60_000 }, async () => {
  const { service, home, pay, address } = await scene()
  await addHandProfile(home, service.url)
  const add = ['profile', 'add', 'team', '--base-url', service.url, '--environment', 'test', '--store', address]
  const added = await paydesk(
    [...add, '--client-id', '21111111-2222-4333-8444-555555555555', '--client-secret-env', 'X'],
    { home },
  )
  expect(added.code, added.stderr).toBe(0)
  const env = { PAYDESK_PROFILE: 'team' }
  for (const words of spellings) expect((await pay(words, env)).code, words.join(' ')).toBe(0)
  const listed = await paydesk(['payout', 'list', '-p', 'hand', '--json'], { home })
  expect(listed.stdout).toContain('k-1')
  expect(service.creates).toHaveLength(1)
})

test('a journal id in capitals is one: a failure denies nothing', async () => {
  const { service, home, pay } = await scene()
  await addHandProfile(home, service.url)
  const { json } = await pay(['-p', 'hand'])
  const id = String(json.journalId).toUpperCase()
  const ended = await paydesk(['payout', 'get', id, '-p', 'hand', '--json', '--har', '/nonexistent/x'], { home })
  expect(ended).toMatchObject({ code: 2, error: { moneyMoved: 'unknown', journalId: json.journalId } })
})

test('a letter before that of the profile hides no argument: a failure denies nothing', async () => {
  const { service, home, pay } = await scene()
  await addHandProfile(home, service.url)
  expect((await pay(['-p', 'hand'])).code).toBe(0)
  for (const words of [['-p', 'hand'], ['-phand'], ['-qp', 'hand'], ['-qphand']]) {
    const ended = await paydesk(['payout', 'wait', ...words, 'k-1', '--json', '--har', '/nonexistent/x'], { home })
    expect(ended, words.join(' ')).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
  }
  const file = ['payout', 'create', '-phand', '--file=/nonexistent/pay.json', '--yes', '--json']
  expect(await paydesk(file, { home })).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
})
