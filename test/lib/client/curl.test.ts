import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf } from '../../../src/lib/client/curl.ts'

const request = {
  method: 'POST',
  path: '/api/distributor',
  query: [],
  headers: { 'content-type': 'application/json', authorization: 'Bearer a-real-token' },
  body: `{"amount":12.50,"description":"it's $HOME \`id\` \\\\ ხელფასი"}`,
} as const

test('a curl command hands the shell exactly the address, the headers and the body, and holds no token', () => {
  const shell = `paydesk() { echo "authorization: Bearer t $*"; }; curl() { printf '%s\\n' "$@"; cat; }\n`
  const line = shell + curlOf('https://pay.example.com/prefix', request, 'an na')
  const words = execFileSync('sh', ['-c', line], { env: { HOME: '/wrong' }, encoding: 'utf8' })
  const address = 'https://pay.example.com/prefix/api/distributor'
  expect(words.split('\n')).toEqual([
    ...['-X', 'POST', address, '-H', 'content-type: application/json', '-H', '@-', '--data-binary', request.body],
    ...['authorization: Bearer t token --header -p an na', ''],
  ])
  expect(line).not.toContain('a-real-token')
})
