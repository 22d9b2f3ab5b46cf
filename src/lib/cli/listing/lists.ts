/** The lists: what the flags ask for, of the journal, of the callbacks, and with --refresh of the service. */
import { Flags, type Interfaces } from '@oclif/core'
import { usualSettings } from '../../client/exchange.ts'
import type { Edge } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { intentStates } from '../../journal/verdict.ts'
import type { ListTotals, StatusSource, ThingList } from '../../listing/list.ts'
import {
  kinds,
  type ListedSubject,
  type ListedThing,
  type ListQuery,
  parseSum,
  strangeStatuses,
} from '../../listing/row.ts'
import { heardCallbacks } from '../callback/callbacks.ts'
import { openDesk } from '../desk/desk.ts'
import { journalOf } from '../desk/journal.ts'
import type { SharedFlags } from '../flags/shared.ts'
import { type PeriodFlags, periodOf } from '../flags/times.ts'
import type { Invocation } from '../invocation.ts'
import { zonedTime, zoneIn } from '../output/time.ts'

export const listFlags = {
  today: Flags.boolean({ description: "only today's, local time", exclusive: ['yesterday', 'since', 'until'] }),
  yesterday: Flags.boolean({ description: "only yesterday's, local time", exclusive: ['since', 'until'] }),
  since: Flags.string({
    description: 'only those made since: an age, today, yesterday, or a local date or time',
    helpValue: '2d|yesterday|2026-11-20[T09:00]',
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

/** For the help of every list. */
export const listsInWords = `Times are local, their zone is
said. In a pipe a row is one line, its cells between tabs: id, made, zone, name, account, currency, amount, state, status, moneyMoved, remark,
uniqueId, transactionId, key, profile. --output csv is a sheet with the same columns. The status is the newest that this journal has seen:
--refresh asks the service for those that are not final; what cannot be read is warned of, and the list stands.`

type ListFlags = Interfaces.InferredFlags<typeof listFlags> & SharedFlags

/** Throws usage (2). */
function queryOf(subject: ListedSubject, flags: Partial<ListFlags> & PeriodFlags, { clock, env }: Edge): ListQuery {
  const sum = flags.amount === undefined ? { amount: null, currency: null } : parseSum(flags.amount)
  if (sum === null) {
    throw new Failure('usage', `--amount takes a sum like 12.50 or "GEL 12.50", not "${flags.amount}"`)
  }
  return {
    subject,
    profile: flags.profile ?? null,
    ...periodOf(flags, clock.now(), zoneIn(env)),
    ...sum,
    payee: flags.payee ?? null,
    statuses: flags.status ?? [],
    key: flags.key ?? null,
    open: flags.open ?? false,
    limit: flags.limit ?? Number.POSITIVE_INFINITY,
  }
}

/** Of the journal, with --refresh of the service, too. Throws usage (2). */
export async function listThings(invocation: Invocation, subject: ListedSubject, flags: ListFlags): Promise<ThingList> {
  const { query, parts } = await asked(invocation, subject, flags)
  const { listRows } = await import('../../listing/list.ts')
  const listed = await listRows(query, parts)
  if (listed.rows.length === 0) mustKnowStatuses(query)
  return listed
}

/** The sums of all payouts that the flags ask for, of local days. Throws usage (2). */
export async function totalPayouts(invocation: Invocation, flags: ListFlags): Promise<ListTotals> {
  const { query, parts } = await asked(invocation, 'payout', flags)
  const { readTotals } = await import('../../listing/list.ts')
  const zone = zoneIn(invocation.edge.env)
  const totals = await readTotals(query, parts, (openedAt) => zonedTime(Date.parse(openedAt), zone).date)
  if (totals.rows.length === 0) mustKnowStatuses(query)
  return totals
}

/** Nothing was found: throws usage (2) where that is because of a word that is no status. The service may have new ones. */
function mustKnowStatuses(query: ListQuery): void {
  const [strange] = strangeStatuses(query)
  if (strange === undefined) return
  const { statuses } = kinds[query.subject]
  throw new Failure('usage', `--status "${strange}" is no status of the service and no state of the journal`, {
    hints: [hint`Statuses: ${statuses.join(', ')}. States: ${intentStates.join(', ')}.`],
  })
}

async function asked(invocation: Invocation, subject: ListedSubject, flags: ListFlags) {
  const { edge, naming } = invocation
  const query = queryOf(subject, flags, edge)
  const journal = await journalOf(invocation)
  const source = flags.refresh ? await statusSource(invocation, subject, flags) : null
  return { query, parts: { journal, now: journal.moment.now, naming, source } }
}

export async function refreshed(
  invocation: Invocation,
  subject: ListedSubject,
  thing: ListedThing,
  flags: SharedFlags,
) {
  const source = await statusSource(invocation, subject, flags)
  const { withCurrentWrites } = await import('../../listing/list.ts')
  const [now = thing] = await withCurrentWrites(await journalOf(invocation), subject, await source.read([thing]))
  return { thing: now, warnings: source.warnings }
}

async function statusSource(invocation: Invocation, subject: ListedSubject, flags: SharedFlags): Promise<StatusSource> {
  const { serviceStatuses } = await import('../../listing/statuses.ts')
  const { Desks } = await import('../../desk/resume.ts')
  const { edge, signal } = invocation
  const desks = new Desks((profile, part) => openDesk(invocation, { ...flags, profile }, part))
  const timeout = flags.timeout ?? usualSettings.timeout
  return serviceStatuses(subject, { desks, clock: edge.clock, signal, timeout })
}

const { today, yesterday, since, until, key } = listFlags

/** The lists of saved cards and subscriptions: what the flags ask for, of the journal and of the callbacks. */
export const savedFlags = { today, yesterday, since, until, key }

/** What the saved cards and subscriptions are read from: the journal, and callbacks that tell `about` one. Throws usage (2). */
export async function askedSaved(
  invocation: Invocation,
  flags: Interfaces.InferredFlags<typeof savedFlags> & SharedFlags,
  about: Parameters<typeof heardCallbacks>[1],
) {
  const query = queryOf('order', flags, invocation.edge)
  const journal = await journalOf(invocation)
  const { profile, since, until } = query
  const heard = await heardCallbacks(invocation, {
    ...about,
    ...(profile === null ? {} : { profile }),
    ...(since === null ? {} : { since }),
    ...(until === null ? {} : { until }),
  })
  return [query, { journal, now: journal.moment.now }, heard] as const
}
