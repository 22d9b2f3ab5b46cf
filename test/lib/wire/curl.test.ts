import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf } from '../../../src/lib/wire/curl.ts'

const request = {
  method: 'POST',
  path: '/api/distributor',
  query: [],
  headers: { 'content-type': 'application/json', authorization: 'Bearer a-real-token' },
  body: `{"amount":12.50,"description":"it's $HOME \`id\` \\\\ ხელფასი"}`,
} as const

test('a curl command hands the shell exactly the address, the headers and the body', () => {
  const line = curlOf('https://pay.example.com/prefix', request).replace(/^curl/, "printf '%s\\n'")
  const words = execFileSync('sh', ['-c', line], {
    env: { PAYDESK_ACCESS_TOKEN: 't', HOME: '/wrong' },
    encoding: 'utf8',
  })
  expect(words.split('\n')).toEqual([
    '-X',
    'POST',
    'https://pay.example.com/prefix/api/distributor',
    '-H',
    'content-type: application/json',
    '-H',
    'authorization: Bearer t',
    '--data-binary',
    request.body,
    '',
  ])
})

test('a curl command holds no token', () => {
  expect(curlOf('https://pay.example.com', request)).not.toContain('a-real-token')
})
