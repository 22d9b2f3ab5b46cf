/** The built listener killed while callbacks come in over real sockets. */

import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CallbackStore } from '../../src/lib/callback/callbacks.ts'
import { digestOf } from '../../src/lib/callback/raw.ts'
import { realClock, realRandom } from '../../src/lib/edge.ts'
import { payment, program, sealed } from '../kit/callback.ts'
import { newScene, type Scene } from '../kit/envelope.ts'
import { type Running, start } from '../kit/process.ts'
import { freePort, until } from '../kit/tools.ts'

/** Processes of the built program, and a storm of requests, on a machine that may be busy with others. */
const patience = { timeout: 300_000 }
const senders = 16

/** A listener that is killed and started again at the same port; every line that any of them printed. */
class Mortal {
  readonly port: number
  readonly lines: Record<string, unknown>[] = []
  readonly #home: string
  readonly #more: readonly string[]
  #running: Running | null = null

  constructor(home: string, port: number, more: readonly string[]) {
    this.#home = home
    this.port = port
    this.#more = more
  }

  async start(): Promise<void> {
    const argv = ['callback', 'listen', '--port', String(this.port), '--json', ...this.#more]
    const running = start(argv, this.#home)
    this.#running = running
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: running.child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        // The last line of one that was killed may be cut off.
        if (!line.endsWith('}')) return
        const event = JSON.parse(line) as Record<string, unknown>
        this.lines.push(event)
        if (event.event === 'ready') resolve()
      })
      void running.end.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)))
    })
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.#running?.child.kill(signal)
    await this.#running?.end
  }
}

function send(agent: Agent, port: number, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sending = request({ agent, port, path: '/callback', method: 'POST', headers }, (answer) => {
      answer.once('end', () => resolve(answer.statusCode ?? 0)).once('error', reject)
      answer.resume()
    })
    sending.once('error', reject).end(body)
  })
}

/** As a service that repeats until it is answered. */
async function insist(agent: Agent, port: number, body: string): Promise<void> {
  for (;;) {
    const status = await send(agent, port, body).catch(() => 0)
    if (status === 200) return
    await wait(5)
  }
}

const orderOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** One in twenty is sealed: opening takes its time, and none of it may delay an answer. */
function bodyOf(number: number, { pair }: Scene): string {
  const said = { ...payment, integratorOrderId: orderOf(number), transactionId: String(number) }
  return number % 20 === 0 ? sealed(said, pair) : JSON.stringify(said)
}

/** Sends so many, and kills the listener so often while it does; gives back what was acknowledged. */
async function storm(
  mortal: Mortal,
  scene: Scene,
  total: number,
  deaths: number,
): Promise<ReadonlyMap<number, string>> {
  const agent = new Agent({ keepAlive: true, maxSockets: senders })
  const acknowledged = new Map<number, string>()
  let next = 0
  const sender = async () => {
    for (let number = next++; number < total; number = next++) {
      const body = bodyOf(number, scene)
      await insist(agent, mortal.port, body)
      acknowledged.set(number, body)
    }
  }
  const killer = async () => {
    for (let death = 1; death <= deaths; death += 1) {
      const moment = Math.floor((total * death) / (deaths + 1))
      await until(`${moment} are acknowledged`, () => acknowledged.size >= moment, 250_000)
      // Not always in the same place of its work.
      await wait((death * 11) % 30)
      await mortal.kill()
      await mortal.start()
    }
  }
  await Promise.all([killer(), ...Array.from({ length: senders }, sender)])
  agent.destroy()
  return acknowledged
}

async function storeOf(home: string) {
  const callbacks = await CallbackStore.open(join(home, 'callbacks', 'callbacks.db'), realClock, realRandom, () => null)
  try {
    const entries = await callbacks.list({ oldestFirst: true })
    const digests = await callbacks.store.read((db) => db.selectFrom('received').select('body_digest').execute())
    return { entries, digests: new Set(digests.map((row) => row.body_digest)), left: await callbacks.firstUnopened() }
  } finally {
    await callbacks.close()
  }
}

/** Every twentieth callback is sealed. */
export function killedListener(count: number, kills: number): void {
  const title = `callback listen killed ${kills} times under ${count} callbacks: every acknowledged one is stored once, opened once`
  test(title, patience, async () => {
    const scene = newScene()
    const mortal = new Mortal(scene.home, await freePort(), ['--private-key', scene.privateKey])
    await mortal.start()
    const acknowledged = await storm(mortal, scene, count, kills)
    await mortal.kill('SIGTERM')
    const { entries, digests, left } = await storeOf(scene.home)
    expect(acknowledged.size).toBe(count)
    const missing = [...acknowledged].filter(([, body]) => !digests.has(digestOf(Buffer.from(body))))
    expect(missing.map(([number]) => number)).toEqual([])
    expect(left).toBeNull()
    // A callback that was stored and not acknowledged was sent again: it is there twice, and the second is marked as a repeat.
    const firsts = entries.filter(({ duplicateOf }) => duplicateOf === null)
    expect(firsts.map(({ integratorOrderId }) => integratorOrderId).toSorted()).toEqual(
      Array.from({ length: count }, (_, number) => orderOf(number)),
    )
    expect(entries.length - firsts.length).toBeLessThanOrEqual(kills * senders)
    for (const { how, integratorOrderId } of entries) {
      expect(how).toBe(Number(integratorOrderId?.slice(-12)) % 20 === 0 ? 'sealed' : 'plain')
    }
    const told = mortal.lines.filter(({ event }) => event === 'callback').map(({ callbackId }) => callbackId)
    expect(new Set(told).size).toBe(told.length)
    // A listener that was killed may have opened some and not said so.
    expect(told.length).toBeGreaterThan(count / 2)
  })
}

/** The target breaks off now and then. */
export function killedForwarder(count: number, kills: number): void {
  const title = `callback listen --forward-to killed ${kills} times under ${count} callbacks: every acknowledged one is delivered`
  test(title, patience, async () => {
    const scene = newScene()
    let answering = 0
    const to = await program(() => {
      answering += 1
      return answering % 30 < 2 ? 'reset' : 200
    })
    const mortal = new Mortal(scene.home, await freePort(), ['--forward-to', to.url])
    await mortal.start()
    const acknowledged = await storm(mortal, scene, count, kills)
    const delivered = async () => (await storeOf(scene.home)).entries.every(({ forward }) => forward === 'delivered')
    const there = () => {
      const bodies = new Set(to.taken.map(({ body }) => body.toString()))
      return [...acknowledged.values()].every((body) => bodies.has(body))
    }
    await until('the last is there', there, 250_000)
    await until('all are noted', delivered, 250_000)
    await mortal.kill('SIGTERM')
    expect(acknowledged.size).toBe(count)
  })
}
