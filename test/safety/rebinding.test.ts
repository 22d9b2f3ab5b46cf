/**
 * A web page against the two servers of paydesk: by a name of its own that leads to this machine (DNS rebinding), and by a
 * form or a fetch to 127.0.0.1. The built program, spoken to over raw sockets.
 */
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Running, start } from '../kit/program/built-paydesk.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { until } from '../kit/run/until.ts'
import { slice } from '../kit/run/whole.ts'
import { type RawHeaders, requestLines, sendRaw } from '../kit/service/raw-http.ts'

interface Up extends Running {
  readonly port: number
  readonly home: string
  readonly stderr: () => string
  readonly stdout: () => string
}

async function up(argv: readonly string[]): Promise<Up> {
  const home = newHome()
  const running = start([...argv, '--port', '0'], home)
  const heard = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    running.child[name]?.on('data', (piece) => {
      heard[name] += String(piece)
    })
  }
  onTestFinished(async () => {
    running.child.kill('SIGKILL')
    await running.end
  })
  const url = () => /http:\/\/[^\s"/]+:(\d+)/.exec(heard.stdout)?.[1]
  await until('it listens', async () => url() !== undefined || running.child.exitCode !== null)
  if (url() === undefined) throw new Error(`it ended: ${heard.stderr}`)
  return { ...running, home, port: Number(url()), stdout: () => heard.stdout, stderr: () => heard.stderr }
}

const listen = ['callback', 'listen']
const sandbox = ['sandbox', 'start']
const callback = '{"status":"SUCCESS"}'

function write(argv: readonly string[], { port }: Up, headers: RawHeaders, version = '1.1') {
  const [path, body] = argv === listen ? ['/callback', callback] : ['/api/auth', '{}']
  return sendRaw({ port }, requestLines(`POST ${path} HTTP/${version}`, headers, body), body)
}

/** The status of what was taken: a sign-in without credentials is refused by the service itself. */
const taken = new Map([
  [listen, 200],
  [sandbox, 400],
])

describe.each([
  ['callback listen', listen],
  ['sandbox start', sandbox],
] as const)('%s', (_name, argv) => {
  test('answers to its own addresses, and to no other name', { timeout: 60_000 }, async () => {
    const server = await up(argv)
    const { port } = server
    const own = [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST.:${port}`, `[::1]:${port}`]
    for (const Host of own) expect((await write(argv, server, { Host })).status, Host).toBe(taken.get(argv))
    const foreign = [
      `evil.example:${port}`,
      'evil.example',
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `192.0.2.7:${port}`,
      '127.0.0.1:1',
    ]
    for (const Host of foreign) {
      const answer = await write(argv, server, { Host })
      expect(answer.status, Host).toBe(421)
      expect(answer.body.trim().split('\n'), Host).toHaveLength(1)
    }
    const again = await write(argv, server, { Host: `EVIL.example.:${port}` })
    expect(again.status).toBe(421)
    await until('it is told', async () => server.stderr().includes('127.0.0.1:1'))
    expect(server.stderr().match(/--allow-host evil\.example(?![\w.])/g), 'once per name').toHaveLength(1)
    expect(server.stderr()).toContain('warning: ')
  })

  test('a request that is in doubt about its host is refused', { timeout: 60_000 }, async () => {
    const server = await up(argv)
    const own = `127.0.0.1:${server.port}`
    for (const Host of [[own, 'evil.example'], [own, own], ['evil.example', own], 'a b', '[', `x@${own}`, `${own}/x`]) {
      expect((await write(argv, server, { Host })).status, String(Host)).toBe(400)
    }
    const [path, body] = argv === listen ? ['/callback', callback] : ['/api/auth', '{}']
    const lines = requestLines(`POST http://evil.example${path} HTTP/1.1`, { Host: own }, body)
    expect((await sendRaw(server, lines, body)).status).toBe(421)
    // Browsers always name a host; HTTP/1.0 without one leaves nothing to compare.
    expect((await write(argv, server, {}, '1.0')).status).toBe(400)
    expect((await write(argv, server, {}, '1.1')).status).toBe(400)
    expect((await write(argv, server, { Host: own }, '1.0')).status).toBe(taken.get(argv))
  })

  test('a page of another site writes nothing; what is no browser writes as ever', { timeout: 60_000 }, async () => {
    const server = await up(argv)
    const Host = `127.0.0.1:${server.port}`
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'https://evil.example', 'Content-Type': 'text/plain', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null' },
      { Origin: `http://127.0.0.1:${server.port + 1}` },
      { Origin: `http://evil.example:${server.port}` },
      { Origin: '%%' },
      { Origin: [`http://${Host}`, 'https://evil.example'] },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]
    for (const headers of foreign) {
      expect((await write(argv, server, { Host, ...headers })).status, JSON.stringify(headers)).toBe(403)
    }
    await until('it is told', async () => server.stderr().includes('https://evil.example'))
    expect(server.stderr().match(/https:\/\/evil\.example/g), 'once per origin').toHaveLength(1)
    for (const headers of [{}, { Origin: `http://${Host}`, 'Sec-Fetch-Site': 'same-origin' }]) {
      expect((await write(argv, server, { Host, ...headers })).status).toBe(taken.get(argv))
    }
  })

  test('--allow-host lets a tunnel in, by its name alone', { timeout: 60_000 }, async () => {
    const server = await up([...argv, '--allow-host', 'Shop.Tunnel.example', '--allow-host', 'other.example.'])
    for (const Host of [
      'shop.tunnel.example',
      'SHOP.tunnel.example.:8443',
      'other.example',
      `localhost:${server.port}`,
    ]) {
      expect((await write(argv, server, { Host })).status, Host).toBe(taken.get(argv))
    }
    const [Host, Origin] = ['shop.tunnel.example', 'https://shop.tunnel.example']
    expect((await write(argv, server, { Host, Origin })).status).toBe(taken.get(argv))
    for (const Host of ['tunnel.example', 'x.shop.tunnel.example']) {
      expect((await write(argv, server, { Host })).status, Host).toBe(421)
    }
  })

  const noNames = ['https://shop.example', 'shop.example:443', '', '*', 'a b', '*.example', 'x/y']

  test.each(slice(noNames, argv === listen ? ['shop.example:443'] : ['*']))(
    '--allow-host "%s" is no name: 2',
    async (typed) => {
      const ended = await start([...argv, '--port', '0', '--allow-host', typed, '--json'], newHome()).end
      expect([ended.code, ended.stdout]).toEqual([2, ''])
      expect(ended.stderr).toContain('--allow-host takes a host name')
    },
  )

  test('on every address of the machine it answers to each of them, and to no name', { timeout: 60_000 }, async () => {
    const server = await up([...argv, '--host', '0.0.0.0'])
    const others = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    const addresses = others.filter(({ family }) => family === 'IPv4').map(({ address }) => address)
    for (const host of ['127.0.0.1', 'localhost', ...addresses]) {
      expect((await write(argv, server, { Host: `${host}:${server.port}` })).status, host).toBe(taken.get(argv))
    }
    for (const host of ['192.0.2.7', 'evil.example', '0.0.0.0']) {
      expect((await write(argv, server, { Host: `${host}:${server.port}` })).status, host).toBe(421)
    }
  })

  test('with JSON the refusals do not break the promise of the streams', { timeout: 60_000 }, async () => {
    const server = await up([...argv, '--json'])
    await write(argv, server, { Host: 'evil.example' })
    await write(argv, server, { Host: 'evil.example' })
    server.child.kill('SIGTERM')
    const ended = await server.end
    expect(ended.code).toBe(143)
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
    const events = ended.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const flag = /--allow-host evil\.example/
    if (argv === listen) {
      expect(events).toMatchObject([
        { event: 'ready' },
        { event: 'refused', method: 'POST', target: '/callback', status: 421, why: expect.stringMatching(flag) },
      ])
    } else {
      expect(events).toMatchObject([{ event: 'ready' }])
      expect(JSON.parse(ended.stderr).error.warnings).toEqual([expect.stringMatching(flag)])
    }
  })
})

test('a page cannot store a callback by a plain-text POST', { timeout: 60_000 }, async () => {
  const server = await up(listen)
  const Host = `127.0.0.1:${server.port}`
  const page = { Host, Origin: 'https://evil.example', 'Content-Type': 'text/plain' }
  expect((await write(listen, server, page)).status).toBe(403)
  const list = start(['callback', 'list', '--json'], server.home)
  expect(JSON.parse((await list.end).stdout)).toEqual([])
})

test('a body that is refused may be large: the answer is read all the same', { timeout: 60_000 }, async () => {
  const server = await up(sandbox)
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: 'evil.example', 'content-type': 'text/plain' }
    const asked = request({ port: server.port, host: '127.0.0.1', path: '/api/auth', method: 'POST', headers })
    asked.on('response', (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode))
    })
    asked.on('error', reject)
    asked.end('x'.repeat(3_000_000))
  })
  expect(status).toBe(421)
})
