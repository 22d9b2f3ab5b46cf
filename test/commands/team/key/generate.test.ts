import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../../kit/program.ts'

test('team key generate: writes a private key (0600), tells the public key, and overwrites nothing (2)', async () => {
  const home = newHome()
  const file = join(home, 'nino.key')
  const made = await paydesk(['team', 'key', 'generate', file, '--json'], { home })
  expect(made.json, made.stderr).toEqual({
    privateKeyFile: file,
    publicKey: expect.stringMatching(/^ed25519:[A-Za-z0-9_-]{43}$/),
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const pem = readFileSync(file, 'utf8')
  expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  expect(made.stdout).not.toContain(pem.split('\n')[1] ?? '')
  const again = await paydesk(['team', 'key', 'generate', file], { home })
  expect(again.code).toBe(2)
  expect(readFileSync(file, 'utf8')).toBe(pem)
  expect((await paydesk(['team', 'key', 'generate', join(home, 'other.key')], { home })).stdout).toContain('(keep it)')
})
