// A receiver of callbacks, made by hand, and a sandbox whose courier brings them.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { open } from '../../../src/lib/envelope/envelope.ts'
import { readMembers } from '../../../src/lib/envelope/layout.ts'
import { freshTransport } from '../../../src/lib/http/client.ts'
import { isRecord, readJson } from '../../../src/lib/json.ts'
import type { Attempted } from '../../../src/lib/sandbox/callbacks/courier.ts'
import type { Sandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { watchedNaps } from '../run/rounds.ts'
import { until } from '../run/until.ts'
import { type Fields, type Integrator, integratorNamed } from '../sandbox/integrator.ts'
import { handClock, memorySandbox, served } from '../sandbox/stand.ts'
import { bodyOf } from './body.ts'

export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An HTTP status, with a place to go to if it is one, and words of its own; or no answer at all. */
export type Reply = number | { readonly status: number; readonly body: string } | 'hang' | 'reset'

export async function receiver(reply: (arrived: Arrived, count: number) => Reply | Promise<Reply> = () => 200) {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (!body) return
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: String(body) }
    arrived.push(one)
    const said = await reply(one, arrived.length)
    if (said === 'hang') return
    if (said === 'reset') request.socket.destroy()
    else {
      const { status, body: words } = typeof said === 'number' ? { status: said, body: 'thank you' } : said
      response.writeHead(status, { location: '/elsewhere' }).end(words)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ url, arrived, came: (count: number) => until(`${count} came`, () => arrived.length >= count, 10_000) },
    get last(): Arrived {
      const one = arrived.at(-1)
      if (!one) throw new Error('nothing came')
      return one
    },
  }
}

/** The content of a callback: opened with the integrator's own key, or as it is. */
export async function read({ body }: Arrived, { party }: Integrator): Promise<Record<string, unknown>> {
  const members = readJson(body)
  if (!isRecord(members)) throw new Error('no object')
  const layout = readMembers(members)
  if (!layout.ok) return JSON.parse(body) as Record<string, unknown>
  const { own, scheme } = party
  return JSON.parse(await open(layout.envelope, { key: own, scheme })) as Record<string, unknown>
}

/** Sends what is due until the test ends, or until it is closed. */
export function courierOf(sandbox: Sandbox) {
  const attempts: Attempted[] = []
  const courier = sandbox.callbacks.courier({
    transport: freshTransport(),
    onAttempt: (attempted) => attempts.push(attempted),
  })
  onTestFinished(() => courier.close())
  return { ...courier, attempts }
}

/** A sandbox in memory whose clock stands still until it is moved, though the courier does not. */
export async function desk(name?: string) {
  const hand = handClock()
  const clock = watchedNaps(hand)
  const sandbox = await memorySandbox(clock)
  const { url } = await served(sandbox)
  const us = await integratorNamed(sandbox, url, name)
  const list = async (order?: string) => await sandbox.callbacks.list(order)
  return {
    ...{ clock: hand, looks: clock.looks, sandbox, us, list },
    /** An order that was paid, or was to be. */
    paid: async (fields: Fields, card?: string) => {
      const order = await us.created(fields)
      await sandbox.trigger({ what: 'paid', order, card })
      return order
    },
  }
}
