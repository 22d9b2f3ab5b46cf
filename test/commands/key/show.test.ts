import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fingerprint, writeKey } from '../../../src/lib/envelope/key.ts'
import { addProfile, newScene } from '../../kit/envelope.ts'
import { newHome, paydesk } from '../../kit/program.ts'

const { home, pair, privateKey, publicKey, put } = newScene()
const shown = (file: string, half: string) => ({
  file,
  kind: 'RSA',
  half,
  bits: 2048,
  fingerprint: fingerprint(pair.publicKey),
  publicKey: writeKey(pair.publicKey, 'base64').trim(),
})

test('key show: both halves of a pair have one fingerprint, and the private one is never shown', async () => {
  const ended = await paydesk(['key', 'show', privateKey, publicKey, '--json'], { home })
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect(ended.json).toEqual([shown(privateKey, 'private'), shown(publicKey, 'public')])
  const words = await paydesk(['key', 'show', privateKey], { home })
  expect(words.stdout).toContain(fingerprint(pair.publicKey))
  const secret = writeKey(pair.privateKey, 'base64')
  for (const { stdout } of [ended, words]) expect(stdout).not.toContain(secret.slice(500, 540))
})

test('key show -p: the keys of the profile are shown, or that it names none', async () => {
  const keys = ['--private-key', privateKey, '--service-public-key', publicKey]
  await paydesk(addProfile('acme', ...keys), { home })
  const ended = await paydesk(['key', 'show', '-p', 'acme', '--json'], { home })
  expect(ended.json).toEqual([shown(privateKey, 'private'), shown(publicKey, 'public')])
  await paydesk(addProfile('keyless'), { home })
  expect(await paydesk(['key', 'show', '-p', 'keyless'], { home })).toMatchObject({
    code: 0,
    stdout: 'The profile names no keys.\n',
  })
})

test('key show: a private key that others can read is warned about', async () => {
  const file = put('open.key', writeKey(pair.privateKey, 'pem'))
  chmodSync(file, 0o640)
  expect((await paydesk(['key', 'show', file], { home })).stderr).toContain('chmod 600')
})

test.each([
  ['a file that is no key', () => put('prose', 'hello'), /prose is no key/],
  ['a file that is not there', () => '/nowhere/key', /nowhere\/key cannot be read: it does not exist/],
  ['a directory', () => home, /is a directory/],
])('key show: %s is refused (4)', async (_what, file, words) => {
  const ended = await paydesk(['key', 'show', publicKey, file()], { home })
  expect([ended.code, ended.stdout]).toEqual([4, ''])
  expect(ended.stderr).toMatch(words)
})

test('key show: without a file and a profile it is refused (4)', async () => {
  expect(await paydesk(['key', 'show'], { home: newHome() })).toMatchObject({ code: 4, stdout: '' })
})
