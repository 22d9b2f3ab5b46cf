import { once } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { realClock, realRandom } from '../../../src/lib/edge.ts'
import type { NewIntent } from '../../../src/lib/journal/intent.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import { thisProcess } from '../../../src/lib/journal/lease.ts'
import { openStore } from '../../../src/lib/store/engine/sqlite.ts'
import { type JournalTables, journalSchema } from '../../../src/lib/store/journal/schema.ts'
import { create, mustVerify } from '../../kit/payment.ts'
import { postgresServer } from '../../kit/postgres.ts'
import { otherProcess } from '../../kit/process.ts'
import { newHome, paydesk, type Surroundings, succeeds } from '../../kit/program.ts'
import { addHandProfile, type Reply, serviceByHand } from '../../kit/service.ts'
import { journalFile, tamper } from '../../kit/store.ts'
import { approved, asked, people } from '../../kit/team.ts'
import { until } from '../../kit/tools.ts'

const server = postgresServer()

/** A person with a journal of their own, and the store of a team. */
async function person(more: Record<string, string> = {}) {
  const address = await server.newAddress()
  let reply: Reply | undefined
  const service = await serviceByHand(({ path }) => (path === '/api/distributor' ? reply : undefined))
  const home = newHome()
  await addHandProfile(home, service.url, more)
  const [alone, together] = [{ home }, { home, env: { PAYDESK_STORE: address } }]
  const argv = (key: string, amount: string) => [...create({ profile: 'hand', key, amount, timeout: '2s' }), '--json']
  return {
    service,
    home,
    alone,
    together,
    pay: (around: Surroundings, key: string, amount = '12.50') => paydesk(argv(key, amount), around),
    bring: () => paydesk(['journal', 'import', '--json'], together),
    answers: (next: Reply | undefined) => {
      reply = next
    },
    loses: (is: boolean) => {
      reply = is ? 'reset' : undefined
    },
  }
}

test('journal import: brought payments are replayed for the team, count towards its limits and keep their ids', async () => {
  const { alone, together, pay, bring, service } = await person({ limit: 'GEL 30/day' })
  const receipts = [await pay(alone, 'a'), await pay(alone, 'b')]
  for (const { code, stderr } of receipts) expect(code, stderr).toBe(0)
  await paydesk(['payee', 'add', 'Nino Beridze', 'GE29NB0000000101904917', '-p', 'hand'], alone)
  const brought = await succeeds(bring())
  expect(brought.json).toMatchObject({
    payments: 2,
    attempts: 2,
    head: receipts[1]?.json.journalHead ?? expect.anything(),
  })
  const again = await pay(together, 'a')
  expect(again.json).toMatchObject({ replayed: true, journalId: receipts[0]?.json.journalId })
  expect((await pay(together, 'c', '10')).code).toBe(13)
  expect(service.creates).toHaveLength(2)
  const verified = await paydesk(['journal', 'verify', '--json'], together)
  expect(verified.json, verified.stderr).toMatchObject({ intact: true })
})

test('journal import: a second import is a conflict (7) and changes nothing', async () => {
  const { alone, pay, bring, together } = await person()
  await pay(alone, 'a')
  expect((await bring()).code).toBe(0)
  await pay(alone, 'b')
  const twice = await bring()
  expect(twice.code, twice.stderr).toBe(7)
  expect((await paydesk(['journal', 'list', '--json'], together)).stdout).not.toContain('"b"')
})

test('journal import: a payment that was paid from both stores is a conflict (7) and nothing is brought', async () => {
  const { alone, together, pay, bring } = await person()
  await pay(together, 'a')
  await pay(alone, 'a')
  await pay(alone, 'b')
  const ended = await bring()
  expect(ended.code, ended.stderr).toBe(7)
  expect(ended.error.message).toContain("is already in the team's store")
  expect((await paydesk(['journal', 'list', '--json'], together)).stdout).not.toContain('"b"')
})

test.each(['before', 'after'])(
  'journal import: a key paid from both stores is a conflict (7), though the profile moved %s it and was made anew',
  async (when) => {
    const { alone, home, pay, bring, service, together } = await person()
    const other = await serviceByHand()
    const moved = async () => {
      const argv = ['profile', 'add', 'hand', '--replace', '--same-service', '--base-url', other.url, '--json']
      await succeeds(paydesk(argv, { home }))
    }
    if (when === 'before') await moved()
    await pay(alone, 'a')
    if (when === 'after') await moved()
    const office = { home: newHome(), env: together.env }
    await addHandProfile(office.home, other.url)
    await succeeds(pay(office, 'a'))
    expect(service.creates.length + other.creates.length).toBe(2)
    const ended = await bring()
    expect(ended.code, ended.stderr).toBe(7)
    expect(ended.error.message).toContain("is already in the team's store")
  },
)

test('journal import: a key that another client paid too is brought (0)', async () => {
  const { alone, pay, bring, service, together } = await person()
  await pay(alone, 'a')
  const office = { home: newHome(), env: together.env }
  await addHandProfile(office.home, service.url, { 'client-id': '5a9db0c0-0011-4a11-8c11-0000000000ff' })
  await succeeds(pay(office, 'a'))
  expect((await bring()).code).toBe(0)
})

test('journal import: while a payment is unknown nothing is brought (2)', async () => {
  const { alone, pay, bring, loses } = await person()
  loses(true)
  expect((await pay(alone, 'a')).code).toBe(9)
  const ended = await bring()
  expect(ended.code, ended.stderr).toBe(2)
  expect(ended.error.message).toContain('1 payment of this journal is unknown or in flight')
  loses(false)
  expect((await paydesk(['resume', '--all', '-p', 'hand', '--json'], alone)).code).toBe(0)
  expect((await bring()).code).toBe(0)
})

const draft: NewIntent = {
  ...{ operation: 'payout.create', profile: 'hand', environment: 'test', clientId: 'me' },
  ...{ service: 'https://pay.example', serviceId: 'https://pay.example', idempotencyKey: null },
  ...{ uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11', body: '{"amount":"12.50"}', bodyDigest: 'digest of 12.50' },
  ...{ payee: 'GE29NB0000000101904917', amountMinor: '1250', currency: 'GEL' },
}

/** A payment that was refused, as a process leaves it that is killed before it gives it free. */
async function refusedBy(home: string, holder: string): Promise<void> {
  const store = await openStore<JournalTables>(journalFile(home), journalSchema)
  const journal = new Journal(store, realClock, realRandom, { ...thisProcess(), self: holder })
  const guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: true } as const
  const begun = await journal.begin(draft, guard, 155_000, 'recognised')
  if (begun.kind !== 'begun') throw new Error(`it is ${begun.kind}`)
  const words = { http: 400, statusCode: 5023, exceptionGroup: 1, message: 'no' }
  const refused = { kind: 'refused', words, bodyOnly: false, status: null } as const
  const { holder: left } = await journal.finish(begun.intent, begun.attempt, refused)
  expect(left).toBe(holder)
  await store.close()
}

test('journal import: a payment that a living process has in flight stops the import (2), and the process is named', async () => {
  const { alone, home, pay, bring } = await person()
  await pay(alone, 'a')
  const { child, name } = await otherProcess()
  await refusedBy(home, name)
  const ended = await bring()
  expect(ended.code, ended.stderr).toBe(2)
  expect(ended.error.message).toContain('1 payment of this journal is unknown or in flight')
  expect(ended.stderr).toContain(`In flight by process ${child.pid} on ${hostname()}: wait for it to end, or end it.`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect((await bring()).code).toBe(0)
})

test('journal import: a row that was changed outside paydesk is not brought (1)', async () => {
  const { alone, home, pay, bring } = await person()
  await pay(alone, 'a')
  tamper(home, "update intents set state = 'refused'")
  const ended = await bring()
  expect(ended.code, ended.stderr).toBe(1)
})

test('journal import: without a team’s store, or without a journal, it is refused (2)', async () => {
  const { alone, bring } = await person()
  expect((await paydesk(['journal', 'import', '--json'], alone)).code).toBe(2)
  const none = await bring()
  expect(none.code).toBe(2)
  expect(none.error.message).toContain('does not exist')
})

test('journal import: what was sent alone under a rule counts in the team’s sum of the day for every maker', async () => {
  const { alone, together, pay, bring, service } = await person()
  const { anna } = await people(alone, { from: '1000' })
  await people(together, { from: '1000' })
  await succeeds(pay({ ...alone, env: { PAYDESK_PERSON_KEY: anna.file } }, 'a', '900'))
  expect((await bring()).code).toBe(0)
  const second = await pay(together, 'b', '100')
  expect(second.code, second.stderr).toBe(13)
  expect(second.error.message).toContain('GEL 1000')
  expect(service.creates).toHaveLength(1)
  await mustVerify(together)
})

test('journal import: an approval of another store does not count for the team', async () => {
  const { alone, together, pay, bring } = await person()
  const { anna, nino } = await people(alone, { from: '1000' })
  await people(together, { from: '1000' })
  const held = await pay(alone, 'a', '1200')
  await approved(await asked(String(held.error.journalId), anna, alone), nino, alone, 'GEL 1200')
  expect((await pay(alone, 'a', '1200')).code).toBe(0)
  expect((await bring()).code).toBe(0)
  expect(await pay(together, 'a', '1200')).toMatchObject({ code: 0, json: { replayed: true } })
  expect((await pay(together, 'b', '1')).code).toBe(13)
  await mustVerify(together)
})

test('journal import: no payment enters the person’s journal while it is brought', async () => {
  const { alone, together, pay, bring, service } = await person()
  await pay(alone, 'a')
  const address = together.env.PAYDESK_STORE
  // The first command makes the tables; then a stranger holds them.
  await paydesk(['journal', 'list', '--json'], together)
  const stranger = new Client(address)
  await stranger.connect()
  onTestFinished(() => stranger.end())
  await stranger.query('begin; lock table intents in access exclusive mode')
  const ends: string[] = []
  const bringing = bring().then((ended) => {
    ends.push(`brought ${ended.code}`)
  })
  const waits = "select 1 from pg_locks where not granted and relation = 'intents'::regclass"
  await until('the import waits for the table', async () => (await server.run(address, waits)).length > 0)
  const paying = pay(alone, 'b').then((ended) => {
    ends.push(`paid ${ended.code}`)
    return ended.code === 0 ? null : ended.error
  })
  // Long enough to come to the journal; where it is slower, it comes behind the copy.
  await Promise.race([paying, wait(200)])
  await stranger.query('commit')
  await Promise.all([bringing, paying])
  expect(ends[0]).toBe('brought 0')
  // It went out behind the copy, or not at all.
  const error = await paying
  if (error) expect(error).toMatchObject({ name: 'locked', moneyMoved: 'no' })
  expect(service.creates).toHaveLength(error ? 1 : 2)
})
