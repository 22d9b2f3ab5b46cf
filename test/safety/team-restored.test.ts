/**
 * A team's store is put back to an older copy of itself inside its own server, which is then the same one on the same
 * timeline.
 */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import type { JournalTables } from '../../src/lib/store/journal/schema.ts'
import { openTeam } from '../../src/lib/store/team/schema.ts'
import { create } from '../kit/payment.ts'
import { copiesOf, postgresServer } from '../kit/postgres.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'

// Each runs a dozen commands or more over a real database.
vi.setConfig({ testTimeout: 30_000 })

const server = postgresServer()

/** Machines of a team, and a database of which copies can be kept and put back. */
async function team() {
  const address = await server.newAddress()
  const schema = /search_path%3D(\w+)/.exec(address)?.[1] ?? ''
  const service = await serviceByHand()
  const machine = async () => {
    const around = { home: newHome(), env: { PAYDESK_STORE: address } }
    await addHandProfile(around.home, service.url)
    return {
      home: around.home,
      run: (...argv: string[]) => paydesk([...argv, '--json'], around),
      pay: (key: string) => paydesk([...create({ profile: 'hand', key }), '--json'], around),
      confirm: () => paydesk(['team', 'confirm', '--because', 'the statement agrees', '--json'], around),
    }
  }
  return {
    ...{ address, service, machine },
    ...copiesOf(server, address),
    empty: () => server.run(address, `drop schema ${schema} cascade; create schema ${schema}`),
  }
}

async function paid(machine: { pay: (key: string) => ReturnType<typeof paydesk> }, ...keys: readonly string[]) {
  for (const key of keys) {
    await succeeds(machine.pay(key))
  }
}

test('payout create: a store that is behind what a machine has seen is not written (12), until `team confirm` on any machine', async () => {
  const { service, machine, keepCopy, putBack } = await team()
  const [till, office] = [await machine(), await machine()]
  await paid(till, 'one')
  await keepCopy()
  await paid(till, 'two')
  await paid(office, 'three')
  await putBack()
  for (const each of [till, office]) {
    const stopped = await each.pay('two')
    expect(stopped.code, stopped.stderr).toBe(12)
    expect(stopped.error.message).toMatch(
      / has \d+ links in its chain, and this machine has seen \d+; what was paid last may be missing/,
    )
    expect(stopped.stdout + stopped.stderr).toContain('team confirm --because')
    // It was executed, and the store that knew of it is gone.
    expect(stopped.error).toMatchObject({ moneyMoved: 'unknown' })
  }
  expect(service.creates).toHaveLength(3)
  // What is there can be looked at.
  expect((await office.run('journal', 'list')).code).toBe(0)
  expect((await till.confirm()).json).toMatchObject({ isNew: true })
  await paid(office, 'four')
  await paid(till, 'five')
  expect((await office.confirm()).json).toMatchObject({ isNew: false })
  // Put back once more, to a copy from before the word that it was whole.
  await putBack()
  expect((await till.pay('five')).code).toBe(12)
  expect(service.creates).toHaveLength(5)
})

test('payout create: a store that was put back is not written (12) though another machine has gone on in it, farther than it was', async () => {
  const { service, machine, keepCopy, putBack } = await team()
  const till = await machine()
  await paid(till, 'one')
  await keepCopy()
  await paid(till, 'two')
  await putBack()
  await paid(await machine(), 'three', 'four', 'five')
  const stopped = await till.pay('two')
  expect(stopped.code, stopped.stderr).toBe(12)
  expect(stopped.error.message).toMatch(/ has another link \d+ in its chain than this machine has seen; /)
  expect(service.creates).toHaveLength(5)
})

test.each([
  ['another name of this machine', (address: string) => address.replace('127.0.0.1', 'localhost')],
  ['another word for the way', (address: string) => address.replace('?', '?sslmode=disable&')],
  ['another scheme', (address: string) => address.replace('postgres:', 'postgresql:')],
])('payout create: a store made anew is seen (12) though its address is spelled with %s', async (_, spelled) => {
  const { address, service, machine, empty } = await team()
  const till = await machine()
  await paid(till, 'salary-1')
  await empty()
  const env = { PAYDESK_STORE: spelled(address) }
  expect(env.PAYDESK_STORE).not.toBe(address)
  const again = await paydesk([...create({ profile: 'hand', key: 'salary-1' }), '--json'], { home: till.home, env })
  expect([again.code, service.creates.length], again.stderr).toEqual([12, 1])
})

test("a team's journal: a process that has the store open when it is put back writes nothing more, until it is confirmed", async () => {
  const { address, machine, keepCopy, putBack } = await team()
  const till = await machine()
  await paid(till, 'one')
  await keepCopy()
  const store = await openTeam<JournalTables>(address, { machine: realClock })
  onTestFinished(() => store.close())
  const write = () => store.write((db) => db.selectFrom('intents').select('id').execute())
  await write()
  await putBack()
  await expect(write()).rejects.toMatchObject({ kind: 'locked' })
  await expect(write()).rejects.toMatchObject({ kind: 'locked' })
  await paid(till, 'two')
  expect(await store.confirm('seen')).toMatchObject({ isNew: true })
  expect(await write()).toHaveLength(2)
})

test('payout create: marks of a store are readable by their owner only, and a machine that cannot write them pays all the same', async () => {
  const { machine } = await team()
  const [till, frozen] = [await machine(), await machine()]
  await paid(till, 'one')
  const marks = join(till.home, 'journal', 'teams')
  const modes = readdirSync(marks).map((name) => statSync(join(marks, name)).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600])
  mkdirSync(join(frozen.home, 'journal'), { mode: 0o700 })
  writeFileSync(join(frozen.home, 'journal', 'teams'), 'a file where a directory should be')
  await paid(frozen, 'two', 'three')
})
