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
  test('is its own canonical form', () => {
    fc.assert(
      fc.property(respelled, ([address]) => {
        expect(originOf(originOf(address))).toBe(originOf(address))
      }),
    )
  })

  test('is the same for every spelling', () => {
    fc.assert(
      fc.property(respelled, ([one, other]) => {
        expect(originOf(one)).toBe(originOf(other))
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

  test('names of other scripts have one spelling, and names that only look like this machine are others', () => {
    expect(originOf('https://BÜCHER.example/')).toBe(originOf('https://xn--bcher-kva.example'))
    expect(originOf('https://[2001:DB8:0::1]')).toBe(originOf('https://[2001:db8::1]:443'))
    for (const host of ['localhost.example.com', 'my.localhost', '128.0.0.1', '[::2]', '127.0.0.1.example.com']) {
      expect(originOf(`https://${host}`)).not.toBe(originOf('https://localhost'))
    }
    expect(originOf('sandbox:Abc')).toBe('sandbox:Abc')
  })
})

test('another environment and another client are other services, whatever the address', () => {
  const place = { service: 'https://a.example', serviceId: 'https://a.example', environment: 'test', clientId: 'me' }
  const moved = { ...place, service: 'https://b.example' }
  expect(isSameService(place, moved)).toBe(true)
  expect(isSameService({ ...moved, serviceId: 'https://b.example' }, moved)).toBe(true)
  expect(isSameService({ ...moved, serviceId: 'https://b.example' }, place)).toBe(false)
  expect(isSameService(place, { ...place, environment: 'live' })).toBe(false)
  expect(isSameService(place, { ...place, clientId: 'you' })).toBe(false)
})
