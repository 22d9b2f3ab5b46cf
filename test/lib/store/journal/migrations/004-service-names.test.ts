import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createPayout } from '../../../../../src/lib/contract/payout/payout.ts'
import { draftOf } from '../../../../../src/lib/desk/draft.ts'
import { type Profile, permitsOfProfile } from '../../../../../src/lib/profile/profile.ts'
import { openStore } from '../../../../../src/lib/store/engine/open.ts'
import { attemptsOf, listIntents } from '../../../../../src/lib/store/journal/journal.ts'
import {
  type AttemptRow,
  type IntentRow,
  type JournalTables,
  journalSchema,
} from '../../../../../src/lib/store/journal/schema.ts'
import { sealed } from '../../../../../src/lib/store/journal/seal.ts'
import { beneficiaryIban, create } from '../../../../kit/payment.ts'
import { newHome, paydesk } from '../../../../kit/program/paydesk.ts'
import {
  addHandProfile,
  handClient,
  type ServiceByHand,
  serviceByHand,
} from '../../../../kit/service/service-by-hand.ts'

// Hundreds of inputs, each of which takes its time.
vi.setConfig({ testTimeout: 60_000 })

const earlierSchema = { title: journalSchema.title, migrations: journalSchema.migrations.slice(0, 3) }

const journalOf = (home: string) => join(home, 'journal', 'journal.db')
const key = 'salary-11'

/** The id that an earlier paydesk made of a key: of the address as it was spelled. */
function earlierId(origin: string): string {
  const parts = JSON.stringify(['paydesk', origin, handClient, 'payout.create', key])
  const bytes = createHash('sha256').update(parts).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

type EarlierRow = Omit<
  IntentRow,
  'service_id' | 'origin' | 'operator_word' | 'salt' | 'maker' | 'approvers' | 'removed_at'
>
type EarlierAttempt = Omit<AttemptRow, 'salt' | 'known' | 'told'>

function earlierRow(service: string, more: Partial<EarlierRow> = {}): Omit<EarlierRow, 'digest'> {
  const uniqueId = earlierId(new URL(service).origin)
  const request = {
    amount: '12.50',
    currency: 'GEL',
    toIban: beneficiaryIban,
    beneficiaryName: 'Nino Beridze',
    description: 'Salary, November',
    uniqueId,
  }
  const profile: Profile = {
    ...{ name: 'hand', environment: 'test', part: 'payouts', service, serviceId: service, baseUrl: service },
    ...{ clientId: handClient, clientSecret: async () => '', seal: null, orderType: null },
    ...{ permits: permitsOfProfile(true), duplicateGuard: 'warn', limits: [], transport: {} },
  }
  const draft = draftOf(profile, createPayout, request, { businessKey: key, ownId: '' })
  return {
    ...{ id: 'j-000000000001', operation: draft.operation, profile: draft.profile, environment: 'test', service },
    ...{
      client_id: handClient,
      unique_id: uniqueId,
      business_key: key,
      body: draft.body,
      body_digest: draft.bodyDigest,
    },
    ...{
      payee: draft.payee,
      amount_minor: '1250',
      currency: 'GEL',
      state: 'unknown',
      transaction_id: null,
      status: null,
    },
    ...{ status_description: null, service_created_at: null, answer: null, because: null },
    ...{
      opened_at: '2026-11-20T06:00:00.000Z',
      changed_at: '2026-11-20T06:00:00.000Z',
      holder: null,
      held_until: null,
    },
    ...{ held_until_steady: null, sum_confirmed: null },
    ...more,
  }
}

/** A journal as an earlier paydesk left it. */
async function earlierJournal(home: string, rows: readonly EarlierRow[]): Promise<void> {
  const store = await openStore<{ intents: EarlierRow; attempts: EarlierAttempt }>(journalOf(home), earlierSchema)
  await store.write(async (db) => {
    for (const row of rows) {
      await db.insertInto('intents').values(row).execute()
      const attempt = sealed<EarlierAttempt>({
        ...{ intent_id: row.id, number: 1, started_at: row.opened_at, ended_at: null, body_digest: row.body_digest },
        ...{
          outcome: 'unknown',
          http: null,
          status_code: null,
          exception_group: null,
          message: null,
          why: 'reset',
          started_steady: null,
        },
      })
      await db.insertInto('attempts').values(attempt).execute()
    }
  })
  await store.close()
}

/** A configuration as an earlier paydesk left it: no service has a name in it. */
function withoutServices(home: string): void {
  const path = join(home, 'config', 'config.json')
  const config = JSON.parse(readFileSync(path, 'utf8'))
  expect(config.profiles.hand.services).toBeDefined()
  delete config.profiles.hand.services
  writeFileSync(path, JSON.stringify(config))
}

const sentBy = ({ creates }: ServiceByHand) => creates.map(({ body }) => JSON.parse(body).uniqueId as string)

test.each(['127.0.0.1', 'localhost'])(
  'a payment that an earlier paydesk sent to %s is found by its key under every spelling, and keeps its id',
  async (host) => {
    for (const now of ['127.0.0.1', 'localhost']) {
      const home = newHome()
      const service = await serviceByHand()
      const at = (name: string) => service.url.replace('127.0.0.1', name)
      await addHandProfile(home, at(host))
      withoutServices(home)
      await earlierJournal(home, [sealed<EarlierRow>(earlierRow(at(host)))])
      const moved = await paydesk(['profile', 'add', 'hand', '--replace', '--base-url', at(now)], { home })
      expect(moved.code, moved.stderr).toBe(0)
      const ended = await paydesk([...create({ profile: 'hand', key }), '--json'], { home })
      expect(ended.code, ended.stderr).toBe(0)
      expect(ended.json).toMatchObject({ journalId: 'j-000000000001' })
      expect(sentBy(service)).toEqual([earlierId(at(host))])
    }
  },
)

test('a profile of an earlier paydesk, plainly spelled, makes the ids that it made', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, `${service.url}/`)
  withoutServices(home)
  expect((await paydesk(create({ profile: 'hand', key }), { home })).code).toBe(0)
  expect(sentBy(service)).toEqual([earlierId(service.url)])
})

test('rows that are whole stay whole with their attempts, and a damaged one stays damaged', async () => {
  const home = newHome()
  const rows = Array.from({ length: 1_203 }, (_, at) =>
    sealed<EarlierRow>(
      earlierRow('https://PAY.example:443/v2', { id: `j-${String(at).padStart(12, '0')}`, unique_id: `id-${at}` }),
    ),
  )
  await earlierJournal(home, rows)
  const store = await openStore<JournalTables>(journalOf(home), journalSchema)
  const named = await store.read((db) => listIntents(db, {}))
  expect(named).toHaveLength(rows.length)
  expect(new Set(named.map(({ service_id, origin }) => `${service_id} ${origin}`))).toEqual(
    new Set(['https://pay.example https://pay.example']),
  )
  expect(await store.read((db) => attemptsOf(db, 'j-000000001202'))).toMatchObject([{ number: 1, why: 'reset' }])
  await store.close()

  const other = newHome()
  const damaged = { ...sealed<EarlierRow>(earlierRow('https://pay.example')), amount_minor: '9950' }
  await earlierJournal(other, [damaged])
  const opened = await openStore<JournalTables>(journalOf(other), journalSchema)
  await expect(opened.read((db) => listIntents(db, {}))).rejects.toThrow('was changed outside paydesk')
  await opened.close()
})
