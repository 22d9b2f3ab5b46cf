/** The lists of saved cards and subscriptions: what the flags ask for, of the journal and of the callbacks. */
import type { HeardCallback } from '../../callback/callbacks.ts'
import { CallbackAccess } from '../callback/callbacks.ts'
import { JournalAccess } from '../desk/journal.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { zoneIn } from '../time/zoned-time.ts'
import { type ListFlagValues, listFlags, wishOf } from './flags.ts'

const { today, yesterday, since, until, key } = listFlags

export const savedFlags = { today, yesterday, since, until, key }

type Asked = Omit<ListFlagValues, 'open' | 'limit'> & SharedFlags

export class SavedAccess {
  readonly #invocation: Invocation
  readonly #journal: JournalAccess
  readonly #callbacks: CallbackAccess

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#journal = new JournalAccess(invocation)
    this.#callbacks = new CallbackAccess(invocation)
  }

  /** Throws usage (2). */
  async cards(flags: Asked) {
    const { wish, known, heard } = await this.#asked(flags)
    const { savedCards } = await import('../../listing/saved.ts')
    return savedCards(wish, known, await heard({ hasCard: true }))
  }

  /** Throws usage (2). */
  async subscriptions(flags: Asked) {
    const { wish, known, heard } = await this.#asked(flags)
    const { subscriptions } = await import('../../listing/saved.ts')
    return subscriptions(wish, known, await heard({ hasSubscription: true }))
  }

  async #asked(flags: Asked) {
    const { edge } = this.#invocation
    const all = { ...flags, open: false, limit: Number.POSITIVE_INFINITY }
    const wish = wishOf('order', all, { now: edge.clock.now(), zone: zoneIn(edge.env) })
    const journal = await this.#journal.open()
    const within = {
      ...(wish.profile === null ? {} : { profile: wish.profile }),
      ...(wish.since === null ? {} : { since: wish.since }),
      ...(wish.until === null ? {} : { until: wish.until }),
    }
    const heard = (about: Parameters<CallbackAccess['heard']>[0]): Promise<readonly HeardCallback[]> =>
      this.#callbacks.heard({ ...within, ...about })
    return { wish, known: { journal, now: journal.moment.now }, heard }
  }
}
