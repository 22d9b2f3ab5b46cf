import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { Failure } from '../../../src/lib/failure.ts'
import type { AddContext } from '../../../src/lib/profile/add.ts'
import { removeProfile } from '../../../src/lib/profile/profiles.ts'
import type { GivenSettings } from '../../../src/lib/profile/settings.ts'
import { keyPair } from '../../kit/key-pairs.ts'
import { add, clientId, contextIn, drawer, fixture, memoryKeyring, plainGiven, put } from '../../kit/profile.ts'

const payouts: GivenSettings = { ...plainGiven, 'client-id': clientId }

function piped(text: string): Readable {
  return Readable.from([Buffer.from(text)])
}

async function refusal(
  directory: string,
  name: string,
  given: GivenSettings,
  more: Partial<AddContext> = {},
): Promise<Failure> {
  const error = await add(directory, name, given, more).catch((thrown: unknown) => thrown)
  if (!(error instanceof Failure)) throw new Error(`no Failure but ${error}`)
  return error
}

test('a profile remembers where its secret is, as an absolute path, and not the secret', async () => {
  const directory = drawer()
  const path = put(directory, 'secret', 's3cret\n')
  const { profile, warnings } = await add(directory, 'acme', { ...payouts, 'client-secret-file': relative('.', path) })
  expect(profile.clientSecret).toEqual({ from: 'file', path })
  expect(warnings).toEqual([])
  expect(readFileSync(join(directory, 'config', 'config.json'), 'utf8')).not.toContain('s3cret')
})

test('a secret from stdin goes to the keyring, under the client it belongs to', async () => {
  const directory = drawer()
  const { keyring, secrets } = memoryKeyring()
  const given = { ...payouts, 'client-secret-stdin': true }
  const { profile } = await add(directory, 'acme', given, { keyring, stdin: piped('s3cret\n') })
  expect(profile.clientSecret).toEqual({ from: 'keyring' })
  expect([...secrets]).toEqual([[`${clientId} at https://pay.example.com`, 's3cret']])
  expect(readFileSync(join(directory, 'config', 'config.json'), 'utf8')).not.toContain('s3cret')
})

test.runIf(process.platform === 'linux')('without a keyring nothing is added, and the ways out are named', async () => {
  process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nowhere'
  const directory = drawer()
  const given = { ...payouts, 'client-secret-stdin': true }
  const failure = await refusal(directory, 'acme', given, { stdin: piped('s3cret') })
  expect(failure.kind).toBe('credentials')
  expect(failure.toLine().error.hints.join(' ')).toContain('--store-secrets')
  expect(JSON.stringify(failure.toLine())).not.toContain('s3cret')
  expect((await contextIn(directory).profiles.read()).names).toEqual([])
})

test('a secret given instead of the name of a variable is not repeated', async () => {
  const failure = await refusal(drawer(), 'acme', { ...payouts, 'client-secret-env': 's3cret-value!' })
  expect(failure.message).toContain('--client-secret-env takes the name of an environment variable')
  expect(failure.message).not.toContain('s3cret')
})

const empty = (directory: string): GivenSettings => ({ 'client-secret-file': put(directory, 'empty', '\n') })

test.each<[string, GivenSettings | typeof empty, Partial<AddContext>?]>([
  ['is empty', empty],
  ['--client-secret-stdin is empty', { 'client-secret-stdin': true }, { stdin: piped('') }],
  ['PAY is empty', { 'client-secret-env': 'PAY' }, { env: { PAY: '' } }],
  ['cannot stand beside --client-secret-env', { 'client-secret-file': 'a', 'client-secret-env': 'B' }],
  ['--client-id is required with a client secret', { 'client-id': undefined, 'client-secret-env': 'B' }],
  ['--store-secrets needs', { 'store-secrets': true }],
  [
    '--client-secret-stdin needs a pipe',
    { 'client-secret-stdin': true },
    { stdin: Object.assign(piped('typed'), { isTTY: true }) },
  ],
])('a secret is refused: %s', async (words, given, more) => {
  const directory = drawer()
  const settings = typeof given === 'function' ? given(directory) : given
  expect((await refusal(directory, 'a', { ...payouts, ...settings }, more)).message).toContain(words)
})

test('files that others may read, a missing variable and a missing secret are warnings', async () => {
  const directory = drawer()
  const open = put(directory, 'open', 's\n', 0o644)
  const key = put(directory, 'key', (await keyPair(2048)).privateKey, 0o644)
  const shared = await add(directory, 'a', { ...payouts, 'client-secret-file': open, 'private-key': key })
  expect(shared.warnings).toEqual([open, key].map((each) => expect.stringContaining(`others can read ${each}`)))
  expect((await add(directory, 'b', { ...payouts, 'client-secret-env': 'PAY' })).warnings).toEqual([
    'the variable PAY is not set at the moment',
  ])
  expect((await add(directory, 'c', payouts)).warnings).toEqual([expect.stringContaining('no client secret')])
  expect((await add(directory, 'd', plainGiven)).warnings).toEqual([])
})

test('a client certificate must fit its key', async () => {
  const directory = drawer()
  const given = (key: string) => ({
    ...plainGiven,
    'client-certificate-file': fixture('client.pem'),
    'client-key-file': fixture(key),
  })
  await add(directory, 'fits', given('client.key'))
  expect((await refusal(directory, 'a', given('other.key'))).message).toContain(
    'does not belong to the client certificate',
  )
  expect((await refusal(directory, 'a', given('locked.key'))).message).toContain('passphrase')
  expect((await refusal(directory, 'a', given('client.pem'))).message).toContain('holds no private key')
})

test('the same line twice changes nothing', async () => {
  const directory = drawer()
  const given = { ...payouts, 'client-secret-file': put(directory, 'secret', 's'), 'allow-restricted': true, use: true }
  const first = await add(directory, 'acme', given)
  const second = await add(directory, 'acme', given)
  expect(second.profile).toEqual(first.profile)
  expect([first.extended, second.extended]).toEqual([false, true])
})

test('a missing area is added to a profile without typing the rest again; what is set already needs --replace', async () => {
  const directory = drawer()
  await add(directory, 'acme', payouts)
  const integrator = '5f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c12'
  const { profile } = await add(directory, 'acme', { 'integrator-id': integrator, 'client-secret-env': 'PAY' })
  expect(profile).toMatchObject({ clientId, integratorId: integrator, clientSecret: { from: 'env', name: 'PAY' } })
  const { message } = await refusal(directory, 'acme', { 'base-url': 'https://b.example', 'client-secret-env': 'NEW' })
  expect(message).toContain('--base-url is already set (https://pay.example.com)')
  expect(message).toContain('(in the environment variable PAY)')
})

test('a secret leaves the keyring with the last profile that uses it', async () => {
  const directory = drawer()
  const { keyring, secrets } = memoryKeyring()
  const given = { ...payouts, 'client-secret-stdin': true }
  await add(directory, 'one', given, { keyring, stdin: piped('s') })
  await add(directory, 'two', given, { keyring, stdin: piped('s') })
  const { profiles } = contextIn(directory)
  await removeProfile('one', profiles, keyring)
  expect(secrets.size).toBe(1)
  await add(directory, 'two', { 'client-secret-env': 'PAY', replace: true }, { keyring })
  expect(secrets.size).toBe(0)
})
