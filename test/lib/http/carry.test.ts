import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { carried } from '../../../src/lib/http/carry.ts'

test('a request that was given up while its connection was made never leaves, though the connection stands later', async () => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(String(request.url))
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connected = once(server, 'connection')
  const toSocket = buildConnector({})
  const agent = new Agent({
    connect: (wanted, told) => void setTimeout(() => toSocket(wanted, told), 300),
  })
  onTestFinished(async () => {
    await agent.destroy()
    server.close()
  })
  const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/late`)
  const limits = { connectTimeout: 100, answerTimeout: 5_000, signal: new AbortController().signal }
  const late = await carried(agent, address, { method: 'POST', headers: {}, body: '{}' }, limits)
  expect(late).toEqual({ kind: 'unsent', why: 'no connection within 0.1 s' })
  // What went over the connection before the next request would be seen before it.
  await connected
  address.pathname = '/next'
  const next = await carried(
    agent,
    address,
    { method: 'POST', headers: {}, body: '{}' },
    { ...limits, connectTimeout: 5_000 },
  )
  expect(next).toMatchObject({ kind: 'answered' })
  expect(seen).toEqual(['/next'])
})
