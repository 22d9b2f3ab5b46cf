import { createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal } from '../../../src/lib/envelope/envelope.ts'
import { fingerprint, readPublicKey, writeKey } from '../../../src/lib/envelope/key.ts'
import { writeMembers } from '../../../src/lib/envelope/layout.ts'
import { addProfile, newPair, newScene, payload } from '../../kit/envelope.ts'
import { cachedPairs, withKeyPairs } from '../../kit/key-pairs.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { membersOf, vectorSets } from '../../vectors/vectors.ts'

const { home, pair, privateKey, publicKey, put } = newScene()
const other = newPair()
const otherKey = put('other.key', writeKey(other.privateKey, 'pem'))
const by = (...[scheme, identifier]: ['oaep-sha256' | 'pkcs1', string?]) =>
  JSON.stringify(writeMembers(seal(payload, { key: pair.publicKey, scheme, identifier: identifier ?? null })))
const doctor = (argv: string[], stdin: string) => paydesk(['envelope', 'doctor', ...argv], { home, stdin })

test('envelope doctor: the failing step and the remedy are named, and no plaintext is shown', async () => {
  const { code, stdout, stderr } = await doctor(['--private-key', privateKey], by('pkcs1'))
  expect([code, stderr]).toEqual([0, ''])
  for (const word of [
    'It opens, but not with the expected key and scheme',
    'unwrap: the RSA block',
    'other-padding',
    '--scheme pkcs1',
    'opens',
  ]) {
    expect(stdout).toContain(word)
  }
  expect(stdout).not.toContain('12.50')
})

test('envelope doctor --json: step, setting, opening key and remedy are fields, and no plaintext is shown', async () => {
  const { code, json } = await doctor(['--private-key', privateKey, '--json'], by('pkcs1'))
  expect(code).toBe(0)
  expect(json).toMatchObject({
    opens: false,
    step: 'unwrap',
    setting: 'oaep-sha256',
    opensWith: { key: privateKey, scheme: 'pkcs1' },
    remedies: [{ code: 'other-padding' }],
    keys: [{ name: privateKey, bits: 2048, fingerprint: fingerprint(pair.publicKey) }],
    symmetricKey: null,
    warnings: [],
  })
  expect(JSON.stringify(json)).not.toContain('12.50')
})

test('envelope doctor: of several keys the one that fits is named', async () => {
  const argv = ['--private-key', otherKey, '--private-key', privateKey, '--json']
  const { json } = await doctor(argv, by('oaep-sha256'))
  expect(json).toMatchObject({ opens: false, step: 'unwrap', remedies: [{ code: 'other-key' }] })
  expect(json.opensWith).toEqual({ key: privateKey, scheme: 'oaep-sha256' })
})

test('envelope doctor: an envelope that opens is told so, and the AES key is shown only with --insecure-show-keys', async () => {
  const hidden = await doctor(['--private-key', privateKey, '--json'], by('oaep-sha256'))
  expect(hidden.json).toMatchObject({ opens: true, step: null, symmetricKey: null, remedies: [] })
  const shown = await doctor(['--private-key', privateKey, '--json', '--insecure-show-keys'], by('oaep-sha256'))
  expect(shown.json.symmetricKey).toEqual({
    key: expect.stringMatching(/^[\w+/]{43}=$/),
    iv: expect.stringMatching(/^[\w+/]{22}==$/),
  })
  const words = await doctor(['--private-key', privateKey, '--insecure-show-keys'], by('oaep-sha256'))
  expect(words.stdout).toContain('AES key')
  expect((await doctor(['--private-key', privateKey], by('oaep-sha256'))).stdout).not.toContain('AES key')
})

test('envelope doctor: a request sealed to your own key opens, with the warning that the service cannot open it', async () => {
  const { json, code } = await doctor(['--private-key', privateKey, '--json'], by('oaep-sha256', 'acme'))
  expect(code).toBe(0)
  expect(json.warnings).toEqual([expect.stringContaining('the service cannot open it')])
})

test('envelope doctor --as: a payload that breaks the contract fails at the step schema', async () => {
  const { json } = await doctor(['--private-key', privateKey, '--as', 'payout.create', '--json'], by('oaep-sha256'))
  expect(json).toMatchObject({ opens: false, step: 'schema', opensWith: null })
  expect(JSON.stringify(json.remedies)).toContain('currency')
})

test('envelope doctor --as wallet.create: keys and scheme are those of the wallet, of a profile and of the sandbox', async () => {
  const wallet = put('wallet.key', writeKey(other.privateKey, 'pem'))
  await paydesk(addProfile('two', '--private-key', privateKey, '--wallet-private-key', wallet), { home })
  const block = JSON.stringify(writeMembers(seal('{"uri":1}', { key: other.publicKey, scheme: 'rsa-pkcs1' })))
  const { json } = await doctor(['-p', 'two', '--as', 'wallet.create', '--json'], block)
  expect(json).toMatchObject({ setting: 'rsa-pkcs1', step: 'schema', keys: [{ name: wallet }, { name: privateKey }] })
  expect(JSON.stringify(json.remedies)).toContain('uri must be text')
  const sandbox = await paydesk(['envelope', 'doctor', '-p', 'sandbox', '--as', 'wallet.create', '--json'], {
    ...{ home: newHome(), random: withKeyPairs() },
    stdin: block,
  })
  expect(sandbox.json).toMatchObject({ setting: 'rsa-pkcs1', keys: [{ name: 'sandbox (wallet)', bits: 4096 }] })
})

test('envelope doctor -p: scheme and keys come from the profile', async () => {
  const keys = ['--private-key', privateKey, '--rsa-padding', 'pkcs1']
  expect(await paydesk(addProfile('acme', ...keys), { home })).toMatchObject({ code: 0 })
  const { json } = await doctor(['-p', 'acme', '--json'], by('pkcs1'))
  expect(json).toMatchObject({ opens: true, setting: 'pkcs1' })
})

test.each([
  ['java-oaep256-mgf1sha1', 'unwrap', 'mgf1-hash', 'oaep-sha256-mgf1-sha1'],
  ['php-legacy-rsa-pkcs1', 'layout', 'legacy-block', 'rsa-pkcs1'],
])('envelope doctor: envelopes of %s fail at %s with %s, and open with %s', async (client, step, remedy, scheme) => {
  const set = vectorSets.find((each) => each.client === client)
  if (!set) throw new Error(`there is no set ${client}`)
  const key = put(`${client}.key`, set.privateKey)
  for (const vector of set.vectors) {
    const { json } = await doctor(['--private-key', key, '--json'], JSON.stringify(membersOf(vector)))
    expect(json).toMatchObject({ opens: false, step, remedies: [{ code: remedy }], opensWith: { scheme } })
  }
})

test('envelope doctor: an envelope that no key opens is 5, with the diagnosis on stdout and one error line', async () => {
  const json = await doctor(['--private-key', otherKey, '--json'], by('oaep-sha256'))
  expect(json.code).toBe(5)
  expect(json.json).toMatchObject({ opens: false, opensWith: null, step: 'unwrap' })
  expect(json.error).toMatchObject({ name: 'refused', exit: 5, moneyMoved: 'no', retry: 'never' })
  const words = await doctor(['--private-key', otherKey], by('oaep-sha256'))
  expect(words).toMatchObject({
    code: 5,
    stdout: expect.stringContaining('It does not open with the expected key and scheme'),
  })
  expect(words.stderr).toContain('none of your keys opens this envelope: it fails at unwrap')
})

const around = { home: newHome(), random: cachedPairs }
const run = (argv: string[], stdin = '') => paydesk([...argv, '-p', 'sandbox', '--json'], { ...around, stdin })
const request = async (key: 'servicePublicKey' | 'publicKey', oaepHash: string) => {
  const { json } = await run(['sandbox', 'world'])
  const [{ integratorId, ...keys }] = json.integrators as [Record<typeof key | 'integratorId', string>]
  const symmetric = { key: randomBytes(32), iv: randomBytes(16) }
  const cipher = createCipheriv('aes-256-cbc', symmetric.key, symmetric.iv)
  const data = Buffer.concat([cipher.update(payload), cipher.final()])
  const words = `${symmetric.key.toString('base64')}.${symmetric.iv.toString('base64')}`
  const block = publicEncrypt({ key: readPublicKey(Buffer.from(keys[key]), key), oaepHash }, Buffer.from(words))
  const encryptedKeys = block.toString('base64')
  return JSON.stringify({
    ...{ identifier: integratorId, encryptedData: data.toString('base64') },
    ...{ encryptedKeys, aes: true },
  })
}

test("opens with the key of the sandbox's service", async () => {
  const sealed = await request('servicePublicKey', 'sha256')
  const { code, json } = await run(['envelope', 'doctor'], sealed)
  expect(code).toBe(0)
  expect(json).toMatchObject({ opens: true, opensWith: { key: 'service of sandbox (orders)' }, warnings: [] })
  expect((await run(['envelope', 'open'], sealed)).json).toMatchObject({ plaintext: payload })
})

test("the step and the remedy are those of the service's key", async () => {
  const { code, json, error } = await run(['envelope', 'doctor'], await request('servicePublicKey', 'sha1'))
  expect(code).toBe(5)
  expect(json).toMatchObject({ opens: false, step: 'unwrap', remedies: [{ code: 'oaep-hash' }] })
  expect(error.message).toContain("does not open with the key of the sandbox's service")
})

test('sealed to the own public key it is no request that the service opens', async () => {
  const { json } = await run(['envelope', 'doctor'], await request('publicKey', 'sha256'))
  expect(json).toMatchObject({ opens: false, opensWith: { key: 'sandbox (orders)' } })
  expect(json.remedies).toEqual([{ code: 'other-key', message: expect.stringContaining('sandbox (orders) fits') }])
  expect(json.warnings).toEqual([expect.stringContaining('the service cannot open it')])
})

test('of the wallet is known by its identifier', async () => {
  const sealed = await paydesk(['envelope', 'seal', '-p', 'sandbox', '--as', 'wallet.create'], {
    ...around,
    stdin: '{}',
  })
  const { json } = await run(['envelope', 'doctor'], sealed.stdout)
  expect(json).toMatchObject({ opens: true, setting: 'rsa-pkcs1', opensWith: { key: 'service of sandbox (wallet)' } })
})

test('envelope doctor: a request that only a live service opens is told so, and where its reason is shown', async () => {
  const keys = ['--private-key', otherKey]
  const { error } = await doctor([...keys, '--json'], by('oaep-sha256', 'acme'))
  expect(error.hints).toEqual([
    'Only the service opens a request. Send it to the sandbox: `paydesk sandbox requests --code 6010` says why it does not open.',
    '--private-key <file> tries another key; it can be repeated.',
  ])
})

const cases: readonly (readonly [string, string[], number, RegExp])[] = [
  ['without a key', [], 4, /no profile was named/],
  ['with a public key as the private one', ['--private-key', publicKey], 4, /is a public key/],
  [
    'with a private key as the public one',
    ['--private-key', privateKey, '--public-key', privateKey],
    4,
    /private key where/,
  ],
  ['with an unknown operation', ['--private-key', privateKey, '--as', 'x'], 2, /there is no operation "x"/],
]

test.each(cases)('envelope doctor %s: the command fails, and stdout is empty', async (_what, argv, code, words) => {
  const ended = await paydesk(['envelope', 'doctor', ...argv], { home: newHome(), stdin: by('oaep-sha256') })
  expect([ended.code, ended.stdout]).toEqual([code, ''])
  expect(ended.stderr).toMatch(words)
})
