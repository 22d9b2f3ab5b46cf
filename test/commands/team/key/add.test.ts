import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mustVerify } from '../../../kit/payment.ts'
import { newHome, paydesk } from '../../../kit/program.ts'
import { tamper } from '../../../kit/store.ts'
import { as, keyFile, peopleAtHome } from '../../../kit/team.ts'

test('team key add: the first person adds itself as administrator, and only an administrator adds others (4)', async () => {
  const around = { home: newHome() }
  const [anna, nino, giorgi] = [keyFile(), keyFile(), keyFile()]
  const add = (...argv: readonly string[]) => paydesk(['team', 'key', 'add', ...argv, '--json'], around)
  expect((await add('Anna', '--public-key', nino.publicKey, ...as(anna))).code).toBe(2)
  expect((await add('Anna', ...as(anna))).json).toMatchObject({
    ...{ name: 'Anna', role: 'administrator', publicKey: anna.publicKey, revokedAt: null },
  })
  expect((await add('Nino', ...as(nino))).code).toBe(4)
  const added = await add('Nino', '--public-key', nino.publicKey, ...as(anna))
  expect(added.json, added.stderr).toMatchObject({ name: 'Nino', role: 'member' })
  expect((await add('Giorgi', '--public-key', giorgi.publicKey, ...as(nino))).code).toBe(4)
  const chief = await add('Giorgi', '--public-key', giorgi.publicKey, '--administrator', ...as(anna))
  expect(chief.json).toMatchObject({ role: 'administrator' })
  await mustVerify(around)
})

test('team key add: a key or name in use is a conflict (7), and a malformed key is refused (2, 4)', async () => {
  const { around, anna, nino } = await peopleAtHome()
  const add = (...argv: readonly string[]) => paydesk(['team', 'key', 'add', ...argv, '--json'], around)
  expect((await add('Other', '--public-key', nino.publicKey, ...as(anna))).code).toBe(7)
  expect((await add(' NINO.', '--public-key', keyFile().publicKey, ...as(anna))).code).toBe(7)
  expect((await add('', '--public-key', keyFile().publicKey, ...as(anna))).code).toBe(2)
  for (const wrong of ['ed25519:', nino.publicKey.slice(0, -1), `${nino.publicKey}A`, 'rsa']) {
    expect((await add('New', '--public-key', wrong, ...as(anna))).code, wrong).toBe(2)
  }
  const file = join(around.home, 'wrong.key')
  writeFileSync(file, 'no key', { mode: 0o600 })
  expect((await add('New', '--person-key', file)).code).toBe(4)
  expect((await add('New', '--person-key', join(around.home, 'none'))).code).toBe(4)
  expect((await add('New')).code).toBe(4)
})

test('team key list: a person changed outside paydesk is damage (1)', async () => {
  const { around } = await peopleAtHome()
  tamper(around.home, "update persons set role = 'administrator' where name = 'Nino'")
  expect((await paydesk(['team', 'key', 'list', '--json'], around)).code).toBe(1)
})

test('team key add: of twenty first persons at once one becomes administrator and the others are refused (4)', async () => {
  const around = { home: newHome() }
  const tries = Array.from({ length: 20 }, (_, at) =>
    paydesk(['team', 'key', 'add', `Person ${at}`, ...as(keyFile()), '--json'], around),
  )
  const codes = (await Promise.all(tries)).map(({ code }) => code)
  expect(codes.filter((code) => code === 0)).toHaveLength(1)
  expect(codes.filter((code) => code === 4)).toHaveLength(19)
})

test('team key add: --confirm with another name is refused (3) and adds nobody; --yes and the name add them', async () => {
  const around = { home: newHome() }
  const anna = keyFile()
  const add = (name: string, ...more: readonly string[]) =>
    paydesk(['team', 'key', 'add', name, ...more, ...as(anna), '--json'], around)
  expect((await add('Anna', '--confirm', 'Nino')).code).toBe(3)
  expect((await add('Anna', '--confirm', 'Anna')).code).toBe(0)
  expect((await add('Nino', '--public-key', keyFile().publicKey, '--yes')).code).toBe(0)
})
