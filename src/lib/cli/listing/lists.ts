/** The list commands: what the flags ask for, of the journal and with --refresh of the service. */

import { usualSettings } from '../../desk/desk.ts'
import type { Journal } from '../../journal/journal.ts'
import type { ListTotals, StatusSource, ThingList } from '../../listing/list.ts'
import type { ListedSubject, ListedThing } from '../../listing/row.ts'
import { DeskAccess } from '../desk/desk.ts'
import { JournalAccess } from '../desk/journal.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { type Zone, zonedTime, zoneIn } from '../time/zoned-time.ts'
import { type ListFlagValues, wishOf } from './flags.ts'

type Asked = ListFlagValues & SharedFlags & { readonly refresh: boolean }

export class ListAccess {
  readonly #invocation: Invocation
  readonly #journal: JournalAccess
  readonly #subject: ListedSubject

  constructor(invocation: Invocation, subject: ListedSubject) {
    this.#invocation = invocation
    this.#journal = new JournalAccess(invocation)
    this.#subject = subject
  }

  /** The zone of the people who read it. */
  get zone(): Zone {
    return zoneIn(this.#invocation.edge.env)
  }

  journal(): Promise<Journal> {
    return this.#journal.open()
  }

  /** Throws usage (2). */
  async list(flags: Asked): Promise<ThingList> {
    const { wish, parts } = await this.#asked(flags)
    const { listRows } = await import('../../listing/list.ts')
    return listRows(wish, parts)
  }

  /** The sums of all that the flags ask for, of local days. Throws usage (2). */
  async totals(flags: Asked): Promise<ListTotals> {
    const { wish, parts } = await this.#asked(flags)
    const { readTotals } = await import('../../listing/list.ts')
    return readTotals(wish, parts, (openedAt) => zonedTime(Date.parse(openedAt), this.zone).date)
  }

  async #asked(flags: Asked) {
    const { edge, naming } = this.#invocation
    const wish = wishOf(this.#subject, flags, { now: edge.clock.now(), zone: this.zone })
    const journal = await this.#journal.open()
    const source = flags.refresh ? await this.#source(flags) : null
    return { wish, parts: { journal, now: journal.moment.now, naming, source } }
  }

  /** One thing with the status that the service tells now, and what hindered reading it. */
  async refreshed(thing: ListedThing, flags: SharedFlags) {
    const source = await this.#source(flags)
    const { withCurrentWrites } = await import('../../listing/list.ts')
    const read = await source.read([thing])
    const [now = thing] = await withCurrentWrites(await this.#journal.open(), this.#subject, read)
    return { thing: now, warnings: source.warnings }
  }

  async #source(flags: SharedFlags): Promise<StatusSource> {
    const { ServiceStatuses } = await import('../../listing/statuses.ts')
    const { edge, signal } = this.#invocation
    const { Desks } = await import('../../desk/recover/desks.ts')
    const desk = new DeskAccess(this.#invocation)
    const journal = await this.#journal.open()
    // One journal for both: its head covers what was noted on the way.
    const desks = new Desks(async (profile, part) =>
      desk.openAs(await desk.profile({ ...flags, profile }, part), flags, { journal }),
    )
    return new ServiceStatuses(this.#subject, {
      ...{ desks, clock: edge.clock, signal },
      timeout: flags.timeout ?? usualSettings.timeout,
    })
  }
}
