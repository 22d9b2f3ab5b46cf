/** The places where the tests of the pages look for a browser. */
import { expect, test } from 'vitest'
import { waysToBrowser } from './browser/find.ts'

const nothing = () => false
const everything = () => true

test('the program that the variable names is the only one that counts', () => {
  const env = { PAYDESK_TEST_BROWSER: '/opt/a browser' }
  const asked = waysToBrowser({ env, platform: 'linux', arch: 'x64' }, everything)
  expect(asked).toEqual([{ executablePath: '/opt/a browser' }])
})

test.each([
  ['darwin', 'arm64'],
  ['win32', 'x64'],
  ['linux', 'arm64'],
])('%s %s has an installed Chrome or Edge, not the package for Linux on x64', (platform, arch) => {
  const ways = waysToBrowser({ env: {}, platform, arch }, nothing)
  expect(ways).toEqual([{ channel: 'chrome' }, { channel: 'msedge' }])
})

test('Linux on x64 has the package first, then a Chromium of the distribution', () => {
  const [first, second] = waysToBrowser({ env: {}, platform: 'linux', arch: 'x64' }, everything)
  expect([first, second]).toEqual(['in the package', { executablePath: '/usr/bin/chromium' }])
})
