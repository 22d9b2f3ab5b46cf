/** Payments that a process holds though it is done with them, on both engines: they are given free when their leases are over, and not before. */
import { expect, test } from 'vitest'
import { realClock, realRandom } from '../../../../src/lib/edge.ts'
import { type Holding, thisProcess } from '../../../../src/lib/journal/hold/holder.ts'
import { leaveHeld } from '../../../../src/lib/journal/hold/left.ts'
import type { Draft } from '../../../../src/lib/journal/intent.ts'
import { Journal } from '../../../../src/lib/journal/journal.ts'
import { journalStores } from '../../../kit/store/journal-stores.ts'

const newStore = journalStores()
const minute = 60_000

const guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: true } as const

function draft(name: string): Draft {
  return {
    ...{ environment: 'test', service: 'https://pay.example', serviceId: 'https://pay.example', clientId: 'me' },
    ...{ operation: 'payout.create', profile: 'acme', uniqueId: `id-${name}`, businessKey: null },
    ...{ body: '{}', bodyDigest: name, payee: `payee ${name}`, amountMinor: '125', currency: 'GEL' },
  }
}

async function worker() {
  return workerOn(await newStore(), thisProcess('any-machine'))
}

function workerOn(store: Awaited<ReturnType<typeof newStore>>, holding: Holding) {
  let passed = 0
  const clock = {
    ...realClock,
    now: () => realClock.now() + passed,
    steady: () => ({ boot: 'this', milliseconds: 1_000_000 + passed }),
  }
  const journal = new Journal(store, clock, realRandom, holding)
  return {
    store,
    journal,
    begin: (name: string, lease = minute) => journal.begin(draft(name), guard, lease, 'recognised'),
    look: (name: string) => journal.look(draft(name), guard),
    leave: () => leaveHeld({ store, clock, holding }),
    pass: (milliseconds: number) => {
      passed += milliseconds
    },
  }
}

test('what never left, and what was lost, can be sent again when its lease is over', async () => {
  const { journal, begin, look, leave, pass } = await worker()
  const unsent = await begin('unsent')
  if (unsent.kind !== 'begun') throw new Error(unsent.kind)
  await journal.finish(unsent.intent, 1, { kind: 'unsent', why: 'the store was away' })
  await begin('lost')
  await begin('longer', 3 * minute)
  expect(await leave()).toBe(3)
  await expect(look('unsent')).rejects.toMatchObject({ kind: 'locked' })
  pass(minute + 1)
  expect(await leave()).toBe(1)
  expect(await look('unsent')).toMatchObject({ kind: 'open', unresolved: null })
  expect(await look('lost')).toMatchObject({
    kind: 'open',
    unresolved: { uniqueId: 'id-lost', heldUntil: expect.any(String) },
  })
  await expect(look('longer')).rejects.toMatchObject({ kind: 'locked' })
  pass(2 * minute)
  expect(await leave()).toBe(0)
  expect(await leave()).toBe(0)
})

test('what another process holds is not given free', async () => {
  const { store, begin, leave, pass, look } = await worker()
  const other = workerOn(store, { self: 'other', standing: () => 'alive' })
  await begin('mine')
  await other.begin('theirs')
  pass(2 * minute)
  expect(await leave()).toBe(0)
  expect(await look('mine')).toMatchObject({ kind: 'open', unresolved: { uniqueId: 'id-mine' } })
  await expect(other.look('theirs')).rejects.toMatchObject({ kind: 'locked' })
})
