import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { realClock, realRandom } from '../../../../src/lib/edge.ts'
import { freshTransport } from '../../../../src/lib/http/client.ts'
import { removeAddress, runningServer, writeAddress } from '../../../../src/lib/sandbox/server/address.ts'
import { openBuiltIn, usualPort } from '../../../../src/lib/sandbox/server/builtin.ts'
import { serve } from '../../../../src/lib/sandbox/server/server.ts'
import { cachedPairs } from '../../../kit/key-pairs.ts'
import { paydesk } from '../../../kit/program.ts'
import { bodyOf } from '../../../kit/sandbox/callers.ts'
import { fileSandbox, freshDirectory, memorySandbox, served } from '../../../kit/sandbox/stand.ts'
import { done, order, place } from '../../../kit/world.ts'

/** No process has it: Linux and macOS give away smaller ones. */
const deadPid = 2 ** 30

async function reached(how: 'attach' | 'consult', directory: string, random = realRandom) {
  const opened = await openBuiltIn(directory, realClock, random)
  onTestFinished(() => opened.close())
  return { ...(await opened[how]()), close: () => opened.close() }
}

const builtIn = (directory: string) => reached('attach', directory)

async function signsIn({ url, clients }: Awaited<ReturnType<typeof reached>>): Promise<number | string> {
  const [client] = clients
  const fields = { client_id: client?.clientId, client_secret: client?.clientSecret, grant_type: 'client_credentials' }
  const delivery = await freshTransport()(
    url,
    { method: 'POST', path: '/api/auth', query: [], headers: {}, body: bodyOf(fields) },
    { connectTimeout: 2000, answerTimeout: 2000, signal: new AbortController().signal },
  )
  return delivery.kind === 'answered' ? delivery.answer.status : delivery.kind
}

async function running(directory: string) {
  const sandbox = await fileSandbox(directory, realClock)
  const server = await served(sandbox)
  const { worldId } = await sandbox.world()
  const address = { url: server.url, pid: process.pid }
  writeAddress(directory, address)
  return { sandbox, server, worldId, address }
}

test('with nothing running the built-in sandbox is a real server in this process', async () => {
  const directory = freshDirectory()
  const built = await builtIn(directory)
  expect(built.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await signsIn(built)).toBe(200)
  await built.close()
  expect(await signsIn(built)).toBe('unsent')
})

test('with nothing running payers are sent to where `sandbox start` will listen', async () => {
  const around = place()
  const made = await paydesk(order(), around)
  const { urlForQR } = (await done(order({ key: 's1' }), around)).json
  expect(urlForQR).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${usualPort}/checkout/`))
  expect(made.stderr).toContain('timers and callbacks need `paydesk sandbox start`')
  const { server } = await running(join(around.home, 'sandbox'))
  const page = await fetch(String(urlForQR).replace(String(usualPort), String(server.port)))
  expect(page.status).toBe(200)
  const later = (await done(order(), around)).json.urlForQR
  expect(later).toMatch(new RegExp(`^${server.url}/checkout/`))
})

test('a sandbox that runs on this world is used, and goes on when the command has ended', async () => {
  const directory = freshDirectory()
  const { server, worldId } = await running(directory)
  const built = await builtIn(directory)
  expect([built.url, built.worldId]).toEqual([server.url, worldId])
  expect(await signsIn(built)).toBe(200)
  await built.close()
  expect(await signsIn(built)).toBe(200)
})

test('the address is left 0600 and taken back by who left it', async () => {
  const directory = freshDirectory()
  const { address, worldId } = await running(directory)
  const file = join(directory, 'server.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(address)
  expect(await runningServer(directory, worldId)).toEqual(address)
  removeAddress(directory)
  expect(existsSync(file)).toBe(false)
})

const stale: [string, (directory: string) => Promise<string>][] = [
  [
    'of a dead process',
    async (directory) => {
      const { server } = await running(directory)
      return JSON.stringify({ url: server.url, pid: deadPid })
    },
  ],
  [
    'of a sandbox with another world',
    async () => {
      const server = await served(await memorySandbox(realClock))
      return JSON.stringify({ url: server.url, pid: process.pid })
    },
  ],
  [
    'where nothing listens',
    async () => {
      const server = await serve(await memorySandbox(realClock))
      await server.close()
      return JSON.stringify({ url: server.url, pid: process.pid })
    },
  ],
  ['that is empty', async () => ''],
  ['that is no JSON', async () => '{"url":'],
  ['that is another JSON', async () => '["http://127.0.0.1:1"]'],
  ['without a usable url', async () => JSON.stringify({ url: 'nowhere', pid: process.pid })],
  ['with a pid of every process', async () => JSON.stringify({ url: 'http://127.0.0.1:1', pid: -1 })],
]

for (const [words, text] of stale) {
  test(`an address file ${words} is ignored, and a new server replaces it`, async () => {
    const directory = freshDirectory()
    const left = await text(directory)
    writeFileSync(join(directory, 'server.json'), left)
    const built = await builtIn(directory)
    expect(left).not.toContain(built.url)
    expect(await signsIn(built)).toBe(200)
    const address = { url: built.url, pid: process.pid }
    writeAddress(directory, address)
    expect(await runningServer(directory, built.worldId)).toEqual(address)
  })
}

test('a command that sends nothing learns who exists without a socket', async () => {
  const directory = freshDirectory()
  const here = await reached('consult', directory)
  expect(here.url).toBe('http://127.0.0.1:4010')
  const { worldId, clients } = await builtIn(directory)
  expect([here.worldId, here.clients.map(({ clientSecret }) => clientSecret)]).toEqual([
    worldId,
    clients.map(({ clientSecret }) => clientSecret),
  ])
  const { server } = await running(directory)
  expect((await reached('consult', directory)).url).toBe(server.url)
})

test('integrators come with what seals and opens, and whether a payer finds a checkout page', async () => {
  const directory = freshDirectory()
  const alone = await reached('attach', directory, cachedPairs)
  const { integrators, walletIntegrators } = await (await fileSandbox(directory, realClock)).wholeWorld()
  const [first] = integrators
  expect(alone.running).toBe(false)
  expect(await alone.integrator('sandbox')).toEqual({
    integratorId: first?.integratorId,
    orderType: 'DEFAULT',
    scheme: 'oaep-sha256',
    servicePublicKey: first?.servicePublicKey,
    servicePrivateKey: expect.any(String),
    privateKey: first?.privateKey,
  })
  expect(await alone.walletIntegrator('sandbox')).toEqual({
    identifier: walletIntegrators[0]?.identifier,
    scheme: 'rsa-pkcs1',
    servicePublicKey: walletIntegrators[0]?.servicePublicKey,
    servicePrivateKey: expect.any(String),
    privateKey: walletIntegrators[0]?.privateKey,
  })
  expect([await alone.integrator('nobody'), await alone.walletIntegrator('sandbox-bare')]).toEqual([null, null])
  await running(directory)
  const beside = await reached('attach', directory, cachedPairs)
  const asked = await reached('consult', directory, cachedPairs)
  expect([beside.running, asked.running]).toEqual([true, true])
  expect(await asked.integrator('sandbox')).toEqual(await alone.integrator('sandbox'))
})
