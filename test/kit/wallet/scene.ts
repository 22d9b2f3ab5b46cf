/** A till with a sandbox of its own: creates and finalizes wallet orders by command, on a clock that jumps. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../src/lib/edge.ts'
import type { LedgerWalletOrder } from '../../../src/lib/sandbox/areas/wallet.ts'
import { openSandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { cachedPairs } from '../key-pairs.ts'
import { type Flags, flags } from '../payment.ts'
import { type HurriedClock, impatient, stillClock } from '../program/hurried.ts'
import { type Ended, newHome, paydesk, type Surroundings } from '../program/paydesk.ts'
import { qrOpen, qrRequest, walletUser } from '../sandbox/integrator.ts'

/** Asks for 25.00 GEL. */
export const requested = qrRequest(walletUser, '25.00')
/** Leaves the amount to the payer. */
export const open = qrOpen(walletUser)

export const random: Random = { ...cachedPairs, fraction: impatient.fraction }

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export interface Till {
  readonly home: string
  readonly clock: HurriedClock
  run(argv: readonly string[], more?: Partial<Surroundings>): Promise<Ended>
  create(more?: Flags): Promise<Ended>
  /** Creates an order and gives back its uniqueId. */
  created(more?: Flags): Promise<string>
  finalize(more: Flags, around?: Partial<Surroundings>): Promise<Ended>
  /** The wallet orders of the service. */
  ledger(): Promise<readonly LedgerWalletOrder[]>
  /** Another machine: the same service, nothing in the journal. */
  forget(): void
}

export function newTill(profile = 'sandbox'): Till {
  const home = newHome()
  const clock = stillClock()
  const run: Till['run'] = (argv, more = {}) =>
    paydesk([...argv, '-p', profile, '--json'], { home, clock, random, ...more })
  const create: Till['create'] = (more = {}) =>
    run(['wallet', 'create', ...flags({ uri: requested, yes: true, ...more })])
  return {
    ...{ home, clock, run, create },
    async created(more = {}) {
      const ended = await create(more)
      if (ended.code !== 0) throw new Error(`not created: ${ended.stderr}`)
      return String(ended.json.uniqueId)
    },
    finalize: (more, around) =>
      run(['wallet', 'finalize', ...flags({ amount: '25.00', 'final-status': 'SUCCESS', yes: true, ...more })], around),
    async ledger() {
      const sandbox = await openSandbox(join(home, 'sandbox'), clock, random)
      try {
        return (await sandbox.ledger()).walletOrders
      } finally {
        await sandbox.close()
      }
    },
    forget: () => rmSync(join(home, 'journal'), { recursive: true }),
  }
}
