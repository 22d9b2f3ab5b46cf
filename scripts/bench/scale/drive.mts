/** The store of a team alone: journals of one process open and finish payouts as workers do, with no service between. */
import { randomUUID } from 'node:crypto'
import { realClock, realRandom } from '../../../src/lib/edge.ts'
import type { NewIntent } from '../../../src/lib/journal/intent.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import { thisProcess } from '../../../src/lib/journal/lease.ts'
import type { JournalTables } from '../../../src/lib/store/journal/schema.ts'
import { openTeam } from '../../../src/lib/store/team/schema.ts'
import { payee } from '../batch/payees.mts'
import { type BenchServer, coreSeconds } from '../fleet/postgres.mts'

export interface Driven {
  readonly workers: number
  readonly rows: number
  readonly rate: number
  readonly commits: number
  /** Milliseconds of the processor for a row. */
  readonly serverCpu: number
  readonly clientCpu: number
  /** Bytes of the server's log for a row. */
  readonly logged: number
}

/** Rows of a worker that are opened or finished at the same time. */
const lanes = 32

const place = { service: 'https://pay.example', serviceId: 'https://pay.example', environment: 'test', clientId: 'me' }
const guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: false } as const
const leaseTime = 155_000

function newIntentOf(number: number): NewIntent {
  const { key, amount, iban, name } = payee(number)
  const uniqueId = randomUUID()
  const request = { amount, currency: 'GEL', description: 'Salary, November', toIban: iban, beneficiaryName: name }
  return {
    ...{ ...place, operation: 'payout.create', profile: 'bench', uniqueId, idempotencyKey: key },
    ...{ body: JSON.stringify({ ...request, uniqueId }), bodyDigest: uniqueId, payee: iban },
    ...{ amountMinor: amount.replace('.', ''), currency: 'GEL' },
  }
}

export async function drive(server: BenchServer, workers: number, rows: number): Promise<Driven> {
  const { PAYDESK_STORE: address, PGPASSWORD: password } = await server.newStore()
  process.env.PGPASSWORD = password
  const open = async (self: string) => {
    const store = await openTeam<JournalTables>(address, { machine: realClock })
    const journal = new Journal(store, store.clock, realRandom, { ...thisProcess('any-machine'), self })
    return { store, journal }
  }
  const all = await Promise.all(Array.from({ length: workers }, (_, at) => open(`worker ${at}`)))
  let next = 0
  const lane = async (journal: Journal) => {
    for (;;) {
      next += 1
      const number = next
      if (number > rows) return
      const begun = await journal.begin(newIntentOf(number), guard, leaseTime, 'recognised')
      if (begun.kind !== 'begun') throw new Error(`a payout is ${begun.kind}`)
      await journal.finish(begun.intent, begun.attempt, {
        ...{ kind: 'accepted', transactionId: String(number), status: 'INITIAL', statusDescription: 'Created' },
        ...{ createdAt: '2026-11-20T10:00:00.123456789', answer: null },
      })
    }
  }
  const store = { PAYDESK_STORE: address, PGPASSWORD: password }
  const before = await server.look(store)
  const [cpu, serverBefore, started] = [process.cpuUsage(), coreSeconds(server.pids()), performance.now()]
  await Promise.all(all.flatMap(({ journal }) => Array.from({ length: lanes }, () => lane(journal))))
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const serverCpu = (1000 * (coreSeconds(server.pids()) - serverBefore)) / rows
  const after = await server.look(store)
  for (const each of all) await each.store.close()
  return {
    ...{ workers, rows, rate: rows / seconds, commits: after.commits - before.commits, serverCpu },
    clientCpu: (user + system) / 1000 / rows,
    logged: (after.logged - before.logged) / rows,
  }
}
