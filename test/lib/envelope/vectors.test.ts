/** Envelopes and RSA blocks that others made (test/vectors): all of them open to their exact text, or fail alike. */
import { describe, expect, test } from 'vitest'
import { decrypt } from '../../../src/lib/envelope/cipher.ts'
import { open, openAs } from '../../../src/lib/envelope/envelope.ts'
import { readKey } from '../../../src/lib/envelope/key.ts'
import { readMembers } from '../../../src/lib/envelope/layout.ts'
import { openBlock } from '../../../src/lib/envelope/rsa.ts'
import type { Padding } from '../../../src/lib/envelope/scheme.ts'
import { jsonFile, membersOf, sha256, vectorSets, wycheproofFiles } from '../../vectors/vectors.ts'

test('vectors: 90 envelopes of other clients are there', () => {
  expect(vectorSets.flatMap(({ vectors }) => vectors)).toHaveLength(90)
})

describe.each(vectorSets)('$client ($scheme)', ({ scheme, key, vectors, publicKey }) => {
  test.each(vectors)('$name', async (vector) => {
    const read = readMembers(membersOf(vector))
    if (!read.ok) throw new Error(read.fault)
    for (const how of [scheme, 'any'] as const) {
      const text = await open(read.envelope, { key, scheme: how })
      expect(sha256(text)).toBe(vector.plaintextSha256)
      expect(Buffer.byteLength(text)).toBe(vector.plaintextBytes)
      if (vector.plaintext !== undefined) expect(text).toBe(vector.plaintext)
    }
    expect((await openAs(read.envelope, { key, scheme: 'any' }, String)).scheme).toBe(scheme)
  })

  test('its keys are the two halves of one pair', () => {
    const read = readKey(Buffer.from(publicKey))
    expect(read).toMatchObject({ ok: true, half: 'public' })
  })
})

interface Case {
  readonly tcId: number
  readonly comment: string
  readonly msg: string
  readonly result: 'valid' | 'invalid' | 'acceptable'
}
interface RsaCase extends Case {
  readonly ct: string
  readonly label?: string
}
interface AesCase extends Case {
  readonly ct: string
  readonly key: string
  readonly iv: string
}
interface File<Group> {
  readonly numberOfTests: number
  readonly testGroups: readonly Group[]
}

const hex = (text: string) => Buffer.from(text, 'hex')
/** Of a failure nothing may be seen but that it is one. */
const nothing = null

describe('wycheproof', () => {
  const files: readonly (readonly [string, Padding])[] = [
    ['rsa_oaep_2048_sha256_mgf1sha256_test.json', 'oaep-sha256'],
    ['rsa_oaep_2048_sha256_mgf1sha1_test.json', 'oaep-sha256-mgf1-sha1'],
    ['rsa_pkcs1_2048_test.json', 'pkcs1'],
  ]

  test.each(files)('%s', async (name, padding) => {
    const file = jsonFile<File<{ privateKeyPkcs8: string; tests: RsaCase[] }>>('wycheproof', name)
    let held = 0
    for (const { privateKeyPkcs8, tests } of file.testGroups) {
      const key = readKey(hex(privateKeyPkcs8))
      if (!key.ok) throw new Error(key.complaint)
      for (const { tcId, comment, ct, msg, label, result } of tests) {
        const opened = await openBlock(padding, key.key, hex(ct), label ? hex(label) : undefined)
        const expected = result === 'valid' ? msg : nothing
        expect(opened?.toString('hex') ?? nothing, `${tcId} ${comment}`).toBe(expected)
        held += 1
      }
    }
    expect(held).toBe(file.numberOfTests)
  })

  const aes = 'aes_cbc_pkcs5_test.json'

  test('no file of it is left out', () => {
    expect([aes, ...files.map(([name]) => name)].toSorted()).toEqual(wycheproofFiles.toSorted())
    expect(wycheproofFiles).toHaveLength(4)
  })

  test(aes, () => {
    const file = jsonFile<File<{ tests: AesCase[] }>>('wycheproof', aes)
    const cases = file.testGroups.flatMap(({ tests }) => tests)
    for (const { tcId, comment, key, iv, ct, msg, result } of cases) {
      const opened = decrypt(hex(key), hex(iv), hex(ct))
      expect(opened?.toString('hex') ?? nothing, `${tcId} ${comment}`).toBe(result === 'valid' ? msg : nothing)
    }
    expect(cases).toHaveLength(file.numberOfTests)
  })
})
