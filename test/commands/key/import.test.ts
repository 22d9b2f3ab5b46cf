import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fingerprint, writeKey } from '../../../src/lib/envelope/key.ts'
import { newPair } from '../../kit/envelope.ts'
import { newHome, paydesk } from '../../kit/program.ts'

const own = newPair()
const [secret, open] = [writeKey(own.privateKey, 'base64'), writeKey(own.publicKey, 'base64')]

test('key import: a pasted key becomes one line in a file that only the owner can read', async () => {
  const home = newHome()
  const to = join(home, 'service.pub')
  const pasted = `"${writeKey(own.publicKey, 'pem').replaceAll('\n', '\\n')}"`
  const ended = await paydesk(['key', 'import', '--to', to, '--json'], { home, stdin: pasted })
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect(ended.json).toEqual({
    file: to,
    kind: 'RSA',
    half: 'public',
    bits: 2048,
    fingerprint: fingerprint(own.publicKey),
  })
  expect(readFileSync(to, 'utf8')).toBe(open)
  expect(statSync(to).mode & 0o777).toBe(0o600)
})

test('key import --pem: a key from a file is written as PEM, and not shown', async () => {
  const home = newHome()
  writeFileSync(join(home, 'pasted'), secret)
  const to = join(home, 'own.pem')
  const ended = await paydesk(['key', 'import', join(home, 'pasted'), '--to', to, '--pem'], { home })
  expect(ended.code).toBe(0)
  expect(readFileSync(to, 'utf8')).toBe(writeKey(own.privateKey, 'pem'))
  expect(ended.stdout).toContain('private RSA key of 2048 bits')
  expect(ended.stdout).not.toContain(secret.slice(40, 80))
})

test('key import: DER bytes from a file become one line', async () => {
  const home = newHome()
  writeFileSync(join(home, 'der'), own.privateKey.export({ format: 'der', type: 'pkcs1' }))
  const ended = await paydesk(['key', 'import', join(home, 'der'), '--to', join(home, 'k')], { home })
  expect(ended.code).toBe(0)
  expect(readFileSync(join(home, 'k'), 'utf8')).toBe(secret)
})

test('key import --public: the public half of a private key is written; a public key is refused (4)', async () => {
  const home = newHome()
  const ended = await paydesk(['key', 'import', '--public', '--to', join(home, 'p')], { home, stdin: secret })
  expect(ended.code).toBe(0)
  expect(readFileSync(join(home, 'p'), 'utf8')).toBe(open)
  const wrong = await paydesk(['key', 'import', '--public', '--to', join(home, 'q')], { home, stdin: open })
  expect(wrong).toMatchObject({ code: 4, stdout: '' })
})

test.each([
  ['an empty text', '', 4, /is empty/],
  ['prose', 'my key', 4, /stdin is no key/],
  ['half a key', secret.slice(0, 500), 4, /cut off/],
])('key import: %s is refused (4), and no file is written', async (_what, stdin, code, words) => {
  const home = newHome()
  const ended = await paydesk(['key', 'import', '--to', join(home, 'k')], { home, stdin })
  expect([ended.code, ended.stdout]).toEqual([code, ''])
  expect(ended.stderr).toMatch(words)
  expect(existsSync(join(home, 'k'))).toBe(false)
})

test('key import: a file is never overwritten (2)', async () => {
  const home = newHome()
  writeFileSync(join(home, 'k'), 'mine')
  const ended = await paydesk(['key', 'import', '--to', join(home, 'k')], { home, stdin: secret })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(readFileSync(join(home, 'k'), 'utf8')).toBe('mine')
})
