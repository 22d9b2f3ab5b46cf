import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'

const clientId = '3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11'
const base = ['profile', 'add', 'acme', '--base-url', 'https://pay.example.com/', '--environment', 'live']

function configOf(home: string): string {
  return join(home, 'config', 'config.json')
}

test('a profile is added without questions, and the document says what is kept', async () => {
  const home = newHome()
  const secret = join(home, 'secret')
  writeFileSync(secret, 's3cret\n', { mode: 0o600 })
  const argv = [...base, '--client-id', clientId, '--client-secret-file', secret, '--use', '--json']
  const { code, json, stdout, stderr } = await paydesk(argv, { home })
  expect([code, stderr]).toEqual([0, ''])
  expect(json).toMatchObject({
    name: 'acme',
    environment: 'live',
    baseUrl: 'https://pay.example.com',
    default: true,
    duplicateGuard: 'refuse',
    clientSecret: { from: 'file', there: true },
    extended: false,
    warnings: [],
  })
  expect(stdout).not.toContain('s3cret')
  expect(statSync(configOf(home)).mode & 0o777).toBe(0o600)
})

test('a secret from stdin with --store-secrets is kept and shown nowhere', async () => {
  const home = newHome()
  const argv = [...base, '--client-id', clientId, '--client-secret-stdin', '--store-secrets']
  const { code, stdout, stderr } = await paydesk(argv, { home, stdin: 's3cret\n' })
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain('s3cret')
  expect(readFileSync(configOf(home), 'utf8')).toContain('"s3cret"')
})

test('every wrong flag is named in one answer, exit 2, and nothing is written', async () => {
  const home = newHome()
  const argv = ['profile', 'add', 'sandbox', '--base-url', 'http://127.0.0.1:1', '--environment', 'live', '--json']
  const { code, stdout, error } = await paydesk([...argv, '--client-id', '7', '--order-type', 'X'], { home })
  expect([code, stdout]).toEqual([2, ''])
  const { message } = error
  for (const said of [
    'the name is built in',
    '--base-url must be https',
    '--client-id must be',
    '--order-type must be',
  ]) {
    expect(message).toContain(said)
  }
  expect(existsSync(configOf(home))).toBe(false)
})

test('a secret is never an argument, and one typed as such is not repeated', async () => {
  for (const typed of [['--client-secret', 's3cret'], ['--client-secret=s3cret']]) {
    const { code, stdout, stderr } = await paydesk([...base, ...typed], { home: newHome() })
    expect(code).toBe(2)
    expect(stdout + stderr).not.toContain('s3cret')
  }
})

test('a secret file that others may read is a warning on stderr, or in the document', async () => {
  const home = newHome()
  const secret = join(home, 'secret')
  writeFileSync(secret, 's', { mode: 0o644 })
  const argv = [...base, '--client-id', clientId, '--client-secret-file', secret]
  expect((await paydesk(argv, { home })).stderr).toContain(`others may read ${secret}`)
  const { json, stderr } = await paydesk([...argv, '--json'], { home })
  expect(stderr).toBe('')
  expect(json).toMatchObject({ extended: true, warnings: [expect.stringContaining(secret)] })
})

test('a profile that exists is not changed in passing', async () => {
  const home = newHome()
  await paydesk(base, { home })
  const argv = ['profile', 'add', 'acme', '--environment', 'test']
  const { code, stderr } = await paydesk(argv, { home })
  expect(code).toBe(2)
  expect(stderr).toContain('--environment would change what the profile has (live); --replace allows it')
  expect((await paydesk([...argv, '--replace', '--json'], { home })).json).toMatchObject({ environment: 'test' })
})
