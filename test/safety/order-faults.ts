/**
 * Every write of orders and of the wallet meets faults of the sandbox: executed at most once, and never misreported.
 */
import { expect, test } from 'vitest'
import { type AnswerFaultKind, answerFaultKinds, type FaultPlace, faultPlaces } from '../../src/lib/sandbox/faults.ts'

import type { Ledger } from '../../src/lib/sandbox/sandbox.ts'
import { hurriedClock } from '../kit/clock.ts'
import { cachedPairs } from '../kit/key-pairs.ts'
import { newHome, paydesk, type Surroundings } from '../kit/program.ts'
import { addFault, clearFaults, inSandbox, orderOf100, paidOrder, wholeLedger } from '../kit/world.ts'

interface Scene {
  readonly around: Surroundings & { readonly clock: ReturnType<typeof hurriedClock> }
  /** The order or wallet order that the write is about. */
  readonly id: string
}

export interface Write {
  readonly name: string
  readonly op: string
  readonly prepare: (around: Scene['around']) => Promise<string>
  readonly argv: (id: string) => readonly string[]
  /** The number of its executions. */
  readonly executions: (ledger: Ledger, id: string) => number
  /** True if a second one would be recognised, so that a lost answer may end well. */
  readonly recognised: boolean
  /** True if a read resolves a lost answer that was executed. */
  readonly readable: boolean
}

const orderOf = ({ orders }: Ledger, id: string) => orders.find(({ integratorOrderId }) => integratorOrderId === id)
const walletOf = ({ walletOrders }: Ledger, id: string) => walletOrders.find(({ uniqueId }) => uniqueId === id)
const fresh = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const writeFlags = ['-p', 'sandbox', '--yes', '--json'] as const

async function qrAddress(home: string): Promise<string> {
  const { qrAddresses } = await inSandbox(home, (sandbox) => sandbox.wholeWorld())
  const requested = qrAddresses.find(({ amount }) => amount?.text === '25.00')
  if (!requested) throw new Error('the sandbox has no QR address of 25.00')
  return requested.uri
}

export const writes: readonly Write[] = [
  {
    name: 'order create',
    op: 'order.create',
    prepare: async () => fresh,
    argv: (id) => orderOf100('--integrator-order-id', id),
    executions: (ledger, id) => (orderOf(ledger, id) ? 1 : 0),
    recognised: false,
    readable: true,
  },
  {
    name: 'order create with a saved card',
    op: 'order.create',
    prepare: (around) => paidOrder(around, '--save-card', '--direct-link-provider', 'BOG'),
    argv: (id) => orderOf100('--integrator-order-id', fresh, '--card-from-order', id),
    executions: (ledger) => orderOf(ledger, fresh)?.charges ?? 0,
    recognised: false,
    readable: true,
  },
  {
    name: 'order refund of a part',
    op: 'order.refund',
    prepare: (around) => paidOrder(around),
    argv: (id) => ['order', 'refund', id, '--amount', '5', '--key', 'return-1', ...writeFlags],
    executions: (ledger, id) => orderOf(ledger, id)?.refunds ?? 0,
    recognised: false,
    readable: false,
  },
  {
    name: 'order complete',
    op: 'order.complete',
    prepare: (around) => paidOrder(around, '--pay-with-pre-auth'),
    argv: (id) => ['order', 'complete', id, '--amount', '40', ...writeFlags],
    executions: (ledger, id) => (orderOf(ledger, id)?.status === 'SUCCESS' ? 1 : 0),
    recognised: false,
    readable: true,
  },
  {
    name: 'order cancel',
    op: 'order.cancel',
    prepare: async (around) => String((await paydesk(orderOf100(), around)).json.integratorOrderId),
    argv: (id) => ['order', 'cancel', id, ...writeFlags],
    executions: (ledger, id) => (orderOf(ledger, id)?.status === 'CANCELED' ? 1 : 0),
    recognised: true,
    readable: true,
  },
  {
    name: 'wallet finalize',
    op: 'wallet.finalize',
    prepare: async (around) => {
      const uri = await qrAddress(around.home)
      return String((await paydesk(['wallet', 'create', '--uri', uri, ...writeFlags], around)).json.uniqueId)
    },
    argv: (id) => {
      const what = ['--unique-id', id, '--amount', '25.00', '--final-status', 'SUCCESS']
      return ['wallet', 'finalize', ...what, ...writeFlags]
    },
    executions: (ledger, id) => walletOf(ledger, id)?.executions ?? 0,
    recognised: true,
    readable: true,
  },
]

async function scene(write: Write): Promise<Scene> {
  const around = { home: newHome(), clock: hurriedClock(), random: { ...cachedPairs, fraction: () => 0 } }
  return { around, id: await write.prepare(around) }
}

/** Every fault at each of its places. */
export const faults: readonly (readonly [FaultPlace, AnswerFaultKind])[] = answerFaultKinds.flatMap((kind) =>
  faultPlaces.map((at) => [at, kind] as const),
)

export function orderFaults(cells: readonly (readonly [Write, FaultPlace, AnswerFaultKind])[]): void {
  test.each(cells.map(([write, at, kind]) => [write.name, kind, at, write] as const))(
    '%s, %s %s the service has seen it: executed at most once and never misreported, sent again and resumed too',
    { timeout: 60_000 }, // A dozen commands of this process.
    async (_name, kind, at, write) => {
      const { around, id } = await scene(write)
      const { home, clock } = around
      const ran = async () => write.executions(await wholeLedger(home, clock), id)
      await addFault(home, { op: write.op, at, kind })
      // Only an answer that never comes is given up.
      const quick = kind === 'hang' || kind === 'half-written' ? ['--answer-timeout', '1s'] : []
      const first = await paydesk([...write.argv(id), ...quick], around)
      await clearFaults(home)
      const told = `${at} ${kind}: ${first.code} ${first.stderr}`
      expect(await ran(), told).toBeLessThanOrEqual(1)
      if (first.code === 0) expect(await ran(), told).toBe(1)
      const turnedAway = kind === '401' || kind === '429'
      if ([2, 3, 4, 5, 6, 11].includes(first.code) && !turnedAway) expect(await ran(), told).toBe(0)
      if (!turnedAway) {
        const resolves = write.recognised || (at === 'after' && write.readable)
        expect(first.code, told).toBe(resolves ? 0 : 9)
      }
      const again = await paydesk(write.argv(id), around)
      expect(await ran(), `${told}; again: ${again.code} ${again.stderr}`).toBeLessThanOrEqual(1)
      if (again.code === 0) expect(await ran(), `${told}; again: ${again.stderr}`).toBe(1)
      const resumed = await paydesk(['resume', '-p', 'sandbox', '--json'], around)
      expect(await ran(), `${told}; resume: ${resumed.code} ${resumed.stderr}`).toBeLessThanOrEqual(1)
      if (first.code === 9 && at === 'before') {
        clock.skip(16 * 60_000)
        const late = await paydesk(['resume', '-p', 'sandbox', '--json'], around)
        expect([late.code, await ran()], `${told}; late: ${late.stderr}`).toEqual([
          write.name === 'order complete' ? 9 : 5,
          0,
        ])
      }
    },
  )
}
