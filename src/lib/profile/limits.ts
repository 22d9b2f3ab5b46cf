/** The limits of a profile: how they are kept, and how `profile add` changes them. Of each kind there is one. */
import { z } from 'zod'
import { Failure } from '../failure.ts'
import { isSameKind, type Limit, limitText, readLimit } from '../spending.ts'
import type { FlagComplaint, GivenSettings } from './settings.ts'

const limitFlag = 'limit'
const removalFlag = 'remove-limit'

/** The word that takes every limit away. */
const everyLimit = 'all'

const limitRule = z.string({ error: 'must be texts' }).superRefine((text, context) => {
  const read = readLimit(text)
  if (!read.ok) context.addIssue({ code: 'custom', message: read.complaint })
})

export const limitsRule = z.array(limitRule, { error: 'must be a list' }).optional()

/** Kept limits, which keep their rule. */
export function limitsIn(kept: readonly string[] = []): readonly Limit[] {
  return kept.map((text) => {
    const read = readLimit(text)
    if (!read.ok) throw new Failure('bug', `a limit that is kept ${read.complaint}`, { moneyMoved: 'no' })
    return read.limit
  })
}

interface ChangedLimits {
  /** As they are kept. */
  readonly limits: readonly string[]
  readonly complaints: readonly FlagComplaint[]
  /** Those that allow more than before, in words. */
  readonly looser: readonly string[]
}

/** The limits of a profile after the flags of `profile add`. One that it has is changed or taken away only with --replace. */
export function limitsAfter(kept: readonly string[] | undefined, given: GivenSettings): ChangedLimits {
  const before = limitsIn(kept)
  const wanted = typed(limitFlag, given)
  const removed = typed(removalFlag, given, [everyLimit])
  const all = removed.texts.includes(everyLimit)
  const isGone = (limit: Limit) => all || removed.limits.some((each) => limitText(each) === limitText(limit))
  const stays = before.filter((limit) => !isGone(limit))
  const added = wanted.limits.filter((limit) => !stays.some((each) => isSameKind(each, limit)))
  const changed = stays.map((limit) => wanted.limits.find((each) => isSameKind(each, limit)) ?? limit)
  const after = [...changed, ...added]
  return {
    limits: after.map(limitText),
    complaints: [
      ...wanted.complaints,
      ...twice(wanted.limits),
      ...removed.complaints,
      ...absent(removed.limits, before),
      ...(given.replace === true ? [] : looseningComplaints(before, after)),
    ],
    looser: loosenedLimits(before, after),
  }
}

function typed(flag: string, given: GivenSettings, words: readonly string[] = []) {
  const value = given[flag]
  const texts = Array.isArray(value) ? value.map((text) => text.trim()) : []
  const read = texts.filter((text) => !words.includes(text)).map(readLimit)
  return {
    texts,
    limits: read.flatMap((each) => (each.ok ? [each.limit] : [])),
    complaints: read.flatMap((each) => (each.ok ? [] : [{ flag: `--${flag}`, message: each.complaint }])),
  }
}

function twice(limits: readonly Limit[]): FlagComplaint[] {
  const another = limits.find((limit, at) => limits.slice(0, at).some((each) => isSameKind(each, limit)))
  if (!another) return []
  const same = limits.filter((each) => isSameKind(each, another)).map(limitText)
  if (new Set(same).size === 1) return []
  return [{ flag: `--${limitFlag}`, message: `says two things: ${same.join(' and ')}` }]
}

function absent(removed: readonly Limit[], before: readonly Limit[]): FlagComplaint[] {
  const has = before.length === 0 ? 'none' : before.map(limitText).join(', ')
  return removed
    .map(limitText)
    .filter((text) => !before.some((limit) => limitText(limit) === text))
    .map((text) => ({ flag: `--${removalFlag}`, message: `names ${text}, and the profile has ${has}` }))
}

function looseningComplaints(before: readonly Limit[], after: readonly Limit[]): FlagComplaint[] {
  return before.flatMap((limit) => {
    const now = after.find((each) => isSameKind(each, limit))
    if (now?.most === limit.most) return []
    const flag = now ? `--${limitFlag}` : `--${removalFlag}`
    return [{ flag, message: `is already set (${limitText(limit)}); add --replace to change it` }]
  })
}

function loosenedLimits(before: readonly Limit[], after: readonly Limit[]): string[] {
  return before.flatMap((limit) => {
    const now = after.find((each) => isSameKind(each, limit))
    if (!now) return [`payouts are limited less than before: ${limitText(limit)} was removed`]
    if (now.most <= limit.most) return []
    return [`payouts are limited less than before: ${limitText(now)} instead of ${limitText(limit)}`]
  })
}
