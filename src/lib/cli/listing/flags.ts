/** The flags of the lists, and what they ask for. */
import { Flags } from '@oclif/core'
import { Failure } from '../../failure.ts'
import { type ListedSubject, type ListQuery, parseSum } from '../../listing/row.ts'
import type { Zone } from '../time/zoned-time.ts'
import { type PeriodFlags, periodOf } from './period.ts'

export const listFlags = {
  today: Flags.boolean({ description: 'only those of today, local time', exclusive: ['yesterday', 'since', 'until'] }),
  yesterday: Flags.boolean({ description: 'only those of yesterday, local time', exclusive: ['since', 'until'] }),
  since: Flags.string({
    description: 'only those made since then: so long ago, or a local date or time',
    helpValue: '2d|2026-11-20[T09:00]',
  }),
  until: Flags.string({ description: 'only those made before then', helpValue: '1d|2026-11-21[T09:00]' }),
  payee: Flags.string({ description: "a part of the beneficiary's name, or of the account", helpValue: '<text>' }),
  amount: Flags.string({ description: 'only this amount; with its currency or without', helpValue: '"GEL 12.50"' }),
  status: Flags.string({
    description: 'only this status of the service, or this state of the journal; several may be given',
    helpValue: '<status>',
    multiple: true,
    multipleNonGreedy: true,
  }),
  key: Flags.string({
    description: 'only this --key; a * at its end stands for any rest',
    helpValue: 'payroll-2026-11:*',
  }),
  open: Flags.boolean({ description: 'only those of which something may still come, or that somebody has to look at' }),
  refresh: Flags.boolean({ description: 'read the statuses that are not final from the service' }),
  limit: Flags.integer({ description: 'at most so many', default: 100, min: 1 }),
}

export interface ListFlagValues extends PeriodFlags {
  readonly profile?: string | undefined
  readonly payee?: string | undefined
  readonly amount?: string | undefined
  readonly status?: readonly string[] | undefined
  readonly key?: string | undefined
  readonly open: boolean
  readonly limit: number
}

/** Throws usage (2). */
export function wishOf(
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
