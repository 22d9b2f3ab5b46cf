import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Environment } from '../../../src/lib/edge.ts'
import { Failure } from '../../../src/lib/failure.ts'
import { fetchSecret, secretOf, systemKeyring } from '../../../src/lib/profile/secret.ts'
import type { SecretSource, StoredProfile } from '../../../src/lib/profile/stored.ts'
import { clientId, drawer, memoryKeyring, put } from '../../kit/profile.ts'

function profile(clientSecret?: SecretSource): StoredProfile {
  return {
    name: 'acme',
    baseUrl: 'https://pay.example.com',
    environment: 'test',
    allowRestricted: false,
    clientId,
    ...(clientSecret ? { clientSecret } : {}),
  }
}

function fetch(source?: SecretSource, env: Environment = {}): Promise<string> {
  return fetchSecret(profile(source), env, systemKeyring)
}

async function refusal(source?: SecretSource, env: Environment = {}): Promise<Failure> {
  const error = await fetch(source, env).catch((thrown: unknown) => thrown)
  if (!(error instanceof Failure)) throw new Error(`no Failure but ${error}`)
  expect(error.kind).toBe('credentials')
  return error
}

test('a secret is read from its place when it is needed, so that a new one counts at once', async () => {
  const directory = drawer()
  const path = put(directory, 'secret', 'first\n')
  expect(await fetch({ from: 'file', path })).toBe('first')
  put(directory, 'secret', 'second')
  expect(await fetch({ from: 'file', path })).toBe('second')
  expect(await fetch({ from: 'env', name: 'PAY' }, { PAY: '\uFEFFs\r\n' })).toBe('s')
  expect(await fetch({ from: 'config', value: 's' })).toBe('s')
  const { keyring } = memoryKeyring()
  await keyring.write(`${clientId} at https://pay.example.com`, 's')
  expect(await fetchSecret(profile({ from: 'keyring' }), {}, keyring)).toBe('s')
})

test('PAYDESK_CLIENT_SECRET overrides every source, and an empty one is refused', async () => {
  const env = { PAYDESK_CLIENT_SECRET: 'theirs' }
  for (const source of [undefined, { from: 'config', value: 'mine' }, { from: 'keyring' }] as const) {
    expect(await fetch(source, env)).toBe('theirs')
  }
  const { message } = await refusal({ from: 'config', value: 'mine' }, { PAYDESK_CLIENT_SECRET: '' })
  expect(message).toContain('PAYDESK_CLIENT_SECRET, which is empty')
})

test('a secret that is not there is said with the place where it should be', async () => {
  const directory = drawer()
  const places: readonly (readonly [string, SecretSource?, Environment?])[] = [
    ['is not known'],
    ['PAY, which is not set', { from: 'env', name: 'PAY' }],
    ['PAY, which is empty', { from: 'env', name: 'PAY' }, { PAY: '' }],
    [`${directory}/no: it does not exist`, { from: 'file', path: `${directory}/no` }],
    ['it is a directory', { from: 'file', path: directory }],
    ['is empty', { from: 'file', path: put(directory, 'empty', '\n') }],
    ['it is not a regular file', { from: 'file', path: '/dev/zero' }],
  ]
  for (const [words, source, env] of places) expect((await refusal(source, env)).message).toContain(words)
})

const encodings = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with its mark': (text: string) => Buffer.from(`\uFEFF${text}`),
  'UTF-16 little endian': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 big endian': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
}

test('a secret is the same text in every encoding that has a mark, whatever line breaks stand around it', () => {
  const breaks = fc.array(fc.constantFrom('\n', '\r', '\r\n'), { maxLength: 4 }).map((all) => all.join(''))
  const plain = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/[\s\p{Cc}\p{Cf}]/u.test(text))
  const encoding = fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[]))
  fc.assert(
    fc.property(plain, breaks, breaks, encoding, (secret, before, behind, name) => {
      const text = `${before}${secret}${behind}`
      expect(secretOf(encodings[name](text))).toEqual({ ok: true, secret })
      expect(secretOf(text)).toEqual({ ok: true, secret })
    }),
  )
})

test.each([
  ['two words', 'has a blank in it, as character 4'],
  ['s3cret ', 'has a blank in it, as character 7'],
  ['\ts3cret', 'has a tab in it, as character 1'],
  ['one\ntwo', 'has a line break in it, as character 4'],
  ['s3cret\u00a0', 'has the character U+00A0 in it, as character 7'],
  ['sec\u200bret', 'has the character U+200B in it, as character 4'],
  ['sec\u0007ret', 'has the character U+0007 in it, as character 4'],
])('a secret with white space or an unseen character is refused, not quoted: %j', async (text, complaint) => {
  const directory = drawer()
  const path = put(directory, 'secret', `${text}\n`)
  for (const refused of [
    await refusal({ from: 'file', path }),
    await refusal({ from: 'env', name: 'PAY' }, { PAY: text }),
    await refusal({ from: 'config', value: 's' }, { PAYDESK_CLIENT_SECRET: text }),
  ]) {
    expect(refused.message).toContain(complaint)
    expect(refused.message).not.toContain(text)
  }
})

test('an empty secret, and bytes that are no text, are refused', () => {
  for (const text of ['', '\n', '\r\n', '\uFEFF\n']) {
    expect(secretOf(Buffer.from(text))).toEqual({ ok: false, complaint: 'is empty' })
  }
  expect(secretOf(Buffer.from([0x41, 0xff, 0x41]))).toEqual({ ok: false, complaint: 'is not UTF-8 text' })
  expect(secretOf(Buffer.from('secret', 'utf16le'))).toMatchObject({
    ok: false,
    complaint: expect.stringContaining('UTF-16 without its mark'),
  })
})

test.runIf(process.platform === 'linux')('without a keyring the alternatives are named', async () => {
  process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nowhere'
  const failure = await refusal({ from: 'keyring' })
  expect(failure.message).toMatch(/^the keyring of this machine cannot be used: /)
  const hints = failure.toLine().error.hints.join(' ')
  for (const way of ['--client-secret-file', '--client-secret-env', '--store-secrets']) expect(hints).toContain(way)
})
