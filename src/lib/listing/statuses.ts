/** Reads the statuses of listed things from the service, each as the profile that created it. The journal stores them. */
import type { Desk } from '../desk/desk.ts'
import { readOrder } from '../desk/orders.ts'
import { readKnownPayout } from '../desk/payouts.ts'
import type { Desks } from '../desk/resume.ts'
import { readWallet } from '../desk/wallet.ts'
import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import type { Intent } from '../journal/intent.ts'
import type { StatusSource } from './list.ts'
import { hasEnded, isExecutedHere, type ListedSubject, type ListedThing } from './row.ts'

type Reading = (desk: Desk, created: Intent, deadline: number) => Promise<{ readonly status: string }>

const readings: Readonly<Record<ListedSubject, Reading>> = {
  payout: (desk, created, deadline) => readKnownPayout(desk, created, created.transactionId ?? '', deadline),
  order: (desk, { uniqueId }) => readOrder(desk, `id:${uniqueId}`),
  'wallet order': (desk, { uniqueId }) => readWallet(desk, `id:${uniqueId}`),
}

/** Requests at the same time. */
const concurrency = 4

/** Failures that every further request of the same profile would meet, too. */
const common: ReadonlySet<string> = new Set(['credentials', 'unsent'])

interface Asking {
  readonly desks: Desks
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds for all requests. */
  readonly timeout: number
}

export function serviceStatuses(subject: ListedSubject, { desks, clock, signal, timeout }: Asking): StatusSource {
  const deadline = clock.now() + timeout
  /** The number of statuses that were not read, by reason. */
  const unread = new Map<string, number>()
  /** Profiles that cannot ask, and why. */
  const closed = new Map<string, string>()
  const skip = (thing: ListedThing, why: string) => {
    unread.set(why, (unread.get(why) ?? 0) + 1)
    return thing
  }

  const readObject = async (thing: ListedThing): Promise<ListedThing> => {
    const { created } = thing
    if (!isExecutedHere(created) || hasEnded(subject, thing, clock.now())) return thing
    if (subject === 'payout' && created.transactionId === null) {
      const next = "`payout reconcile` resolves it with the one that the service's staff names"
      return skip(thing, `its transactionId is not known; ${next}`)
    }
    const why = closed.get(created.profile) ?? (clock.now() >= deadline ? 'the time is up (--timeout)' : null)
    if (why !== null) return skip(thing, why)
    try {
      const { status } = await readings[subject](await desks.of(created), created, deadline)
      return { ...thing, read: { status, at: new Date(clock.now()).toISOString() } }
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure) || error.kind === 'bug') throw error
      if (common.has(error.kind)) closed.set(created.profile, error.message)
      return skip(thing, error.message)
    }
  }

  return {
    get warnings() {
      return [...unread].map(
        ([why, count]) => `${count === 1 ? 'one status was' : `${count} statuses were`} not read: ${why}`,
      )
    },
    read: async (things) => {
      const results = [...things]
      const places = things.keys()
      const work = async () => {
        for (const at of places) results[at] = await readObject(things[at] as ListedThing)
      }
      await Promise.all(Array.from({ length: concurrency }, work))
      return results
    },
  }
}
