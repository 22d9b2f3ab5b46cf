/** Envelopes that paydesk seals open elsewhere: with openssl alone, and with Python's cryptography; theirs open here. */
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEnvelope } from '../../../src/lib/envelope/diagnose/inspect.ts'
import { open, seal } from '../../../src/lib/envelope/envelope.ts'
import { writeKey } from '../../../src/lib/envelope/key.ts'
import { writeMembers } from '../../../src/lib/envelope/layout.ts'
import { type Scheme, schemeFacts, schemes } from '../../../src/lib/envelope/scheme.ts'
import { newPair } from '../../kit/envelope.ts'
import { isMissing, python } from '../../kit/process.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'

const own = newPair()
const directory = temporaryDirectory('interop')
const text = '{"amount":12.50,"description":"ხელფასი 👩‍👩‍👧‍👦"}'
const keyFile = join(directory, 'own.pem')
writeFileSync(keyFile, writeKey(own.privateKey, 'pem'))

const there = (program: string, ...argv: string[]) => spawnSync(program, argv).status === 0
const openssl = 'openssl'
const hasOpenssl = there(openssl, 'version')
const pythonIsMissing = isMissing('import cryptography', 'what it seals and opens was not compared')
if (!hasOpenssl) process.stderr.write('openssl is not installed: its tests are SKIPPED\n')

const opensslPadding = {
  'oaep-sha256': ['rsa_padding_mode:oaep', 'rsa_oaep_md:sha256', 'rsa_mgf1_md:sha256'],
  'oaep-sha256-mgf1-sha1': ['rsa_padding_mode:oaep', 'rsa_oaep_md:sha256', 'rsa_mgf1_md:sha1'],
  pkcs1: ['rsa_padding_mode:pkcs1'],
} as const

function opensslDecrypt(scheme: Scheme, block: Buffer): Buffer {
  const options = opensslPadding[schemeFacts[scheme].padding].flatMap((option) => ['-pkeyopt', option])
  return execFileSync(openssl, ['pkeyutl', '-decrypt', '-inkey', keyFile, ...options], { input: block })
}

describe.skipIf(!hasOpenssl)('openssl', () => {
  test.each(schemes)('opens %s', (scheme) => {
    const { data, keys } = seal(text, { key: own.publicKey, scheme })
    if (!keys) {
      expect(opensslDecrypt(scheme, data).toString('utf8')).toBe(text)
      return
    }
    const [key = '', iv = ''] = opensslDecrypt(scheme, keys).toString('latin1').split('.')
    const hex = (part: string) => Buffer.from(part, 'base64').toString('hex')
    const argv = ['enc', '-d', '-aes-256-cbc', '-K', hex(key), '-iv', hex(iv)]
    expect(execFileSync(openssl, argv, { input: data }).toString('utf8')).toBe(text)
  })
})

/** Written from service.md#envelope alone. argv: open|seal, the key in PEM, the scheme; the envelope or the text on stdin. */
const program = `
import sys, json, base64, os
from cryptography.hazmat.primitives import hashes, serialization, padding as blocks
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
way, file, scheme = sys.argv[1:]
key = serialization.load_pem_private_key(open(file, 'rb').read(), None)
if 'pkcs1' in scheme:
    pad = padding.PKCS1v15()
else:
    mgf = hashes.SHA1() if scheme.endswith('sha1') else hashes.SHA256()
    pad = padding.OAEP(mgf=padding.MGF1(mgf), algorithm=hashes.SHA256(), label=None)
if way == 'open':
    e = json.load(sys.stdin)
    data = base64.b64decode(e['encryptedData'], validate=True)
    if 'encryptedKeys' in e:
        k, iv = [base64.b64decode(p, validate=True) for p in key.decrypt(base64.b64decode(e['encryptedKeys'], validate=True), pad).split(b'.')]
        d = Cipher(algorithms.AES(k), modes.CBC(iv)).decryptor()
        u = blocks.PKCS7(128).unpadder()
        out = u.update(d.update(data) + d.finalize()) + u.finalize()
    else:
        out = key.decrypt(data, pad)
    sys.stdout.buffer.write(out)
else:
    text = sys.stdin.buffer.read()
    b = lambda x: base64.b64encode(x).decode()
    if scheme.startswith('rsa-'):
        print(json.dumps({'encryptedData': b(key.public_key().encrypt(text, pad))}))
    else:
        k, iv = os.urandom(32), os.urandom(16)
        p = blocks.PKCS7(128).padder()
        c = Cipher(algorithms.AES(k), modes.CBC(iv)).encryptor()
        data = c.update(p.update(text) + p.finalize()) + c.finalize()
        print(json.dumps({'encryptedData': b(data), 'encryptedKeys': b(key.public_key().encrypt((b(k) + '.' + b(iv)).encode(), pad)), 'aes': True}))
`
const programFile = join(directory, 'envelope.py')
writeFileSync(programFile, program)

function runPython(way: 'open' | 'seal', scheme: Scheme, input: string): string {
  return execFileSync(python, [programFile, way, keyFile, scheme], { input }).toString('utf8')
}

describe.skipIf(pythonIsMissing)("Python's cryptography", () => {
  test.each(schemes)('opens %s, and what it seals opens here', async (scheme) => {
    const sealed = JSON.stringify(writeMembers(seal(text, { key: own.publicKey, scheme })))
    expect(runPython('open', scheme, sealed)).toBe(text)
    const { envelope } = readEnvelope(runPython('seal', scheme, text))
    expect(await open(envelope, { key: own.privateKey, scheme })).toBe(text)
  })
})
