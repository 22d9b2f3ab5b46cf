/** The lists: what the flags ask for, of the journal, of the callbacks, and with --refresh of the service. */
import { Flags } from '@oclif/core'
import type { HeardCallback } from '../../callback/callbacks.ts'
import { usualSettings } from '../../client/exchange.ts'
import { Failure } from '../../failure.ts'
import type { Journal } from '../../journal/journal.ts'
import type { ListTotals, StatusSource, ThingList } from '../../listing/list.ts'
import { type ListedSubject, type ListedThing, type ListQuery, parseSum } from '../../listing/row.ts'
import { CallbackAccess } from '../callback/callbacks.ts'
import { DeskAccess } from '../desk/desk.ts'
import { JournalAccess } from '../desk/journal.ts'
import type { SharedFlags } from '../flags/shared.ts'
import { type PeriodFlags, periodOf } from '../flags/times.ts'
import type { Invocation } from '../invocation.ts'
import { type Zone, zonedTime, zoneIn } from '../output/time.ts'

export const listFlags = {
  today: Flags.boolean({ description: "only today's, local time", exclusive: ['yesterday', 'since', 'until'] }),
  yesterday: Flags.boolean({ description: "only yesterday's, local time", exclusive: ['since', 'until'] }),
  since: Flags.string({
    description: 'only those made since: an age, or a local date or time',
    helpValue: '2d|2026-11-20[T09:00]',
  }),
  until: Flags.string({ description: 'only those made before', helpValue: '1d|2026-11-21[T09:00]' }),
  payee: Flags.string({ description: "part of the beneficiary's name or account", helpValue: '<text>' }),
  amount: Flags.string({ description: 'only this amount, with or without currency', helpValue: '"GEL 12.50"' }),
  status: Flags.string({
    description: 'only this status of the service or state of the journal; can be repeated',
    helpValue: '<status>',
    multiple: true,
    multipleNonGreedy: true,
  }),
  key: Flags.string({
    description: 'only this key; a * at its end matches any ending',
    helpValue: 'payroll-2026-11:*',
  }),
  open: Flags.boolean({ description: 'only those that are not final, or that somebody must check' }),
  refresh: Flags.boolean({ description: 'first read from the service those that are not final' }),
  limit: Flags.integer({ description: 'maximum number of entries', default: 100, min: 1 }),
}

interface ListFlagValues extends PeriodFlags {
  readonly profile?: string | undefined
  readonly payee?: string | undefined
  readonly amount?: string | undefined
  readonly status?: readonly string[] | undefined
  readonly key?: string | undefined
  readonly open: boolean
  readonly limit: number
}

/** Throws usage (2). */
function wishOf(
  subject: ListedSubject,
  flags: ListFlagValues,
  { now, zone }: { readonly now: number; readonly zone: Zone },
): ListQuery {
  const sum = flags.amount === undefined ? { amount: null, currency: null } : parseSum(flags.amount)
  if (sum === null) {
    throw new Failure('usage', `--amount takes a sum like 12.50 or "GEL 12.50", not "${flags.amount}"`)
  }
  return {
    subject,
    profile: flags.profile ?? null,
    ...periodOf(flags, now, zone),
    ...sum,
    payee: flags.payee ?? null,
    statuses: flags.status ?? [],
    key: flags.key ?? null,
    open: flags.open,
    limit: flags.limit,
  }
}

type Asked = ListFlagValues & SharedFlags & { readonly refresh: boolean }

/** The list commands: what the flags ask for, of the journal and with --refresh of the service. */
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
    const { Desks } = await import('../../desk/resume.ts')
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

const { today, yesterday, since, until, key } = listFlags

/** The lists of saved cards and subscriptions: what the flags ask for, of the journal and of the callbacks. */
export const savedFlags = { today, yesterday, since, until, key }

type AskedSaved = Omit<ListFlagValues, 'open' | 'limit'> & SharedFlags

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
  async cards(flags: AskedSaved) {
    const { wish, known, heard } = await this.#asked(flags)
    const { savedCards } = await import('../../listing/saved.ts')
    return savedCards(wish, known, await heard({ hasCard: true }))
  }

  /** Throws usage (2). */
  async subscriptions(flags: AskedSaved) {
    const { wish, known, heard } = await this.#asked(flags)
    const { subscriptions } = await import('../../listing/saved.ts')
    return subscriptions(wish, known, await heard({ hasSubscription: true }))
  }

  async #asked(flags: AskedSaved) {
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
