import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { RawCallback } from '../../../src/lib/callback/raw.ts'
import { pathOf, type Refused, receive } from '../../../src/lib/callback/receive.ts'
import { gate } from '../../kit/tools.ts'

async function scene(take: (raw: RawCallback) => Promise<unknown>) {
  const refused: Refused[] = []
  const settings = { host: '127.0.0.1', port: 0, path: '/callback', now: () => 7, take }
  const receiver = await receive({ ...settings, onRefused: (each) => refused.push(each) })
  onTestFinished(() => receiver.close())
  return { url: receiver.url, refused, close: () => receiver.close() }
}

/** A slow store: it is ready when the test says so. */
function slowStore() {
  let stored: (id: string) => void = () => undefined
  const id = new Promise<string>((resolve) => {
    stored = resolve
  })
  const { opened: came, open: arrived } = gate()
  const take = () => {
    arrived()
    return id
  }
  return { take, came, store: () => stored('cb-1') }
}

/** Writes these bytes and reads what comes until the connection ends. */
async function raw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end(bytes)
  return text(socket)
}

test.each([
  ['/callback', '/callback'],
  ['/callback/', '/callback'],
  ['/callback?a=/b/', '/callback'],
  ['/callback#x', '/callback'],
  ['http://shop.example/callback?x', '/callback'],
  ['/', '/'],
  ['*', '*'],
])('the path of %s is %s', (target, path) => {
  expect(pathOf(target)).toBe(path)
})

test('the answer waits until it is stored', async () => {
  const { take, came, store } = slowStore()
  const { url } = await scene(take)
  let answered = false
  const answer = fetch(url, { method: 'POST', body: '{}' }).finally(() => {
    answered = true
  })
  await came
  // Others are answered meanwhile.
  for (let others = 0; others < 3; others += 1) expect((await fetch(`${url}/nowhere`)).status).toBe(404)
  expect(answered).toBe(false)
  store()
  const { status, headers } = await answer
  expect([status, headers.get('content-length')]).toEqual([200, '0'])
})

test('headers as they came: their case, their order, those that came twice; bodies in chunks, whole addresses', async () => {
  const taken: RawCallback[] = []
  const { url } = await scene(async (each) => taken.push(each))
  const lines = [
    ...[`POST ${url}?a=1 HTTP/1.1`, `Host: ${new URL(url).host}`, 'X-One: 1', 'x-ONE: 2'],
    ...['Transfer-Encoding: chunked', 'Connection: close', '', '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'],
  ]
  const answer = await raw(url, lines.join('\r\n'))
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(taken).toMatchObject([{ receivedAt: 7, method: 'POST', target: `${url}?a=1` }])
  expect(taken[0]?.body.toString()).toBe('abcde')
  expect(taken[0]?.headers.slice(1, 3)).toEqual([
    ['X-One', '1'],
    ['x-ONE', '2'],
  ])
})

test('bytes that are no HTTP are refused, and the next request is heard', async () => {
  const taken: RawCallback[] = []
  const { url } = await scene(async (each) => taken.push(each))
  expect(await raw(url, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(200)
  expect(taken).toHaveLength(1)
})

test('closing lets one under way be answered', async () => {
  const { take, came, store } = slowStore()
  const { url, close } = await scene(take)
  const answer = fetch(url, { method: 'POST', body: '{}' })
  await came
  const closed = close()
  store()
  expect((await answer).status).toBe(200)
  await closed
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  expect(((await once(socket, 'error')) as [NodeJS.ErrnoException])[0].code).toBe('ECONNREFUSED')
})
