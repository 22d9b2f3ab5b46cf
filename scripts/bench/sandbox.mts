/**
 * Orders a second that the sandbox answers over HTTP (opened, checked, committed durably, logged, sealed), beside a bare
 * handler that does the same RSA and AES work and one durable commit to the same kind of file, and nothing else. Both run as processes of their own on new files in a temporary directory; rounds take turns, and medians are
 * compared. The bare handler stands on hono; the sandbox is answered by Node's server itself.
 * Exit code 1 below a ratio of 0.8, with one connection 0.75; 2 where the machine was too noisy to judge.
 * `npm run bench:sandbox -- [orders per round] [rounds] [connections]`
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'rolldown'
import { Pool } from 'undici'
import { jsonText, openReceived, seal } from '../../src/lib/envelope/envelope.ts'
import { writeMembers } from '../../src/lib/envelope/layout.ts'
import { judgeRatios, median } from './judge.mts'
import type { Contestant } from './serve.mts'

const scheme = 'oaep-sha256'
const root = join(import.meta.dirname, '..', '..')
/** Where a server that is built elsewhere finds the native package. */
const env = { ...process.env, NODE_PATH: join(root, 'node_modules') }
const [orders = 400, rounds = 9, connections = 8] = process.argv.slice(2).map(Number)
/** One by one every order is a commit of its own, which writes more for the sandbox. */
const least = connections === 1 ? 0.75 : 0.8

/** The order of the README. */
function orderOf(integratorId: string): string {
  return JSON.stringify({
    ...{ amount: 12.5, receiverId: '5a9db0c0-0301-4a11-8c11-000000000301', receiverType: 'BRANCH' },
    ...{ integratorId, integratorOrderId: randomUUID() },
  })
}

class Rival {
  readonly rates: number[] = []
  readonly name: string
  readonly #known: Contestant
  readonly #toService: KeyObject
  readonly #pool: Pool

  constructor(name: string, known: Contestant) {
    this.name = name
    this.#known = known
    this.#toService = createPublicKey({
      key: Buffer.from(known.servicePublicKey, 'base64'),
      format: 'der',
      type: 'spki',
    })
    this.#pool = new Pool(known.url, { connections, pipelining: 1 })
  }

  #body(): string {
    const { integratorId } = this.#known
    return JSON.stringify(
      writeMembers(seal(orderOf(integratorId), { key: this.#toService, scheme, identifier: integratorId })),
    )
  }

  async #send(body: string): Promise<string> {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const answer = await this.#pool
      .request({ method: 'POST', path: this.#known.path, headers, body })
      .catch((error) => {
        throw new Error(this.name, { cause: error })
      })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${this.name} answered ${answer.statusCode}: ${text}`)
    return text
  }

  /** One round: so many orders, sealed before the clock runs. Every connection sends its next when it has its answer. */
  async round(counts: boolean): Promise<void> {
    const bodies = Array.from({ length: orders }, () => this.#body())
    const started = process.hrtime.bigint()
    const line = async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) await this.#send(body)
    }
    await Promise.all(Array.from({ length: connections }, line))
    const seconds = Number(process.hrtime.bigint() - started) / 1e9
    if (counts) this.rates.push(orders / seconds)
  }

  /** Throws unless the answer is the right one: sealed, and of the order that was sent. */
  async check(): Promise<void> {
    const { createPrivateKey } = await import('node:crypto')
    const key = createPrivateKey({ key: Buffer.from(this.#known.privateKey, 'base64'), format: 'der', type: 'pkcs8' })
    const { read } = await openReceived(JSON.parse(await this.#send(this.#body())), { key, scheme }, jsonText)
    if (!JSON.parse(read).integratorOrderId) throw new Error(`${this.name} answered ${read}`)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

/**
 * Both servers as the program is built: tsx gives every function its name as it is made, which the sandbox, made of many,
 * would be measured by.
 */
async function builtServer(directory: string): Promise<string> {
  await build({
    cwd: root,
    logLevel: 'warn',
    input: 'scripts/bench/server.mts',
    platform: 'node',
    external: ['@photostructure/sqlite', '@napi-rs/keyring'],
    output: {
      dir: join(directory, 'built'),
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
    },
  })
  return join(directory, 'built', 'server.cjs')
}

/** The first words of a server about itself. */
async function contestantOf(child: ChildProcess): Promise<Contestant> {
  const gone = once(child, 'exit').then(() => null)
  const [known] = (await Promise.race([once(child, 'message'), gone])) ?? []
  if (!known) throw new Error('a server did not start')
  return known as Contestant
}

async function compare(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'paydesk-bench-'))
  const names = ['paydesk', 'bare'] as const
  const children: ChildProcess[] = []
  try {
    const server = await builtServer(directory)
    for (const name of names) children.push(fork(server, [name, join(directory, name)], { execArgv: [], env }))
    const known = await Promise.all(children.map(contestantOf))
    const rivals = known.map((each, at) => new Rival(names[at] ?? '', each))
    for (const rival of rivals) await rival.check()
    for (let round = -2; round < rounds; round += 1) {
      for (const rival of round % 2 === 0 ? rivals : rivals.toReversed()) await rival.round(round >= 0)
    }
    const [ours = 0, bare = 0] = rivals.map(({ rates }) => median(rates))
    for (const { name, rates } of rivals) {
      const range = `${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`
      process.stdout.write(`${name.padEnd(8)} ${median(rates).toFixed(0).padStart(5)} orders/s  (${range})\n`)
    }
    const ratios = (rivals[0]?.rates ?? []).map((rate, at) => rate / (rivals[1]?.rates[at] ?? 0))
    const { verdict, exit } = judgeRatios(ratios, least)
    const [low, high] = [Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2)]
    const figures = `${median(ratios).toFixed(3)} in the median round (${low} to ${high})`
    process.stdout.write(
      `ratio    ${figures}, ${(ours / bare).toFixed(3)} of the medians; at least ${least}: ${verdict}\n`,
    )
    process.stdout.write(`(${rounds} rounds of ${orders} orders, ${connections} connections, ${scheme}, RSA 2048)\n`)
    process.exitCode = exit
    await Promise.all(rivals.map((rival) => rival.close()))
  } finally {
    for (const child of children) child.kill()
    rmSync(directory, { recursive: true, force: true })
  }
}

await compare()
