import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seal } from '../../../src/lib/envelope/envelope.ts'
import { readPublicKey } from '../../../src/lib/envelope/key.ts'
import { writeMembers, writeQuery } from '../../../src/lib/envelope/layout.ts'
import { schemes } from '../../../src/lib/envelope/scheme.ts'
import { addProfile, newPair, newScene, payload } from '../../kit/envelope.ts'
import { keyPair, withKeyPairs } from '../../kit/key-pairs.ts'
import { builtPaydesk } from '../../kit/process.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { membersOf, sha256, vectorSets } from '../../vectors/vectors.ts'

const { home, pair, privateKey, publicKey, put } = newScene()
const other = newPair()
const sealed = seal(payload, { key: pair.publicKey, scheme: 'oaep-sha256', identifier: 'acme' })
const envelope = JSON.stringify(writeMembers(sealed))

test.each(vectorSets)(
  'envelope open: every envelope of $client opens to its exact text',
  async ({ client, scheme, vectors, privateKey: text }) => {
    const file = put(`${client}.key`, text)
    for (const vector of vectors) {
      const around = { home, stdin: JSON.stringify(membersOf(vector)) }
      const plain = await paydesk(['envelope', 'open', '--private-key', file], around)
      expect([plain.code, sha256(plain.stdout)], `${vector.name} ${plain.stderr}`).toEqual([0, vector.plaintextSha256])
      const json = await paydesk(['envelope', 'open', '--private-key', file, '--scheme', scheme, '--json'], around)
      expect(json.json).toMatchObject({ scheme, identifier: null })
      expect(sha256(String(json.json.plaintext))).toBe(vector.plaintextSha256)
    }
  },
)

test.each(vectorSets.filter(({ client }) => ['python-oaep256', 'php-legacy-rsa-pkcs1'].includes(client)))(
  'envelope open, built program: an envelope of $client opens to its exact text',
  async ({ client, vectors, privateKey: text }) => {
    const [key, vector] = [put(`${client}.built.key`, text), vectors.at(-1)]
    if (!vector) throw new Error('there is no vector')
    const file = put(`${client}.json`, JSON.stringify(membersOf(vector)))
    const ended = await builtPaydesk(['envelope', 'open', '--private-key', key, '--file', file], home)
    expect([ended.code, sha256(ended.stdout)]).toEqual([0, vector.plaintextSha256])
  },
)

test('envelope open: an argument, a file, stdin and an address are read, as JSON and as a query', async () => {
  const query = writeQuery(sealed)
  const file = put('envelope.json', envelope)
  const ways: readonly (readonly [string[], string?])[] = [
    [[], envelope],
    [['-'], envelope],
    [['--file', '-'], query],
    [['--file', file]],
    [[query]],
    [[`https://pay.example.com/a?${query}`]],
    [[envelope]],
  ]
  for (const [argv, stdin = ''] of ways) {
    const ended = await paydesk(['envelope', 'open', ...argv, '--private-key', privateKey], { home, stdin })
    expect(ended).toMatchObject({ code: 0, stdout: payload, stderr: '' })
  }
})

test.each(['open', 'inspect', 'doctor'])(
  'envelope %s: a file name in the place of the envelope is refused (2), and the hint names --file',
  async (verb) => {
    const file = put('named.json', envelope)
    const key = verb === 'inspect' ? [] : ['--private-key', privateKey]
    const ended = await paydesk(['envelope', verb, file, ...key, '--json'], { home })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.error).toMatchObject({
      message: `${file} is the name of a file, not the envelope`,
      hints: [`Use --file ${file}, or <${file}.`],
    })
  },
)

test('envelope open: the key comes from PAYDESK_PRIVATE_KEY_FILE or from the profile, its wallet key included', async () => {
  const named = { PAYDESK_PRIVATE_KEY_FILE: privateKey }
  const run = (argv: string[], env = {}) => paydesk(['envelope', 'open', ...argv], { home, stdin: envelope, env })
  expect(await run([], named)).toMatchObject({ code: 0, stdout: payload })
  expect(await paydesk(addProfile('acme', '--private-key', privateKey), { home })).toMatchObject({ code: 0 })
  expect(await run(['-p', 'acme'])).toMatchObject({ code: 0, stdout: payload })
  expect(await run([], { PAYDESK_PROFILE: 'acme' })).toMatchObject({ code: 0, stdout: payload })
  const wallet = put('wallet.key', String(other.privateKey.export({ format: 'pem', type: 'pkcs8' })))
  const both = ['--private-key', wallet, '--wallet-private-key', privateKey]
  await paydesk(addProfile('both', ...both), { home })
  expect(await run(['-p', 'both'])).toMatchObject({ code: 0, stdout: payload })
})

test('envelope open -p sandbox: the keys of its orders and its wallet open their envelopes; a client without orders is 4', async () => {
  const around = { home: newHome(), random: withKeyPairs() }
  const own = async (bits: number) => {
    const { publicKey: text } = await keyPair(bits)
    return readPublicKey(Buffer.from(text), 'the key')
  }
  const answers = [
    seal(payload, { key: await own(2048), scheme: 'oaep-sha256' }),
    seal(payload, { key: await own(4096), scheme: 'rsa-pkcs1' }),
  ]
  for (const each of answers) {
    const stdin = JSON.stringify(writeMembers(each))
    expect(await paydesk(['envelope', 'open', '-p', 'sandbox'], { ...around, stdin })).toMatchObject({
      code: 0,
      stdout: payload,
    })
  }
  const argv = ['envelope', 'open', '-p', 'sandbox-receiver']
  expect(await paydesk(argv, { ...around, stdin: envelope })).toMatchObject({ code: 4, stdout: '' })
})

test.each(schemes)('envelope open: scheme %s is detected, and told unless it is the usual one', async (scheme) => {
  const stdin = JSON.stringify(writeMembers(seal(payload, { key: pair.publicKey, scheme })))
  const ended = await paydesk(['envelope', 'open', '--private-key', privateKey], { home, stdin })
  expect(ended).toMatchObject({ code: 0, stdout: payload })
  expect(ended.stderr).toBe(scheme === 'oaep-sha256' ? '' : `opened as ${scheme}\n`)
  const json = await paydesk(['envelope', 'open', '--private-key', privateKey, '--json'], { home, stdin })
  expect(json.json).toMatchObject({ scheme, plaintext: payload })
})

test('envelope open: --json, --query, --fields and --output table show scheme, layout, identifier and plaintext', async () => {
  const run = (...argv: string[]) =>
    paydesk(['envelope', 'open', '--private-key', privateKey, ...argv], { home, stdin: envelope })
  const json = await run('--json')
  expect(json.json).toEqual({
    scheme: 'oaep-sha256',
    layout: 'four-fields',
    identifier: 'acme',
    plaintext: payload,
    warnings: [],
  })
  expect((await run('--query', 'scheme')).stdout).toBe('"oaep-sha256"\n')
  expect((await run('--json', '--fields', 'identifier')).stdout).toBe('{"identifier":"acme"}\n')
  expect((await run('--output', 'table')).stdout).toBe(`${payload}\n`)
})

test('envelope open at a terminal: control characters are shown as code points', async () => {
  const nasty = '{"note":"\u202Egnp.exe"}'
  const members = JSON.stringify(writeMembers(seal(nasty, { key: pair.publicKey, scheme: 'oaep-sha256' })))
  const argv = ['envelope', 'open', members, '--private-key', privateKey]
  const { stdout } = await paydesk(argv, { home, terminal: true })
  expect(stdout).toBe('{"note":"<U+202E>gnp.exe"}\n')
})

test.each([
  ['blanks for +', (text: string) => text.replaceAll('+', ' '), /mended: encryptedData has blanks where \+ stood/],
  ['lines', (text: string) => text.replaceAll(/.{64}/g, '$&\n'), /mended: encryptedData is broken into lines/],
  ['the alphabet of addresses', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_'), /URL-safe alphabet/],
  ['no padding', (text: string) => text.replace(/=+$/, ''), /mended: encryptedKeys lacks the = at its end/],
])('envelope open: a damaged envelope opens with a warning: %s', async (_what, damaged, words) => {
  const long = seal(JSON.stringify({ text: '0123456789'.repeat(99) }), { key: pair.publicKey, scheme: 'oaep-sha256' })
  const { encryptedData } = writeMembers(long) as { encryptedData: string }
  const encryptedKeys = String(writeMembers(long).encryptedKeys)
  const stdin = JSON.stringify({
    encryptedData: damaged(encryptedData),
    encryptedKeys: damaged(encryptedKeys),
    aes: true,
  })
  const ended = await succeeds(paydesk(['envelope', 'open', '--private-key', privateKey], { home, stdin }))
  expect(JSON.parse(ended.stdout).text).toHaveLength(990)
  expect(ended.stderr).toMatch(words)
  const { json } = await paydesk(['envelope', 'open', '--private-key', privateKey, '--json'], { home, stdin })
  expect(String(json.warnings)).toMatch(words)
})

test('envelope open: JSON that was serialised twice opens with a warning', async () => {
  const argv = ['envelope', 'open', '--private-key', privateKey, '--json']
  const { json } = await paydesk(argv, { home, stdin: JSON.stringify(envelope) })
  expect(json).toMatchObject({ plaintext: payload, warnings: [expect.stringContaining('serialise once only')] })
})

const good = writeMembers(sealed) as Record<string, string>
const wrongKey = put('other.key', String(other.privateKey.export({ format: 'pem', type: 'pkcs8' })))
const cut = JSON.stringify({ ...good, encryptedData: good.encryptedData?.slice(0, -24) })
const cases: readonly (readonly [string, string[], string, number, RegExp])[] = [
  ['another key', ['--private-key', wrongKey], envelope, 4, /does not open with this key[\s\S]*envelope doctor/],
  ['another scheme', ['--private-key', privateKey, '--scheme', 'pkcs1'], envelope, 4, /does not open with this key/],
  ['data that is cut off', ['--private-key', privateKey], cut, 4, /does not open with this key/],
  ['a public key', ['--private-key', publicKey], envelope, 4, /public key; opening needs the private one/],
  ['a key that is not there', ['--private-key', join(home, 'none')], envelope, 4, /does not exist/],
  ['no key', [], envelope, 4, /no profile was named[\s\S]*--private-key <file>/],
  ['prose', ['--private-key', privateKey], 'hello', 2, /not an envelope: it is neither a JSON object nor a query/],
  ['an empty text', ['--private-key', privateKey], '', 2, /not an envelope/],
  ['no encryptedData', ['--private-key', privateKey], '{"aes":true}', 2, /there is no encryptedData/],
  ['no base64', ['--private-key', privateKey], '{"encryptedData":"*"}', 2, /encryptedData is not base64/],
  ['an argument and a file', ['--private-key', privateKey, 'x', '--file', 'y'], '', 2, /give the envelope once/],
  ['a file that is not there', ['--private-key', privateKey, '--file', join(home, 'none')], '', 2, /cannot be read/],
]

test.each(cases)('envelope open with %s fails, and stdout is empty', async (_what, argv, stdin, code, words) => {
  for (const form of [[], ['--json']]) {
    const ended = await paydesk(['envelope', 'open', ...argv, ...form], {
      home: _what === 'no key' ? newHome() : home,
      stdin,
    })
    expect([ended.code, ended.stdout], ended.stderr).toEqual([code, ''])
    expect(ended.stderr).toMatch(words)
    if (form.length > 0) expect(ended.error).toMatchObject({ exit: code, moneyMoved: 'no', retry: 'after-fix' })
  }
})

test('envelope open at a terminal: ^C in the middle of a paste ends it at once (130)', async () => {
  const argv = ['envelope', 'open', '--private-key', privateKey]
  let stop: (signal: 'SIGINT') => void = () => undefined
  const ended = await paydesk(argv, {
    home,
    terminal: true,
    signals: (send) => {
      stop = send
    },
    dialogue: (screen) => {
      if (screen.includes('Paste the envelope')) stop('SIGINT')
    },
  })
  expect(ended).toMatchObject({ code: 130, stdout: '' })
})

test('envelope open --file: bytes that are not UTF-8 are refused (2)', async () => {
  const { writeFileSync } = await import('node:fs')
  writeFileSync(join(home, 'bytes'), Buffer.from([0xff, 0xfe, 0x00]))
  const argv = ['envelope', 'open', '--private-key', privateKey, '--file', join(home, 'bytes')]
  expect(await paydesk(argv, { home })).toMatchObject({ code: 2, stdout: '' })
})
