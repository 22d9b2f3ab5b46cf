import { expect, test } from 'vitest'
import { mustVerify } from '../../../kit/payment.ts'
import { paydesk } from '../../../kit/program.ts'
import { as, did, peopleAtHome } from '../../../kit/team.ts'

test('team key revoke: an administrator revokes a person by name or id, and the last administrator stays (2)', async () => {
  const { around, anna, nino, giorgi } = await peopleAtHome()
  const revoke = (who: string, key = anna) => paydesk(['team', 'key', 'revoke', who, ...as(key), '--json'], around)
  expect((await revoke('Giorgi', nino)).code).toBe(4)
  expect((await revoke('Nobody')).code).toBe(6)
  const last = await revoke('Anna')
  expect(last).toMatchObject({ code: 2, error: { message: expect.stringContaining('last administrator') } })
  const gone = await revoke(' nino ')
  expect(gone.json, gone.stderr).toMatchObject({ name: 'Nino', revokedAt: expect.any(String) })
  expect((await revoke('Nino')).code).toBe(6)
  // The key is taken for nobody else, the name is free.
  expect(
    (await paydesk(['team', 'key', 'add', 'Other', '--public-key', nino.publicKey, ...as(anna)], around)).code,
  ).toBe(7)
  const chief = ['team', 'key', 'add', 'Chief', '--public-key', (await peopleAtHome()).nino.publicKey]
  await did([...chief, '--administrator', ...as(anna)], around)
  expect((await revoke('Anna')).code).toBe(0)
  expect((await revoke('Giorgi', giorgi)).code).toBe(4)
  await mustVerify(around)
})
