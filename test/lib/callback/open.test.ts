import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openBody, signer, verify } from '../../../src/lib/callback/open.ts'
import { seal } from '../../../src/lib/envelope/envelope.ts'
import { writeMembers } from '../../../src/lib/envelope/layout.ts'
import { newPair } from '../../kit/envelope.ts'

const pair = newPair()
const own = { name: 'own', key: pair.privateKey }

test('an envelope around something that is no object', async () => {
  const list = seal('[1]', { key: pair.publicKey, scheme: 'pkcs1' })
  expect(await openBody(Buffer.from(JSON.stringify(writeMembers(list))), [own])).toMatchObject({
    how: 'unreadable',
    why: expect.stringContaining('JSON, but not an object'),
  })
})

test('whatever the bytes are, it says something', async () => {
  const jsonish = fc.json().map((text) => Buffer.from(text))
  const bytes = fc.uint8Array({ maxLength: 200 }).map((given) => Buffer.from(given))
  const envelopes = fc
    .record({ encryptedData: fc.jsonValue(), encryptedKeys: fc.jsonValue(), aes: fc.jsonValue() }, { requiredKeys: [] })
    .map((members) => Buffer.from(JSON.stringify(members)))
  await fc.assert(
    fc.asyncProperty(fc.oneof(jsonish, bytes, envelopes), async (body) => {
      const opened = await openBody(body, [own])
      if (opened.how === 'plain') expect(JSON.parse(body.toString())).toBeTypeOf('object')
      else expect('why' in opened && opened.why).toBeTruthy()
    }),
  )
})

// The example of the specification (standard-webhooks, "Signature scheme").
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const headers = [
  ['webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek'],
  ['Webhook-Timestamp', '1614265330'],
  ['webhook-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
] as const
const body = Buffer.from('{"test": 2432232314}')
const at = 1_614_265_330_000
const webhook = signer(secret, 'the file')

const replaced = (name: string, ...values: readonly string[]) => [
  ...headers.filter(([each]) => each.toLowerCase() !== name),
  ...values.map((value) => [name, value] as const),
]

test('the example of Standard Webhooks', () => {
  expect(verify(webhook, headers, body, at)).toEqual({ valid: true })
  expect(verify(signer(secret.slice(6), 'the file'), headers, body, at)).toEqual({ valid: true })
})

test.each([
  ['another body', headers, Buffer.from('{"test": 2432232315}'), at],
  ['a body that is no text', headers, Buffer.from([0xff]), at],
  ['another id', replaced('webhook-id', 'msg_x'), body, at],
  ['no id', replaced('webhook-id'), body, at],
  ['an id twice', replaced('webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'msg_x'), body, at],
  ['another second', replaced('webhook-timestamp', '1614265331'), body, at],
  ['a second with something behind it', replaced('webhook-timestamp', '1614265330x'), body, at],
  ['no signature', replaced('webhook-signature', ''), body, at],
  ['another version', replaced('webhook-signature', 'v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='), body, at],
  ['an empty one', replaced('webhook-signature', 'v1,'), body, at],
  ['nothing but a version', replaced('webhook-signature', 'v1'), body, at],
  ['too old', headers, body, at + 301_000],
  ['from the future', headers, body, at - 301_000],
])('not valid: %s', (_what, given, bytes, moment) => {
  expect(verify(webhook, given, bytes, moment)).toMatchObject({ valid: false })
})

test('one of several signatures is enough; five minutes are allowed', () => {
  const several = replaced('webhook-signature', `v1,AAAA v1a,BBBB ${headers[2][1]}`)
  expect(verify(webhook, several, body, at + 300_000)).toEqual({ valid: true })
  expect(verify(webhook, several, body, at - 300_000)).toEqual({ valid: true })
})

test.each(['', 'whsec_', 'whsec_$$$', 'plain text with blanks'])('"%s" is no secret, and is not told', (text) => {
  expect(() => signer(text, 'the file')).toThrow(
    expect.objectContaining({ kind: 'credentials', message: 'the file holds no Standard Webhooks secret' }),
  )
})
