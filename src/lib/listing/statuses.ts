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

interface Read {
  readonly status: string
}

type Reading = (desk: Desk, created: Intent, deadline: number) => Promise<Read>

const readings: Readonly<Record<ListedSubject, Reading>> = {
  payout: (desk, created, deadline) => readKnownPayout(desk, created, created.transactionId ?? '', deadline),
  order: (desk, { uniqueId }) => readOrder(desk, `id:${uniqueId}`),
  'wallet order': (desk, { uniqueId }) => readWallet(desk, `id:${uniqueId}`),
}

/** Requests at the same time. */
const concurrency = 4

/** Failures that every further request of the same profile would meet, too. */
const common: ReadonlySet<string> = new Set(['credentials', 'unsent'])

export class ServiceStatuses implements StatusSource {
  readonly #subject: ListedSubject
  readonly #desks: Desks
  readonly #clock: Clock
  readonly #deadline: number
  readonly #signal: AbortSignal
  /** The number of statuses that were not read, by reason. */
  readonly #unread = new Map<string, number>()
  /** Profiles that cannot ask, and why. */
  readonly #closed = new Map<string, string>()

  constructor(
    subject: ListedSubject,
    {
      desks,
      clock,
      signal,
      timeout,
    }: { readonly desks: Desks; readonly clock: Clock; readonly signal: AbortSignal; readonly timeout: number },
  ) {
    this.#subject = subject
    this.#desks = desks
    this.#clock = clock
    this.#signal = signal
    this.#deadline = clock.now() + timeout
  }

  get warnings(): readonly string[] {
    return [...this.#unread].map(
      ([why, count]) => `${count === 1 ? 'one status was' : `${count} statuses were`} not read: ${why}`,
    )
  }

  async read(things: readonly ListedThing[]): Promise<readonly ListedThing[]> {
    const told = [...things]
    const places = [...things.keys()].filter((at) => this.#isOpen(things[at]))
    const worker = async () => {
      for (let at = places.shift(); at !== undefined; at = places.shift()) {
        const thing = things[at]
        if (thing) told[at] = await this.#one(thing)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    return told
  }

  #isOpen(thing: ListedThing | undefined): boolean {
    if (!thing || !isExecutedHere(thing.created) || hasEnded(this.#subject, thing, this.#clock.now())) return false
    if (this.#subject !== 'payout' || thing.created.transactionId !== null) return true
    this.#note(
      "its transactionId is not known; `payout reconcile` resolves it with the one that the service's staff names",
    )
    return false
  }

  async #one(thing: ListedThing): Promise<ListedThing> {
    const { profile } = thing.created
    const closed =
      this.#closed.get(profile) ?? (this.#clock.now() >= this.#deadline ? 'the time is up (--timeout)' : null)
    if (closed !== null) {
      this.#note(closed)
      return thing
    }
    try {
      const desk = await this.#desks.of(thing.created)
      const { status } = await readings[this.#subject](desk, thing.created, this.#deadline)
      return { ...thing, read: { status, at: new Date(this.#clock.now()).toISOString() } }
    } catch (error) {
      if (this.#signal.aborted || !(error instanceof Failure) || error.kind === 'bug') throw error
      if (common.has(error.kind)) this.#closed.set(profile, error.message)
      this.#note(error.message)
      return thing
    }
  }

  #note(why: string): void {
    this.#unread.set(why, (this.#unread.get(why) ?? 0) + 1)
  }
}
