/** Bodies of any size, and of letters that a careless pattern takes minutes for: the listener and the desk go on, and say what they cut. */
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { start } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'

const mebibyte = 1024 * 1024

async function builtListener() {
  const running = start(['callback', 'listen', '--port', '0', '--json'], newHome())
  onTestFinished(() => void running.child.kill('SIGKILL'))
  const [line] = await new Promise<string[]>((resolve) => {
    createInterface({ input: running.child.stdout as NodeJS.ReadableStream }).once('line', (first) => resolve([first]))
  })
  return { ...running, url: new URL((JSON.parse(line ?? '{}') as { url: string }).url) }
}

/** Posts a body over a socket of its own, and gives the status that comes back. */
function posted({ port, pathname, host }: URL, body: string): Promise<number> {
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(head + body))
    socket.on('data', (piece) => {
      answer += piece.toString('latin1')
    })
    socket.once('error', reject)
    socket.once('end', () => resolve(Number(answer.split(' ')[1])))
  })
}

const worst: readonly string[] = [
  JSON.stringify({ encryptedData: `${' '.repeat(mebibyte)}x` }),
  JSON.stringify({ encryptedData: `${'='.repeat(mebibyte)}x` }),
  JSON.stringify({ note: `token=[${'\\'.repeat(mebibyte / 2)}` }),
]

// A pattern that goes back over 1 MiB takes minutes: the limit of the test is the proof. The process starts within it.
test('callback listen: bodies of 1 MiB of blanks, padding or backslashes hold no other callback up, nor ^C (130)', {
  timeout: 30_000,
}, async () => {
  const { child, end, url } = await builtListener()
  for (const body of worst) {
    expect(await posted(url, body)).toBe(200)
    // The body is opened behind its answer.
    const others = await Promise.all(Array.from({ length: 5 }, () => posted(url, '{}')))
    expect(others).toEqual([200, 200, 200, 200, 200])
  }
  for (const body of worst) await posted(url, body)
  child.kill('SIGINT')
  expect((await end).code).toBe(130)
})

test('callback listen: a body of more than 8 MiB is refused (413), and the next callback is taken', async () => {
  const { url } = await builtListener()
  expect(await posted(url, 'x'.repeat(8 * mebibyte + 1))).toBe(413)
  expect(await posted(url, '{}')).toBe(200)
})

async function created(body: string, status: number) {
  const home = newHome()
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor' ? { status, headers: { 'content-type': 'application/json' }, body } : undefined,
  )
  await addHandProfile(home, service.url)
  return paydesk(create({ profile: 'hand', json: true }), { home, clock: hurriedClock(), random: impatient })
}

test('payout create: an answer of more than 8 MiB is unknown, and says so (9)', async () => {
  const { code, error } = await created(JSON.stringify({ transactionId: 4711, note: 'x'.repeat(8 * mebibyte) }), 200)
  expect(code).toBe(9)
  expect(error).toMatchObject({ name: 'unknown', moneyMoved: 'unknown' })
  expect(error.message).toContain('the answer has more than 8 MiB')
})

const manyMembers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]))

test('payout create: an answer of more than 10,000 members, or of more than 32 levels, is unknown, and says so (9)', async () => {
  const many = await created(JSON.stringify({ transactionId: 4711, ...manyMembers(400_000) }), 200)
  expect(many).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
  expect(many.error.message).toContain('the answer has more than 10,000 members')
  const deep = await created(`{"transactionId":4711,"a":${'['.repeat(32)}${']'.repeat(32)}}`, 200)
  expect(deep).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
  expect(deep.error.message).toContain('the answer has more than 32 lists and objects in each other')
})

test.each([
  ['10,000 members', JSON.stringify(manyMembers(10_000)), 'plain', null],
  ['500,000 members', JSON.stringify(manyMembers(500_000)), 'unreadable', 'it has more than 256 KiB'],
  ['10,001 members', JSON.stringify(manyMembers(10_001)), 'unreadable', 'it has more than 10,000 members'],
  [
    '33 levels',
    `{"a":${'['.repeat(32)}${']'.repeat(32)}}`,
    'unreadable',
    'it has more than 32 lists and objects in each other',
  ],
])('callback listen: a callback with %s is stored (200), and opened within the bounds', async (_, body, how, why) => {
  const { child, end, url } = await builtListener()
  expect(await posted(url, body)).toBe(200)
  child.kill('SIGINT')
  const events = (await end).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(events.at(-1)).toMatchObject({ event: 'callback', how, why, bytes: body.length })
})

test('payout create: a refusal with 1 MiB of words is told with 4 KiB of them, and says so (5)', async () => {
  const message = `${'\n'.repeat(1024)}${' '.repeat(mebibyte)}x`
  const { code, stderr, error } = await created(JSON.stringify({ message, statusCode: 5038 }), 400)
  expect(code).toBe(5)
  expect(stderr.length).toBeLessThan(20_000)
  expect(error.service).toMatchObject({ statusCode: 5038, message: expect.stringMatching(/… \d+ more characters$/) })
})
