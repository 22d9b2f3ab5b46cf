import { expect, test } from 'vitest'
import { leadsTo } from '../../../../src/lib/callback/receive/itself.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:4020/callback', true],
  ['127.0.0.1', 'http://LOCALHOST:4020/callback/', true],
  ['127.0.0.1', 'http://[::ffff:7f00:1]:4020/callback', true],
  ['127.0.0.1', 'http://127.0.0.1:4021/callback', false],
  ['127.0.0.1', 'http://127.0.0.1:4020/callback2', false],
  ['127.0.0.1', 'http://127.0.0.2:4020/callback', false],
  ['127.0.0.1', 'https://127.0.0.1:4020/callback', false],
  ['::1', 'http://[0:0:0:0:0:0:0:1]:4020/callback', true],
  ['::1', 'http://[::]:4020/callback', true],
  ['0.0.0.0', 'http://127.9.9.9:4020/callback', true],
  ['0.0.0.0', 'http://192.0.2.1:4020/callback', false],
  ['0.0.0.0', 'http://nobody.invalid:4020/callback', false],
])('a listener on %s is %s: %s', async (host, target, itself) => {
  expect(await leadsTo(target, { host, url: 'http://127.0.0.1:4020/callback' })).toBe(itself)
})
