/** The built listener and the built desk against bodies of the worst letters and of any size, with a client and a server by hand. */
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { start } from '../kit/program/built-paydesk.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'

const mebibyte = 1024 * 1024

async function builtListener() {
  const running = start(['callback', 'listen', '--port', '0', '--json'], newHome())
  onTestFinished(() => void running.child.kill('SIGKILL'))
  const [line] = await new Promise<string[]>((resolve) => {
    createInterface({ input: running.child.stdout as NodeJS.ReadableStream }).once('line', (first) => resolve([first]))
  })
  return { ...running, url: new URL((JSON.parse(line ?? '{}') as { url: string }).url) }
}

/** Posts a body over a socket of its own; the status that comes back, and after how many milliseconds. */
function posted({ port, pathname, host }: URL, body: string): Promise<{ status: number; milliseconds: number }> {
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  const began = performance.now()
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(head + body))
    socket.on('data', (piece) => {
      heard += piece.toString('latin1')
    })
    socket.once('error', reject)
    socket.once('end', () => resolve({ status: Number(heard.split(' ')[1]), milliseconds: performance.now() - began }))
  })
}

const worst: readonly (readonly [string, string])[] = [
  ['blanks in base64', JSON.stringify({ encryptedData: `${' '.repeat(mebibyte)}x` })],
  ['padding in base64', JSON.stringify({ encryptedData: `${'='.repeat(mebibyte)}x` })],
  ['backslashes behind a token', JSON.stringify({ note: `token=[${'\\'.repeat(mebibyte / 2)}` })],
]

test.each(worst)('while 1 MiB of %s arrives, others are answered in seconds, and ^C works', async (_, body) => {
  const { child, end, url } = await builtListener()
  const slowest = async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => posted(url, '{}')))
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    return Math.max(...others.map(({ milliseconds }) => milliseconds))
  }
  // The time they take anyway, on a machine that is busy with other things.
  const calm = await slowest()
  expect((await posted(url, body)).status).toBe(200)
  // The body is opened behind its answer.
  expect(await slowest()).toBeLessThan(3000 + 5 * calm)
  await posted(url, body)
  const began = performance.now()
  child.kill('SIGINT')
  expect((await end).code).toBe(130)
  expect(performance.now() - began).toBeLessThan(5000 + 5 * calm)
})

test('a body of more than 8 MiB is refused, and the listener goes on', async () => {
  const { url } = await builtListener()
  expect((await posted(url, 'x'.repeat(8 * mebibyte + 1))).status).toBe(413)
  expect((await posted(url, '{}')).status).toBe(200)
})

async function created(body: string, status: number) {
  const home = newHome()
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor' ? { status, headers: { 'content-type': 'application/json' }, body } : undefined,
  )
  await addHandProfile(home, service.url)
  const { code, stderr } = await start(create({ profile: 'hand', json: true, timeout: '30s' }), home).end
  return { code, stderr, error: (JSON.parse(stderr) as { error: Record<string, unknown> }).error }
}

test('an answer of more than 8 MiB to a write is no definite answer, and it is said', async () => {
  const { code, error } = await created(JSON.stringify({ transactionId: 4711, note: 'x'.repeat(8 * mebibyte) }), 200)
  expect(code).toBe(9)
  expect(error).toMatchObject({ name: 'unknown', moneyMoved: 'unknown' })
  expect(error.message).toContain('the answer has more than 8 MiB')
})

test('a refusal of 1 MiB of words is cut to 4 KiB, and it is said', async () => {
  const message = `${'\n'.repeat(1024)}${' '.repeat(mebibyte)}x`
  const { code, stderr, error } = await created(JSON.stringify({ message, statusCode: 5038 }), 400)
  expect(code).toBe(5)
  expect(stderr.length).toBeLessThan(20_000)
  expect(error.service).toMatchObject({ statusCode: 5038, message: expect.stringMatching(/… \d+ more characters$/) })
})
