/**
 * The desk against golden messages: what it sends is compared with bytes written from the specification alone, and what
 * it is answered with is such a message too. The sandbox meets the same files in test/lib/sandbox.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flagName } from '../../../src/lib/cli/flags/fields.ts'
import { compareRequest } from '../../golden/compare.ts'
import { fillRequest, loadPair, type Pair } from '../../golden/golden.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { wire } from '../../kit/wire.ts'

const folder = join(import.meta.dirname, '..', '..', 'golden', 'area-a')
const transactionId = '9007199254740993'

const known: Readonly<Record<string, string>> = {
  client_id: '5a9db0c0-0001-4a11-8c11-000000000001',
  client_secret: 'a-secret-of-the-test',
  access_token: 'token-of-the-test',
  receiver_access_token: 'token-of-the-test',
  receiver_client_id: '5a9db0c0-0001-4a11-8c11-000000000001',
  receiver_client_secret: 'a-secret-of-the-test',
  receiver_id: '5a9db0c0-0011-4a11-8c11-000000000011',
  receiver_type: 'BRANCH',
  from_iban: 'GE18SB1000000000000014',
  unique_id: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a10',
  unique_id_a: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
  unique_id_b: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a12',
  unique_id_c: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a13',
  unique_id_d: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a14',
  transaction_id: transactionId,
  transaction_id_full: transactionId,
  transaction_id_restricted: transactionId,
}

const samples: Readonly<Record<string, string>> = {
  number: transactionId,
  amount: '0.07',
  text: 'To be Signed',
  local_datetime: '2026-11-20T13:04:56.123456',
  payout_status: 'PENDING',
  iban: 'GE78SB1000000000000001',
}

/** A golden answer with its holes filled, as bytes. */
function filledAnswer({ answer }: Pair): Buffer {
  const [head = '', body = ''] = answer.toString('utf8').split('\r\n\r\n')
  const filled = body.replace(/\{\{(?:(\w+):)?(\w+)\??\}\}/g, (hole, type: string | undefined, name: string) => {
    if (name === 'expires_in') return '1800'
    const value = known[name] ?? samples[type ?? name]
    if (value === undefined) throw new Error(`the golden answer has an unknown hole ${hole}`)
    return value
  })
  const length = Buffer.byteLength(filled)
  return Buffer.from(`${head}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${filled}`)
}

function isWhole(raw: Buffer): boolean {
  const text = raw.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, end))?.[1] ?? 0)
  return end >= 0 && raw.length >= end + 4 + length
}

/** A service that answers the first request with the first pair's answer, and so on, and keeps what it was sent. */
async function replaying(pairs: readonly Pair[]): Promise<{ url: string; received: Buffer[] }> {
  const received: Buffer[] = []
  const { url } = await wire((socket) => {
    let raw = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      raw = Buffer.concat([raw, chunk])
      if (!isWhole(raw)) return
      const pair = pairs[received.length]
      received.push(raw)
      socket.end(pair ? filledAnswer(pair) : '')
    })
  })
  return { url, received }
}

async function deskAt(url: string): Promise<string> {
  const home = newHome()
  mkdirSync(home, { recursive: true })
  const secret = join(home, 'secret')
  writeFileSync(secret, known.client_secret ?? '', { mode: 0o600 })
  const profile = ['profile', 'add', 'golden', '--base-url', url, '--environment', 'test', '--allow-restricted']
  const added = await paydesk(
    [...profile, '--client-id', known.client_id ?? '', '--client-secret-file', secret, '--use'],
    { home },
  )
  expect(added.code, added.stderr).toBe(0)
  return home
}

/** The flags that stand for a golden request body; amounts digit for digit. */
function flagsOf(pair: Pair): string[] {
  const body =
    fillRequest(pair.request, { ...known, host: 'unused' })
      .bytes.toString('utf8')
      .split('\r\n\r\n')[1] ?? ''
  const members = [...body.matchAll(/"(\w+)":(?:"((?:[^"\\]|\\.)*)"|([\d.]+))/g)]
  return members.flatMap(([, name = '', text, number]) => [
    `--${flagName(name)}`,
    number ?? (JSON.parse(`"${text}"`) as string),
  ])
}

async function exchanged(signIn: string, name: string, argv: (pair: Pair) => string[]) {
  const pairs = [loadPair(folder, signIn), loadPair(folder, name)]
  const service = await replaying(pairs)
  const home = await deskAt(service.url)
  const [, pair] = pairs
  if (!pair) throw new Error('no pair')
  const ended = await paydesk([...argv(pair), '--json'], { home })
  const differences = pairs.flatMap(({ request }, index) => {
    const values = { ...known, host: service.url.replace('http://', '') }
    return compareRequest(request, service.received[index] ?? Buffer.alloc(0), values).differences
  })
  return { ended, differences, count: service.received.length }
}

test.each([
  ['03-create-by-iban', '01-sign-in'],
  ['04-create-by-iban-every-field', '01-sign-in'],
  ['05-create-by-receiver', '02-sign-in-receiver-client'],
  ['06-create-by-receiver-restricted', '02-sign-in-receiver-client'],
])('payout create sends exactly the golden request %s and reads its answer', async (name, signIn) => {
  const { ended, differences, count } = await exchanged(signIn, name, (pair) => [
    'payout',
    'create',
    '--yes',
    ...flagsOf(pair),
  ])
  expect(differences).toEqual([])
  expect(count).toBe(2)
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.json).toMatchObject({ outcome: 'accepted', transactionId, status: 'PENDING' })
})

test.each(['07-details', '08-details-every-field', '09-details-restricted'])(
  'payout get sends exactly the golden request %s and reads its answer',
  async (name) => {
    const signIn = name.startsWith('09') ? '02-sign-in-receiver-client' : '01-sign-in'
    const { ended, differences } = await exchanged(signIn, name, () => ['payout', 'get', transactionId])
    expect(differences).toEqual([])
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ transactionId, status: 'PENDING', createdAt: '2026-11-20T13:04:56.123456' })
  },
)

test('payout balance sends exactly the golden request and reads its answer', async () => {
  const argv = () => ['payout', 'balance', '--currency', 'GEL']
  const { ended, differences } = await exchanged('01-sign-in', '10-balance-gel', argv)
  expect(differences).toEqual([])
  expect(JSON.parse(ended.stdout)).toEqual([{ currency: 'GEL', amount: 0.07, note: null }])
})
