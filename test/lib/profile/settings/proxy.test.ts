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

test('a text that is no http proxy is refused without repeating it', () => {
  for (const value of ['socks5://me:s3cret@proxy:1080', 'http://', 'http://me:s3cret@:bad']) {
    expect(() => proxiesFor(https, { https_proxy: value })).toThrow(/^https_proxy is not the address of an http proxy$/)
  }
})
