import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openBody } from '../../../../src/lib/callback/open/open.ts'
import { seal } from '../../../../src/lib/envelope/envelope.ts'
import { writeMembers, writeQuery } from '../../../../src/lib/envelope/layout.ts'
import { newPair } from '../../../kit/envelope/pair.ts'

const pair = newPair()
const other = { name: 'other', key: newPair().privateKey }
const own = { name: 'own', key: pair.privateKey }
const envelope = seal('{"status":"SUCCESS"}', { key: pair.publicKey, scheme: 'oaep-sha256' })

test.each([
  ['as JSON', JSON.stringify(writeMembers(envelope))],
  ['as JSON in a JSON text', JSON.stringify(JSON.stringify(writeMembers(envelope)))],
  ['as a form', writeQuery(envelope)],
  ['with a byte order mark', `\uFEFF${JSON.stringify(writeMembers(envelope))}`],
  [
    'with base64 in lines',
    JSON.stringify(writeMembers(envelope)).replace(/"encryptedData":"(.{64})/, '"encryptedData":"$1\\r\\n'),
  ],
])('an envelope %s, with the second of two keys', async (_how, text) => {
  expect(await openBody(Buffer.from(text), [other, own])).toMatchObject({
    ...{ how: 'sealed', value: { status: 'SUCCESS' } },
    sealed: { scheme: 'oaep-sha256', key: own },
  })
})

test('an envelope around something that is no object', async () => {
  const list = seal('[1]', { key: pair.publicKey, scheme: 'pkcs1' })
  expect(await openBody(Buffer.from(JSON.stringify(writeMembers(list))), [own])).toMatchObject({
    how: 'unreadable',
    why: expect.stringContaining('JSON, but no object'),
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
