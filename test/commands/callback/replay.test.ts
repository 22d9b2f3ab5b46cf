import { describe, expect, test } from 'vitest'
import { listed, listening, payment, post, program, sealed } from '../../kit/callback.ts'
import { hurriedClock } from '../../kit/clock.ts'
import { newScene } from '../../kit/envelope.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { freePort, until } from '../../kit/tools.ts'

async function received(home: string, ...bodies: readonly unknown[]): Promise<readonly string[]> {
  const { url, stop } = await listening({ home })
  for (const body of bodies) await post(url, body, { 'x-own': 'yes', 'webhook-signature': 'v1,x' })
  await stop()
  return (await listed(home)).map(({ callbackId }) => String(callbackId)).toReversed()
}

const replay = (home: string, ...more: readonly string[]) => paydesk(['callback', 'replay', ...more], { home })

test('callback replay: the body is sent byte for byte with its own headers, and the attempt is recorded', async () => {
  const home = newHome()
  const body = Buffer.from([...Buffer.from('{"a" : 1.50}'), 0xff])
  const [id = ''] = await received(home, body)
  const to = await program()
  const ended = await replay(home, id, '--to', to.url, '--json')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.json).toMatchObject([{ callbackId: id, target: to.url, edited: false, outcome: 'delivered', http: 200 }])
  expect(to.taken[0]).toMatchObject({ method: 'POST', body, headers: { 'x-own': 'yes', 'webhook-signature': 'v1,x' } })
  const shown = await paydesk(['callback', 'show', id, '--json'], { home })
  expect(shown.json.attempts).toMatchObject([{ by: 'replay', target: to.url, outcome: 'delivered', edited: false }])
})

test('callback replay: without --to it goes to the forward target (11 while that is down), and counts as delivered', async () => {
  const home = newHome()
  const port = await freePort()
  const { url, stop } = await listening({ home }, '--forward-to', `http://127.0.0.1:${port}/hook`)
  await post(url, payment)
  await stop()
  const [entry] = await listed(home)
  expect(entry).toMatchObject({ forward: 'pending' })
  expect(await replay(home, String(entry?.callbackId))).toMatchObject({ code: 11 })
  const to = await program(() => 202, port)
  expect(await replay(home, String(entry?.callbackId))).toMatchObject({ code: 0 })
  expect(to.taken).toHaveLength(1)
  expect(await listed(home)).toMatchObject([{ forward: 'delivered' }])
})

test('callback replay --since: callbacks are sent in order, and the first that is refused ends it (5)', async () => {
  const home = newHome()
  const clock = hurriedClock(Date.parse('2026-11-20T09:00:00Z'))
  const { url, stop } = await listening({ home, clock })
  for (const at of [1, 2, 3, 4]) {
    await post(url, { at })
    clock.skip(3_600_000)
  }
  await stop()
  const to = await program(({ body }) => (body.toString() === '{"at":4}' ? 500 : 200))
  const { code, stderr } = await replay(home, '--since', '2026-11-20T09:30', '--to', to.url)
  expect(to.taken.map(({ body }) => body.toString())).toEqual(['{"at":2}', '{"at":3}', '{"at":4}'])
  expect(code).toBe(5)
  expect(stderr).toContain('answered 500')
  expect(stderr).toContain('2 before it were taken')
  expect((await replay(home, '--since', '2026-12-01', '--to', to.url, '--json')).stdout).toBe('[]\n')
})

describe('callback replay of several', () => {
  const send = async (home: string, ...more: readonly string[]) => {
    const { code, error } = await replay(home, '--since', '2026-01-01', '--json', ...more)
    return { code, error }
  }

  test('callback replay --since: one callback without a target refuses all (2), and nothing is sent', async () => {
    const home = newHome()
    const to = await program()
    const first = await listening({ home }, '--forward-to', to.url)
    for (const at of [1, 2]) await post(first.url, { at })
    await until('both are there', async () => (await listed(home)).every(({ forward }) => forward === 'delivered'))
    await first.stop()
    const [third] = (await received(home, { at: 3 })).toReversed()
    const { code, error } = await send(home)
    expect([code, error.retry, error.moneyMoved]).toEqual([2, 'after-fix', 'no'])
    expect(error.message).toContain(`callback ${third} was never forwarded`)
    expect(to.taken).toHaveLength(2)
    expect(await replay(home, '--since', '2026-01-01', '--to', to.url)).toMatchObject({ code: 0 })
    expect(to.taken).toHaveLength(5)
  })
})

test('callback replay --set: a plain callback keeps its digits and its own headers, and loses its old signature', async () => {
  const home = newHome()
  const [id = ''] = await received(
    home,
    '{"amount":12.50,"status":"SUCCESS","transactionId":9007199254740993,"cardInfo":{"a":[1]}}',
  )
  const to = await program()
  const edits = ['status=FAILED', 'cardInfo.a.1=2.50', 'cardInfo.cardMask=x', 'new.deep=true'].flatMap((each) => [
    '--set',
    each,
  ])
  expect(await replay(home, id, '--to', to.url, ...edits)).toMatchObject({ code: 0 })
  expect(to.taken[0]?.body.toString()).toBe(
    '{"amount":12.50,"status":"FAILED","transactionId":9007199254740993,"cardInfo":{"a":[1,2.50],"cardMask":"x"},"new":{"deep":true}}',
  )
  expect(to.taken[0]?.headers['webhook-signature']).toBeUndefined()
  expect(to.taken[0]?.headers['x-own']).toBe('yes')
})

test.each(['oaep-sha256', 'oaep-sha256-mgf1-sha1', 'pkcs1'] as const)(
  'callback replay --set: a callback sealed as %s is sealed with that scheme again, to the own public key',
  async (scheme) => {
    const { home, pair, privateKey } = newScene()
    const body = sealed(payment, pair, scheme)
    const [id = ''] = await received(home, body)
    const to = await program()
    const set = ['--set', 'status=FAILED', '--private-key', privateKey]
    expect(await replay(home, id, '--to', to.url, ...set)).toMatchObject({ code: 0 })
    const sent = to.taken[0]?.body.toString() ?? ''
    expect(sent).not.toBe(body)
    const opened = await paydesk(['envelope', 'open', '--private-key', privateKey, '--json'], { home, stdin: sent })
    expect(opened.json).toMatchObject({ scheme })
    expect(JSON.parse(String(opened.json.plaintext))).toEqual({ ...payment, status: 'FAILED' })
  },
)

test('callback replay --set: an unopened or unreadable callback, and an edit that does not fit, are refused (2)', async () => {
  const { home, pair } = newScene()
  const [locked = '', garbage = '', plain = ''] = await received(home, sealed(payment, pair), 'garbage', payment)
  const to = await program()
  const send = (id: string, set: string) => replay(home, id, '--to', to.url, '--set', set)
  expect(await send(locked, 'status=x')).toMatchObject({ code: 2, stderr: expect.stringContaining('no private key') })
  expect(await send(garbage, 'status=x')).toMatchObject({ code: 2, stderr: expect.stringContaining('not JSON') })
  expect(await send(plain, 'status.x=1')).toMatchObject({ code: 2 })
  expect(await send(plain, 'status')).toMatchObject({ code: 2, stderr: expect.stringContaining('no =') })
  expect(to.taken).toHaveLength(0)
})

test('callback replay: another answer is 5, a lost one 9, no server 11, and no money moved', async () => {
  const home = newHome()
  const [id = ''] = await received(home, payment)
  const refusing = await program(() => 404)
  const breaking = await program(() => 'reset')
  const codes = []
  for (const url of [refusing.url, breaking.url, `http://127.0.0.1:${await freePort()}/`]) {
    const { code, stdout, error } = await replay(home, id, '--to', url, '--json')
    codes.push([code, stdout, error.moneyMoved])
  }
  expect(codes).toEqual([
    [5, '', 'no'],
    [9, '', 'no'],
    [11, '', 'no'],
  ])
  const shown = await paydesk(['callback', 'show', id, '--json'], { home })
  expect((shown.json.attempts as { outcome: string }[]).map(({ outcome }) => outcome)).toEqual([
    'refused',
    'unanswered',
    'unsent',
  ])
})

test('callback replay: a redirect is refused (5), and not followed', async () => {
  const home = newHome()
  const [id = ''] = await received(home, payment)
  const to = await program(() => 302)
  expect(await replay(home, id, '--to', to.url)).toMatchObject({ code: 5 })
  expect(to.taken).toHaveLength(1)
})

test('callback replay: no id, an id with --since, and no target are refused (2); an unknown id is 6', async () => {
  const home = newHome()
  const [id = ''] = await received(home, payment)
  expect(await replay(home)).toMatchObject({ code: 2 })
  expect(await replay(home, id, '--since', '2026-01-01')).toMatchObject({ code: 2 })
  expect(await replay(home, id)).toMatchObject({ code: 2, stderr: expect.stringContaining('--to') })
  expect(await replay(home, 'cb-nothing', '--to', 'http://127.0.0.1:1/')).toMatchObject({ code: 6 })
  expect((await replay(home, id, '--to', 'http://pay.example.invalid/')).stderr).toContain('plain http')
})
