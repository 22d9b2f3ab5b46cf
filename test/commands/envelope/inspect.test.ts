import { expect, test } from 'vitest'
import { seal } from '../../../src/lib/envelope/envelope.ts'
import { writeKey } from '../../../src/lib/envelope/key.ts'
import { writeMembers, writeQuery } from '../../../src/lib/envelope/layout.ts'
import { newScene, payload } from '../../kit/envelope.ts'
import { paydesk } from '../../kit/program.ts'

const { home, pair, put } = newScene()
const sealed = seal(payload, { key: pair.publicKey, scheme: 'oaep-sha256', identifier: 'acme' })
const inspect = (argv: string[], stdin = '') => paydesk(['envelope', 'inspect', ...argv], { home, stdin })

test('envelope inspect: layout, sizes and possible schemes are shown without a key', async () => {
  const { code, stdout } = await inspect([], JSON.stringify(writeMembers(sealed)))
  expect(code).toBe(0)
  expect(stdout.replace(/ +/g, ' ')).toBe(
    `layout four-fields
identifier acme
encryptedData 128 characters, standard base64, 96 bytes
encryptedKeys 344 characters, standard base64, 256 bytes
AES blocks 6
RSA key 2048 bits
may be oaep-sha256: AES, its key wrapped with OAEP SHA-256, MGF1 SHA-256
 oaep-sha256-mgf1-sha1: AES, its key wrapped with OAEP SHA-256, MGF1 SHA-1
 pkcs1: AES, its key wrapped with PKCS#1 v1.5

No damage is visible without a key.
`,
  )
})

test('envelope inspect --json: an envelope given as an argument is described with its damage', async () => {
  const query = writeQuery(sealed).replaceAll('%', '%25')
  const { json, code } = await inspect([query, '--json'])
  expect(code).toBe(0)
  expect(json).toMatchObject({ layout: 'query', identifier: 'acme', rsaBits: 2048 })
  expect(json.damage).toContainEqual({
    code: 'percent-encoded',
    where: 'encryptedKeys',
    message: expect.stringContaining('once too often'),
  })
})

test('envelope inspect: a private key is named as such, and never shown', async () => {
  const file = put('pasted', writeKey(pair.privateKey, 'base64'))
  const { code, stdout } = await inspect(['--file', file])
  expect(code).toBe(0)
  expect(stdout).toContain('PRIVATE key')
  expect(stdout).not.toContain(writeKey(pair.privateKey, 'base64').slice(100, 140))
})

test('envelope inspect: text that is no envelope is a finding (0)', async () => {
  expect(await inspect([], 'hello')).toMatchObject({ code: 0, stdout: expect.stringContaining('no-envelope') })
  expect(await inspect([], '')).toMatchObject({ code: 0, stdout: expect.stringContaining('empty') })
})

test('envelope inspect --file: a missing file is refused (2)', async () => {
  expect(await inspect(['--file', `${home}/none`])).toMatchObject({ code: 2, stdout: '' })
})
