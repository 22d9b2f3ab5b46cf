import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { program, receiver } from '../../kit/callback.ts'

/** Half of a request, and the end of the connection, as of a process that is killed under way. */
async function halfTo(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST /hook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"half":')
  await wait(50)
  socket.resetAndDestroy()
  await wait(50)
}

test('a request that is broken off under way is not taken by the receivers of these tests, and ends none of them', async () => {
  const [to, hook] = [await program(), await receiver()]
  await halfTo(to.url)
  await halfTo(hook.url)
  const whole = async (url: string) => (await fetch(url, { method: 'POST', body: '{"whole":1}' })).status
  expect([await whole(to.url), await whole(hook.url)]).toEqual([200, 200])
  expect(to.taken.map(({ body }) => body.toString())).toEqual(['{"whole":1}'])
  expect(hook.arrived.map(({ body }) => body)).toEqual(['{"whole":1}'])
})
