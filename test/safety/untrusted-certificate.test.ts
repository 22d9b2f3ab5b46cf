/** A certificate that does not verify is no passing fault: nothing is repeated, and the setting that mends it is told. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { remedyFor } from '../../src/lib/http/explain.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { keys } from '../kit/profile.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, certificate, serviceByHand } from '../kit/service.ts'
import { orderOf100 } from '../kit/world.ts'

const integrator = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** A service whose certificate nobody vouches for, or that is that of another host, and a profile for it. */
async function place(host: string, more: Record<string, string> = {}) {
  const [service, home] = [await serviceByHand(undefined, true), newHome()]
  const keyed = { 'service-public-key': join(home, 'service.pub'), 'private-key': join(home, 'own.key') }
  writeFileSync(keyed['service-public-key'], keys.service.pub)
  writeFileSync(keyed['private-key'], keys.own.key, { mode: 0o600 })
  const url = service.url.replace('127.0.0.1', host)
  await addHandProfile(home, url, { 'integrator-id': integrator, ...keyed, ...more })
  const run = (...argv: readonly string[]) => paydesk(argv, { home, clock: hurriedClock(), random: impatient })
  return { service, run }
}

const ofHand = (argv: readonly string[]) => argv.map((word) => (word === 'sandbox' ? 'hand' : word))
const lines: readonly (readonly [string, readonly string[]])[] = [
  ['payout create', [...create({ profile: 'hand' })]],
  ['payout balance', ['payout', 'balance', '-p', 'hand']],
  ['payout get', ['payout', 'get', '4711', '-p', 'hand']],
  ['payout wait', ['payout', 'wait', '4711', '-p', 'hand']],
  ['order create', ofHand(orderOf100())],
  ['order status', ['order', 'status', '5a9db0c0-0301-4a11-8c11-000000000399', '-p', 'hand']],
  ['order wait', ['order', 'wait', '5a9db0c0-0301-4a11-8c11-000000000399', '-p', 'hand']],
]

test.each(lines)('%s, a certificate nobody vouches for: unsent (11) at once, names --ca-file', async (_name, argv) => {
  const { service, run } = await place('localhost')
  const told = await run(...argv.filter((word) => word !== '--json'))
  expect(told.code, told.stderr).toBe(11)
  expect(told.stderr).not.toContain('once more')
  const { code, error } = await run(...argv.filter((word) => word !== '--json'), '--json')
  expect(code).toBe(11)
  expect(error).toMatchObject({
    retry: 'after-fix',
    message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    hints: expect.arrayContaining([expect.stringContaining('--ca-file <file> --replace')]),
  })
  expect(service.seen).toEqual([])
})

test('payout create, order create, a certificate that --ca-file trusts but of another host: unsent (11) at once', async () => {
  const { run } = await place('[::ffff:127.0.0.1]', { 'ca-file': certificate })
  for (const argv of [create({ profile: 'hand' }), ofHand(orderOf100())]) {
    const { code, stderr } = await run(...argv)
    expect(code, stderr).toBe(11)
    expect(stderr).toContain('check the base URL of the profile')
    expect(stderr).not.toContain('once more')
  }
})

test.each([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE: unable to verify the first certificate',
  'SELF_SIGNED_CERT_IN_CHAIN: self-signed certificate in certificate chain',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED: certificate has expired',
  'no tunnel through the proxy: DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate',
])('a reason that no repeat mends names --ca-file: %s', (why) => {
  expect(JSON.stringify(remedyFor(why))).toContain('--ca-file')
})

test.each(['ECONNREFUSED: connect', 'ENOTFOUND', 'no answer within 10 s', 'the service is busy', 'x CERT_HAS_EXPIRED'])(
  'a reason that may pass is repeated: %s',
  (why) => {
    expect(remedyFor(why)).toBeNull()
  },
)
