import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proxiesFor, readAddress } from '../../../src/lib/profile/address.ts'
import { around, assertOfBoth } from '../../kit/run/property.ts'

function address(typed: string): string | null {
  const read = readAddress(typed)
  return read.ok ? read.address : null
}

test.each([
  ['https://Pay.Example.com/api/', 'https://pay.example.com/api'],
  ['https://pay.example.com:443/api', 'https://pay.example.com/api'],
  ['https://pay.example.com/x/../api//', 'https://pay.example.com/api'],
  ['https://pay.example.com/ecommerce-service/', 'https://pay.example.com/ecommerce-service'],
  ['https://pay.example.com:8443/', 'https://pay.example.com:8443'],
])('%s is the address %s', (typed, read) => {
  expect(address(typed)).toBe(read)
})

const here = ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080', 'http://127.9.9.9']
const elsewhere = [
  'pay.example.com',
  '127.0.0.1.example.com',
  'localhost.example.com',
  '0.0.0.0',
  'a.localhost',
  '[::2]',
]
const credentials = ['https://a:b@pay.example.com', 'https://a@pay.example.com', 'https://@x.ge', 'https://:@x.ge']
const queries = ['https://x.ge/?a=1', 'https://x.ge/?', 'https://x.ge/#top', 'https://x.ge#']
const noAddresses = [
  ...[
    '',
    'pay.example.com',
    'ftp://x.ge',
    'https:x.ge',
    'https://',
    'https://x.ge\\a',
    'https://x\n.ge',
    ' https://x.ge',
  ],
  ...['file:///etc/passwd', 'https://x.ge.', 'https://x.ge:99999'],
]

test('plain http goes to this machine only', () => {
  for (const typed of here) expect(readAddress(typed)).toMatchObject({ ok: true, plain: true, loopback: true })
})

test.each([
  ['must be https', elsewhere.map((host) => `http://${host}`)],
  ['must not hold a user name or a password', credentials],
  ['must not hold a query or a fragment', queries],
  ['', noAddresses],
])('no address: %s: %j', (words, texts) => {
  for (const typed of texts)
    expect(readAddress(typed), typed).toMatchObject({ ok: false, complaint: expect.stringContaining(words) })
})

const hosts = fc.oneof(fc.domain(), fc.constantFrom('localhost', '127.0.0.1', '[::1]', 'PAY.example.com'))
const ports = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: null })
const paths = fc.array(fc.stringMatching(/^[a-zA-Z0-9._~-]{0,8}$/), { maxLength: 3 })
const addresses = fc
  .tuple(fc.constantFrom('https', 'http', 'HTTPS'), hosts, ports, paths)
  .map(([scheme, host, port, path]) => [`${scheme}://${host}${port === null ? '' : `:${port}`}`, ...path].join('/'))
const typed = around(fc.oneof(addresses, fc.webUrl()), 'htps:/@?#.[]\\ 019a', 24)
const isAddress = (text: string) => readAddress(text).ok

test('an address reads as itself, and as the same place', () => {
  assertOfBoth(typed, isAddress, (text) => {
    const read = readAddress(text)
    if (!read.ok) return
    expect(readAddress(read.address)).toEqual(read)
    expect(new URL(read.address).origin).toBe(new URL(text).origin)
    expect(read.address.endsWith('/')).toBe(false)
  })
})

test('of whatever is typed, what is accepted is https or stays on this machine', () => {
  const schemes = new Set<string>()
  assertOfBoth(typed, isAddress, (text) => {
    const read = readAddress(text)
    if (!read.ok) return
    schemes.add(new URL(read.address).protocol)
    expect(read.address.startsWith('https://') || read.loopback).toBe(true)
  })
  expect([...schemes].toSorted()).toEqual(['http:', 'https:'])
})

const https = 'https://pay.example.com'
const local = 'http://127.0.0.1:8080'

test.each<[address: string, env: Record<string, string>, proxies: object]>([
  [https, { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:2' }, { httpsProxy: 'http://a:1/' }],
  [https, { HTTPS_PROXY: 'http://b:2', NO_PROXY: 'x.ge' }, { httpsProxy: 'http://b:2/', noProxy: 'x.ge' }],
  [https, { http_proxy: 'http://a:1' }, {}],
  [https, { https_proxy: '', HTTPS_PROXY: 'http://b:2' }, {}],
  [https, { https_proxy: 'proxy:3128' }, { httpsProxy: 'http://proxy:3128/' }],
  // Plain http never leaves this machine.
  [local, { http_proxy: 'http://proxy.example.com:3128' }, {}],
  [local, { http_proxy: 'http://127.0.0.1:3128' }, { httpProxy: 'http://127.0.0.1:3128/' }],
])('%s with %j has the proxies %j', (address, env, proxies) => {
  expect(proxiesFor(address, env)).toEqual(proxies)
})

test.each([
  ['https://10.1.2.3', '10.0.0.0/8', true],
  ['https://10.1.2.3', 'x.ge, 10.1.2.0/24', true],
  ['https://10.1.2.3', '10.1.3.0/24', false],
  ['https://10.1.2.3', '10.1.2.3', true],
  ['https://10.1.2.3', '10.1.2.0/33,/8,10/8,999.0.0.0/1', false],
  ['https://[fd00::7]', 'fd00::/8', true],
  ['https://[fd00::7]', '[fd00::7]', true],
  ['https://[fd00::7]', '10.0.0.0/8', false],
  ['https://pay.example.com', '0.0.0.0/0', false],
])('%s, no_proxy with a range, %s: without the proxy is %s', (address, noProxy, isDirect) => {
  const found = proxiesFor(address, { https_proxy: 'http://proxy:3128', no_proxy: noProxy })
  expect(found).toEqual(isDirect ? {} : { httpsProxy: 'http://proxy:3128/', noProxy })
})

test('a text that is no http proxy is refused without repeating it', () => {
  for (const value of ['socks5://me:s3cret@proxy:1080', 'http://', 'http://me:s3cret@:bad', 'http:/me:s3cret@proxy']) {
    expect(() => proxiesFor(https, { https_proxy: value })).toThrow(/^https_proxy is not the address of an http proxy$/)
  }
})
