/** A profile can name the team's store. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { create } from '../../kit/payment.ts'
import { postgresServer } from '../../kit/postgres.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, serviceByHand } from '../../kit/service.ts'

const server = postgresServer()

async function machine(url: string, store: string, env: Record<string, string> = {}) {
  const around = { home: newHome(), env }
  await addHandProfile(around.home, url)
  const run = (...argv: readonly string[]) => paydesk([...argv, '--json'], around)
  const named = await run('profile', 'add', 'hand', '--store', store)
  return { ...around, run, named }
}

const pay = [...create({ profile: 'hand', key: 'salary-11' })]

test('profile add --store: two machines share one journal, and the address is stored without a password', async () => {
  const service = await serviceByHand()
  const address = await server.newAddress()
  const [till, office] = [await machine(service.url, address), await machine(service.url, address)]
  expect(till.named.code, till.named.stderr).toBe(0)
  const first = await succeeds(till.run(...pay))
  const again = await office.run(...pay)
  expect(again.json, again.stderr).toMatchObject({ replayed: true, transactionId: first.json.transactionId })
  expect(service.creates).toHaveLength(1)
  expect((await office.run('profile', 'show', 'hand')).json).toMatchObject({ store: address })
  expect(readFileSync(join(till.home, 'config', 'config.json'), 'utf8')).not.toContain(String(process.env.PGPASSWORD))
  // A command without a profile asks the store of the default one.
  expect((await office.run('journal', 'list')).json).toEqual([])
  expect((await office.run('journal', 'list', '-p', 'hand')).json).toMatchObject([{ key: 'salary-11' }])
  await office.run('profile', 'use', 'hand')
  expect((await office.run('journal', 'list')).json).toMatchObject([{ key: 'salary-11' }])
})

test('payout create: PAYDESK_STORE that differs from the profile’s store sends nothing (2), another user of the same store is fine', async () => {
  const service = await serviceByHand()
  const address = await server.newAddress()
  const other = await machine(service.url, address, { PAYDESK_STORE: await server.newAddress() })
  const refused = await other.run(...pay)
  expect(refused.code, refused.stderr).toBe(2)
  expect(refused.error).toMatchObject({
    message: expect.stringContaining('PAYDESK_STORE and the profile hand name different stores'),
    // An earlier run may have sent it, into either of them.
    moneyMoved: 'unknown',
  })
  expect(service.creates).toHaveLength(0)
  const same = await machine(service.url, address.replace('//paydesk@', '//'), { PAYDESK_STORE: address })
  await succeeds(same.run(...pay))
})

test.each([
  ['postgres://paydesk:secret@db.example.com/paydesk', 'has a password in it'],
  ['postgres://paydesk@db.example.com/paydesk?password=secret', 'has a password in it'],
  ['postgres://paydesk@db.example.com/paydesk?sslmode=require', 'asks for sslmode=require'],
  ['https://db.example.com/paydesk', 'is not the address of a Postgres database'],
])('profile add --store: %s is refused (2)', async (address, words) => {
  const service = await serviceByHand()
  const { named } = await machine(service.url, address)
  expect(named.code).toBe(2)
  expect(named.error.message).toContain(`--store ${words}`)
  expect(named.stderr).not.toContain('secret@')
})

test('profile add --store: earlier payments are a warning, and another store needs --replace (2)', async () => {
  const service = await serviceByHand()
  const address = await server.newAddress()
  const { named, run } = await machine(service.url, address)
  expect(named.json.warnings).toContainEqual(expect.stringContaining('paydesk journal import -p hand'))
  const another = await server.newAddress()
  expect((await run('profile', 'add', 'hand', '--store', another)).code).toBe(2)
  const replaced = await run('profile', 'add', 'hand', '--store', another, '--replace')
  expect(replaced.json.warnings, replaced.stderr).toContainEqual(expect.stringContaining('which is no longer used'))
})

test('resume --all: names the profiles whose payments are in a store of their own', async () => {
  const service = await serviceByHand()
  const { home } = await machine(service.url, await server.newAddress())
  const ended = await succeeds(paydesk(['resume', '--all'], { home }))
  expect(ended.stderr).toContain('the payments of hand are in another store, which was not read')
})
