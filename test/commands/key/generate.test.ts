import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPrivateKey, readPublicKey } from '../../../src/lib/envelope/key.ts'
import { newHome, paydesk } from '../../kit/program.ts'

const generate = (home: string, ...argv: string[]) => paydesk(['key', 'generate', '--bits', '2048', ...argv], { home })

test('key generate: both halves are written as one line each that only the owner can read', async () => {
  const home = newHome()
  const [secret, open] = [join(home, 'own.key'), join(home, 'own.public')]
  const ended = await generate(home, '--private-key', secret, '--public-key', open, '--json')
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect(ended.json).toEqual({
    kind: 'RSA',
    bits: 2048,
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    privateKeyFile: secret,
    publicKeyFile: open,
  })
  for (const file of [secret, open]) {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toMatch(/^MII[\w+/]+=*\n$/)
  }
  expect(readPrivateKey(readFileSync(secret), 'x').type).toBe('private')
  expect(readPublicKey(readFileSync(open), 'x').type).toBe('public')
  expect(ended.stdout).not.toContain(readFileSync(secret, 'utf8').slice(0, 60))
})

test('key generate --pem: both halves are PEM, and the public one stands beside the private one', async () => {
  const home = newHome()
  const secret = join(home, 'own.pem')
  const { code, stdout } = await generate(home, '--private-key', secret, '--pem')
  expect(code).toBe(0)
  expect(readFileSync(secret, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
  expect(readFileSync(`${secret}.pub`, 'utf8')).toMatch(/^-----BEGIN PUBLIC KEY-----\n/)
  for (const word of ['RSA pair of 2048 bits', secret, `${secret}.pub`, 'fingerprint']) expect(stdout).toContain(word)
})

test('key generate: the usual size is 4096 bits', async () => {
  const home = newHome()
  const { json } = await paydesk(['key', 'generate', '--private-key', join(home, 'k'), '--json'], { home })
  expect(json.bits).toBe(4096)
})

test('key generate: a file is never overwritten (2), and no half of a pair is left behind', async () => {
  const home = newHome()
  const [secret, open] = [join(home, 'own.key'), join(home, 'own.key.pub')]
  writeFileSync(open, 'mine')
  const ended = await generate(home, '--private-key', secret)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain('already exists')
  expect(existsSync(secret)).toBe(false)
  expect(readFileSync(open, 'utf8')).toBe('mine')
})

test.each([
  ['no --private-key', [], /private-key/],
  ['a directory that does not exist', ['--private-key', '/nowhere/own.key'], /there is no such directory/],
  ['a size of 1024 bits', ['--private-key', 'x', '--bits', '1024'], /--bits/],
])('key generate: %s is refused (2)', async (_what, argv, words) => {
  const ended = await paydesk(['key', 'generate', ...argv], { home: newHome() })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toMatch(words)
})
