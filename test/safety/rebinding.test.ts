/**
 * A web page against the two servers of paydesk: by a name of its own that leads to this machine (DNS rebinding), and
 * by a form or a fetch to 127.0.0.1.
 */
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { readAllowedHosts } from '../../src/lib/http/host-check.ts'
import { answers } from '../kit/callback.ts'
import { type Ended, newHome, paydesk } from '../kit/program.ts'
import { type RawHeaders, requestLines, sendRaw } from '../kit/service.ts'
import { freePort, until } from '../kit/tools.ts'

interface Up {
  readonly port: number
  readonly home: string
  /** What it has written to stderr so far. */
  readonly stderr: () => string
  /** Ends it by SIGTERM. */
  readonly stop: () => Promise<Ended>
}

/** The server of this command, until the test ends. */
async function up(argv: readonly string[]): Promise<Up> {
  const [home, port] = [newHome(), await freePort()]
  let screen = ''
  let send: (signal: 'SIGTERM') => void = () => undefined
  let ended: Ended | undefined
  const end = paydesk([...argv, '--port', String(port)], {
    home,
    signals: (given) => {
      send = given
    },
    dialogue: (seen) => {
      screen = seen
    },
  }).then((result) => {
    ended = result
    return result
  })
  const stop = () => {
    send('SIGTERM')
    return end
  }
  onTestFinished(async () => void (await stop()))
  await until('it listens', async () => ended !== undefined || (await answers(port)))
  if (ended) throw new Error(`it ended: ${ended.stderr}`)
  return { home, port, stderr: () => screen, stop }
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

for (const argv of [listen, sandbox]) {
  const name = argv.join(' ')

  test(`${name}: its own addresses are answered, any other name is refused (421) and told once`, async () => {
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

  test(`${name}, two hosts or a malformed one in a request: refused (400, 421)`, async () => {
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

  test(`${name}, a request of a page of another site: refused (403) and told once; without an origin it is taken`, async () => {
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

  test(`${name} --allow-host: that name is answered, names above and below it are refused (421)`, async () => {
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

  test(`${name} --host 0.0.0.0: every address of the machine is answered, any name is refused (421)`, async () => {
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

  test(`${name} --json, a refused name: one event or one warning for it, and one error line at the end (143)`, async () => {
    const server = await up([...argv, '--json'])
    await write(argv, server, { Host: 'evil.example' })
    await write(argv, server, { Host: 'evil.example' })
    const ended = await server.stop()
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
}

test.each(['https://shop.example', 'shop.example:443', '', '*', 'a b', '*.example', 'x/y'])(
  '--allow-host "%s": no host name, usage (2)',
  (typed) => {
    expect(() => readAllowedHosts([typed])).toThrow(expect.objectContaining({ kind: 'usage' }))
  },
)

test('callback listen, a plain-text POST of a page of another site: refused (403), no callback is stored', async () => {
  const server = await up(listen)
  const Host = `127.0.0.1:${server.port}`
  const page = { Host, Origin: 'https://evil.example', 'Content-Type': 'text/plain' }
  expect((await write(listen, server, page)).status).toBe(403)
  expect((await paydesk(['callback', 'list', '--json'], { home: server.home })).json).toEqual([])
})

test('sandbox start, a refused request with a body of 3 MB: its answer (421) is read all the same', async () => {
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
