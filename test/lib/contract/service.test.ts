import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSameService, originOf } from '../../../src/lib/contract/service.ts'

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/)
const remote = fc.tuple(label, label).map(([one, two]) => `${one}.${two}.example`)
const loopback = fc.oneof(
  fc.constantFrom('localhost', '[::1]', '[0:0:0:0:0:0:0:1]', '127.1', '0x7f000001', '[::ffff:127.0.0.1]', 'localhost.'),
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => `127.${parts.join('.')}`),
)
const port = fc.integer({ min: 1, max: 65_535 })
const prefix = fc.constantFrom('', '/', '/v2', '/v2/pay/')
const scheme = fc.constantFrom('http', 'https')
const mixedCase = (text: string) => fc.mixedCase(fc.constant(text))

/** Two spellings of one place. */
const respelled = fc
  .tuple(scheme, fc.oneof(remote, fc.constant('127.0.0.1')), port)
  .chain(([protocol, host, number]) => {
    const isUsual = number === (protocol === 'http' ? 80 : 443)
    const spelling = fc
      .tuple(
        mixedCase(protocol),
        host === '127.0.0.1' ? loopback.chain(mixedCase) : mixedCase(host),
        host === '127.0.0.1' ? fc.constant('') : fc.constantFrom('', '.'),
        isUsual ? fc.constantFrom('', `:${number}`) : fc.constant(`:${number}`),
        prefix,
      )
      .map(([first, name, dot, at, path]) => `${first}://${name}${dot}${at}${path}`)
    return fc.tuple(spelling, spelling)
  })

describe('the canonical form of an address', () => {
  test('is the same for every spelling', () => {
    fc.assert(
      fc.property(respelled, ([one, other]) => {
        expect(originOf(one)).toBe(originOf(other))
        expect(originOf(originOf(one))).toBe(originOf(one))
      }),
    )
  })

  test('differs for another host, another port and another scheme', () => {
    const place = fc.tuple(scheme, fc.oneof(remote, fc.constant('127.0.0.1'), fc.ipV4()), port)
    fc.assert(
      fc.property(place, place, (one, other) => {
        fc.pre(one.join() !== other.join() && !/^127/.test(`${one[1]}${other[1]}`))
        const at = ([protocol, host, number]: typeof one) => originOf(`${protocol}://${host}:${number}`)
        expect(at(one)).not.toBe(at(other))
      }),
    )
  })

  test('is what a plainly spelled address has always been: no key changes its id', () => {
    fc.assert(
      fc.property(scheme, fc.oneof(remote, fc.constant('127.0.0.1')), port, prefix, (protocol, host, number, path) => {
        const address = `${protocol}://${host}:${number}${path}`
        expect(originOf(address)).toBe(new URL(address).origin)
      }),
    )
  })
})

test.each([
  ['HTTPS://Pay.Example.:443/v2/', 'https://pay.example'],
  ['https://pay.example:8443', 'https://pay.example:8443'],
  ['http://pay.example:80/', 'http://pay.example'],
  ['http://localhost:4711/x', 'http://127.0.0.1:4711'],
  ['https://[::1]', 'https://127.0.0.1'],
  ['https://[::ffff:127.0.0.1]:444', 'https://127.0.0.1:444'],
  ['https://BÜCHER.example/', 'https://xn--bcher-kva.example'],
  ['https://[2001:DB8:0::1]', 'https://[2001:db8::1]'],
  ['https://localhost.example.com', 'https://localhost.example.com'],
  ['https://127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
  ['https://my.localhost', 'https://my.localhost'],
  ['https://128.0.0.1', 'https://128.0.0.1'],
  ['https://[::2]', 'https://[::2]'],
  ['sandbox:Abc', 'sandbox:Abc'],
])('the canonical form of %s is %s', (address, origin) => {
  expect(originOf(address)).toBe(origin)
})

const place = { service: 'https://a.example', serviceId: 'a', environment: 'test', clientId: 'me' }

test.each([
  ['address', { service: 'https://b.example' }, true],
  ['service name', { serviceId: 'b' }, true],
  ['address and service name', { service: 'https://b.example', serviceId: 'b' }, false],
  ['environment', { environment: 'live' }, false],
  ['client', { clientId: 'you' }, false],
])('two places with another %s alone are one client of one service (%j): %s', (_what, more, isSame) => {
  expect(isSameService(place, { ...place, ...more })).toBe(isSame)
  expect(isSameService({ ...place, ...more }, place)).toBe(isSame)
})
