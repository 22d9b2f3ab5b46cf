// One served sandbox for all rows of a table, its clock in hand, and how the tables speak of answers.

import { afterAll, expect } from 'vitest'
import type { Random } from '../../../src/lib/edge.ts'
import { describeOrder } from '../../../src/lib/sandbox/orders/ledger/ledger.ts'
import { sandboxOn } from '../../../src/lib/sandbox/sandbox.ts'
import { serve } from '../../../src/lib/sandbox/server/server.ts'
import type { Triggered } from '../../../src/lib/sandbox/trigger/trigger.ts'
import { ordersNamed } from '../../../src/lib/store/sandbox/orders.ts'
import { type SandboxTables, sandboxSchema } from '../../../src/lib/store/sandbox/schema.ts'
import { withKeyPairs } from '../key-pairs.ts'
import { memoryStore } from '../store/memory.ts'
import { type Fields, type Heard, type Integrator, integratorNamed, walletNamed } from './integrator.ts'
import { handClock } from './stand.ts'

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** Serves a sandbox until the file's last test is done. One RSA pair of each size serves all, unless told otherwise. */
export async function servedTable(random: Random = withKeyPairs()) {
  const clock = handClock()
  const store = await memoryStore<SandboxTables>(sandboxSchema)
  const sandbox = await sandboxOn(store, clock, random)
  const server = await serve(sandbox)
  afterAll(async () => {
    await server.close()
    await sandbox.close()
  })
  const { url } = server
  /** An order as the ledger tells of it; not the whole ledger, which grows with the table. */
  const entry = async (integratorOrderId: unknown) => {
    // Every look makes the moves that are due.
    await sandbox.world()
    const [found] = await store.read((db) => ordersNamed(db, String(integratorOrderId)))
    if (!found) throw new Error('the ledger has no such order')
    return await store.read((db) => describeOrder(db, found))
  }
  const walletEntry = async (uniqueId: unknown) =>
    (await sandbox.ledger()).walletOrders.find((order) => order.uniqueId === uniqueId) ?? null
  const play = (what: Triggered['what'], order: unknown, more: Pick<Triggered, 'card' | 'tip'> = {}) =>
    sandbox.trigger({ what, order: String(order), ...more })
  /** An order of this integrator that a payer has paid. */
  const paid = async (integrator: Integrator, fields: Fields = {}) => {
    const id = await integrator.created(fields)
    await play('paid', id)
    return id
  }
  return {
    ...{ clock, sandbox, url, entry, walletEntry, play, paid },
    integrator: (name: string) => integratorNamed(sandbox, url, name),
    wallet: () => walletNamed(sandbox, url),
  }
}

/** HTTP statuses by group, as they were recorded: 400 for 1, 2, 3 and 5; 500 for 6. */
const recordedHttp: Readonly<Record<number, number>> = { 1: 400, 2: 400, 3: 400, 5: 400, 6: 500 }

/** A refusal is plain: exactly three members, its HTTP status by its group. */
export function expectRefused(heard: Heard, code: number | readonly number[], group?: number): void {
  const codes = typeof code === 'number' ? [code] : code
  expect(codes, heard.body).toContain(heard.code)
  expect(heard.members.toSorted(), heard.body).toEqual(['exceptionGroup', 'message', 'statusCode'])
  expect(typeof heard.value.message).toBe('string')
  expect(heard.value.message).not.toBe('')
  if (group !== undefined) expect(heard.group, heard.body).toBe(group)
  expect(heard.http).toBe(recordedHttp[heard.group ?? 0])
}

/** A success is sealed: nothing of it can be read without the integrator's key. */
export function expectSealed(heard: Heard): void {
  expect(heard.text, `${heard.http} ${heard.body}`).not.toBeNull()
  expect(heard.http).toBe(200)
  expect(heard.members).toContain('encryptedData')
}

/** Members of an opened answer as text, digit for digit. */
export function told(heard: Heard): Record<string, string> {
  return Object.fromEntries(Object.entries(heard.value).map(([name, value]) => [name, String(value)]))
}

/** The same without some members. */
export function without(fields: Fields, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}
