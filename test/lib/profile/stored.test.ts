import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settingNames, settings } from '../../../src/lib/profile/settings.ts'
import { nameComplaint, readSettings } from '../../../src/lib/profile/stored.ts'
import { clientId } from '../../kit/profile.ts'

const least = { baseUrl: 'https://pay.example.com', environment: 'test' }

function complaints(given: Record<string, unknown>): readonly string[] {
  const read = readSettings(given)
  return read.ok ? [] : read.complaints.map(({ setting, message }) => `${setting} ${message}`)
}

test('an address and an environment are enough, and restricted fields are off', () => {
  expect(readSettings(least)).toEqual({ ok: true, settings: { ...least, allowRestricted: false } })
})

test('everything that is wrong is said at once', () => {
  const given = {
    environment: 'prod',
    baseUrl: 'pay.example.com',
    ordersUrl: 'http://pay.example.com',
    clientId: '17',
    rsaPadding: 'oaep',
    clientCertificateFile: '/c.pem',
  }
  expect(complaints(given)).toEqual([
    'baseUrl must be an address like https://pay.example.com/prefix',
    'environment must be one of test, live',
    expect.stringContaining('ordersUrl must be https'),
    'clientId must be a UUID',
    'rsaPadding must be one of oaep-sha256, oaep-sha256-mgf1-sha1, pkcs1',
    'clientKeyFile is required with a client certificate',
  ])
  expect(complaints({})).toEqual(['baseUrl is required', 'environment is required'])
})

test('a live profile never uses plain http, in no area', () => {
  const local = 'http://127.0.0.1:1'
  expect(complaints({ baseUrl: local, environment: 'test' })).toEqual([])
  expect(complaints({ baseUrl: local, environment: 'live', walletUrl: local })).toEqual([
    'baseUrl must be https: a live profile never uses plain http',
    'walletUrl must be https: a live profile never uses plain http',
  ])
})

test('settings and secret sources that a newer paydesk wrote are kept', () => {
  const clientSecret = { from: 'file', path: '/s', since: 2027 }
  const given = { ...least, clientId, allowRestricted: true, colour: { dark: [1] }, clientSecret }
  expect(readSettings(given)).toEqual({ ok: true, settings: given })
})

test('a secret source says where the secret is, and nothing half', () => {
  const sources = ['s3cret', { from: 'nowhere' }, { from: 'file', path: 'relative' }, { from: 'env', name: 'A B' }, {}]
  for (const source of sources) {
    const said = complaints({ ...least, clientId, clientSecret: source })
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(/^clientSecret /)
    expect(said[0]).not.toContain('s3cret')
  }
})

test('a name is letters, digits, - _ and ., and never one of the built-in ones', () => {
  for (const name of ['a', 'acme-live', 'A.b_c-1', '0', 'constructor']) expect(nameComplaint(name)).toBeNull()
  for (const name of ['', '-p', '.', '..', '__proto__', 'a b', 'a/b', 'ა', 'a\n', 'x'.repeat(65)]) {
    expect(nameComplaint(name)).toContain('must be letters')
  }
  for (const name of ['sandbox', 'sandbox-receiver', 'Sandbox']) expect(nameComplaint(name)).toBe('is built in')
})

test('reading settings never throws and reads its own result as the same', () => {
  const value = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.webUrl(), fc.uuid())
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...settingNames, 'clientSecret'), value), (given) => {
      const read = readSettings({ ...least, ...given })
      if (read.ok) expect(readSettings(read.settings)).toEqual(read)
    }),
  )
})

test('every setting has a flag of its own', () => {
  const flags = settingNames.map((name) => settings[name].flag)
  expect(new Set(flags).size).toBe(flags.length)
})
