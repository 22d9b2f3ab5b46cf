/** Persons and rules of a store that were there before. */
import { expect, test } from 'vitest'
import { readPersonKey } from '../../../src/lib/approvals/signatures.ts'
import { type Clock, realRandom } from '../../../src/lib/edge.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import { journalStores } from '../../kit/postgres.ts'
import { keyFile } from '../../kit/team.ts'

const newStore = journalStores()

async function scene() {
  let now = Date.parse('2026-11-20T06:00:00Z')
  const clock: Clock = {
    now: () => {
      now += 1
      return now
    },
    steady: () => ({ boot: 'this', milliseconds: now }),
    sleep: () => Promise.resolve(),
  }
  const journal = new Journal(await newStore(), clock, realRandom, { self: 'me', standing: () => 'alive' })
  const { team } = await journal.fourEyes()
  const [anna, nino, giorgi] = [keyFile(), keyFile(), keyFile()].map(({ file }) => readPersonKey(file))
  if (!anna || !nino || !giorgi) throw new Error('no keys')
  await team.add({ name: 'Anna', publicKey: null, role: 'administrator' }, anna)
  await team.add({ name: 'Nino', publicKey: nino.publicKey, role: 'member' }, anna)
  return { team, anna, nino, giorgi }
}

const rule = { currency: 'GEL', from_units: '1000', approvers: 1 }

test('a rule of another currency is another one, and one that was removed makes room for the same again', async () => {
  const { team, anna } = await scene()
  const { rule: first } = await team.addRule(rule, anna)
  await expect(team.addRule({ ...rule, from_units: '2000' }, anna)).rejects.toMatchObject({ kind: 'duplicate' })
  await team.addRule({ ...rule, currency: 'USD' }, anna)
  await team.removeRule(` ${first.id.toUpperCase()} `, anna)
  expect(await team.rules()).toMatchObject([{ currency: 'USD' }])
  await expect(team.removeRule(first.id, anna)).rejects.toMatchObject({ kind: 'not-found' })
  await team.addRule(rule, anna)
  expect(await team.rules()).toHaveLength(2)
})

test('a person who was revoked gives the name back, and never the key', async () => {
  const { team, anna, nino, giorgi } = await scene()
  await team.revoke('nino', anna)
  const again = team.add({ name: 'Giorgi', publicKey: nino.publicKey, role: 'member' }, anna)
  await expect(again).rejects.toMatchObject({ kind: 'duplicate' })
  await team.add({ name: 'Nino', publicKey: giorgi.publicKey, role: 'member' }, anna)
})
