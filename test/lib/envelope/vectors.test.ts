/** Envelopes and RSA blocks that others made (test/vectors): all of them open to their exact text, or fail alike. */
import { describe, expect, test } from 'vitest'
import { decrypt } from '../../../src/lib/envelope/cipher.ts'
import { openAs } from '../../../src/lib/envelope/envelope.ts'
import { readKey } from '../../../src/lib/envelope/key.ts'
import { readMembers } from '../../../src/lib/envelope/layout.ts'
import { openBlock } from '../../../src/lib/envelope/rsa.ts'
import type { Padding } from '../../../src/lib/envelope/scheme.ts'
import { jsonFile, membersOf, sha256, vectorSets, wycheproofFiles } from '../../vectors/vectors.ts'

test('vectors: 90 envelopes of other clients are there', () => {
  expect(vectorSets.flatMap(({ vectors }) => vectors)).toHaveLength(90)
})

// Each is opened to its exact text by the tests of `envelope open`; here without the scheme being told, or with it.
test.each(vectorSets)(
  'every envelope of $client opens as any scheme, which is $scheme',
  async ({ scheme, key, vectors, publicKey }) => {
    for (const vector of vectors) {
      const read = readMembers(membersOf(vector))
      if (!read.ok) throw new Error(read.fault)
      const opened = await openAs(read.envelope, { key, scheme: 'any' }, String)
      expect([opened.scheme, sha256(opened.read), Buffer.byteLength(opened.read)]).toEqual([
        ...[scheme, vector.plaintextSha256, vector.plaintextBytes],
      ])
    }
    expect(readKey(Buffer.from(publicKey))).toMatchObject({ ok: true, half: 'public' })
  },
)

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
