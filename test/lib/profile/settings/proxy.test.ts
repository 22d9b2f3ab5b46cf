import { expect, test } from 'vitest'
import { proxiesFor } from '../../../../src/lib/profile/settings/proxy.ts'

const https = 'https://pay.example.com'
const local = 'http://127.0.0.1:8080'

test('the variable fits the scheme, in lower case before upper case', () => {
  expect(proxiesFor(https, { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:2' })).toEqual({
    httpsProxy: 'http://a:1/',
  })
  expect(proxiesFor(https, { HTTPS_PROXY: 'http://b:2', NO_PROXY: 'x.ge' })).toEqual({
    httpsProxy: 'http://b:2/',
    noProxy: 'x.ge',
  })
  expect(proxiesFor(https, { http_proxy: 'http://a:1' })).toEqual({})
  expect(proxiesFor(https, { https_proxy: '', HTTPS_PROXY: 'http://b:2' })).toEqual({})
})

test('plain http never leaves this machine through a proxy', () => {
  expect(proxiesFor(local, { http_proxy: 'http://proxy.example.com:3128' })).toEqual({})
  expect(proxiesFor(local, { http_proxy: 'http://127.0.0.1:3128' })).toEqual({ httpProxy: 'http://127.0.0.1:3128/' })
})

test('a proxy without a scheme is an http proxy', () => {
  expect(proxiesFor(https, { https_proxy: 'proxy:3128' })).toEqual({ httpsProxy: 'http://proxy:3128/' })
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
