/**
 * Holds the bookings of a statement against the payouts of the journal. A payout is found by what names it: its key, its uniqueId,
 * its transactionId; then by sum, account and day, if exactly one fits on both sides. Never by a name, and several that fit are
 * listed and never chosen. Pure: the payouts come one after the other, and only what is needed of them is kept.
 */
import { howMany } from '../contract/core/text.ts'
import { accountDiffers, deniedBy, isExecuted, numberDiffers, type Payout, sumDiffers, sumsOf } from './difference.ts'
import { reasonInWords } from './reasons.ts'
import { type BankFile, type Booking, type Sum, sumInWords } from './statement.ts'

export type By = 'key' | 'uniqueId' | 'transactionId' | 'sum'

/**
 * `expected`: paid here, and the bank may still book it. `other`: not about payouts (money that came in, fees).
 */
export const itemKinds = [
  ...(['matched', 'returned', 'different', 'notInJournal'] as const),
  ...(['notOnStatement', 'expected', 'ambiguous', 'other'] as const),
] as const
export type Kind = (typeof itemKinds)[number]

export interface Item {
  readonly kind: Kind
  readonly by: By | null
  /** The place of the booking in the file; null where the statement has none. */
  readonly booking: number | null
  readonly payout: Payout | null
  readonly candidates: readonly string[]
  readonly reason: string
}

export interface MatchOptions {
  readonly days: number
  /** The days that are compared, yyyy-MM-dd; null where the statement tells none. */
  readonly period: { readonly from: string; readonly to: string } | null
}

/** Places of bookings in the file, by what stands there. */
type Places = Map<string, number[]>

/** Bookings are added in the order of the file. */
function addPlace(places: Places, name: string, place: number): void {
  const known = places.get(name)
  if (!known) places.set(name, [place])
  else if (known.at(-1) !== place) known.push(place)
}

const bareUuid = (text: string) => text.replaceAll('-', '').toLowerCase()

/** The most names that are looked for in one text. */
const mostInText = 40

/** The words of a text in which an id may stand: an EndToEndId has room for a UUID without its dashes only. */
function wordsOf(text: string): readonly string[] {
  return text.split(/[^0-9A-Za-z-]/, mostInText)
}

const mostCandidates = 10

export function nextDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

const mayBeExecuted = (payout: Payout) =>
  (isExecuted(payout) && payout.unpaidStatus === null) || payout.state === 'unknown'

interface Claim {
  readonly payout: Payout
  readonly by: By
}

/** The members of an item, as most of them are. */
const none: Item = { kind: 'other', by: null, booking: null, payout: null, candidates: [], reason: '' }

export class Matching {
  readonly #file: BankFile
  readonly #options: MatchOptions
  readonly #keys: Places = new Map()
  readonly #uuids: Places = new Map()
  readonly #numbers: Places = new Map()
  /** Numbers in texts and in references of the bank: one may be an invoice's, or the bank's own. */
  readonly #doubtfulNumbers: Places = new Map()
  readonly #doubtful: { readonly place: number; readonly payout: Payout }[] = []
  readonly #claims = new Map<number, Claim[]>()
  readonly #payouts: Payout[] = []
  readonly #debits = new Map<Payout, number>()
  readonly #returned = new Set<Payout>()
  readonly #accounts: ReadonlySet<string>
  readonly #currencies: ReadonlySet<string>

  constructor(file: BankFile, options: MatchOptions) {
    this.#file = file
    this.#options = options
    this.#accounts = new Set(file.statements.flatMap(({ account }) => account ?? []))
    this.#currencies = new Set(file.statements.flatMap(({ currency }) => currency ?? []))
    for (const [place, booking] of file.bookings.entries()) {
      if (booking.kind !== 'rest' && this.#isInPeriod(booking)) this.#addNames(booking, place)
    }
  }

  #isInPeriod({ day }: Booking): boolean {
    const { period } = this.#options
    return period === null || day === null || (day >= period.from && day <= period.to)
  }

  /** Puts down all by which a booking may name a payout. */
  #addNames(booking: Booking, place: number): void {
    const { bankReferences, endToEndId, key, uniqueId, transactionId, text } = booking
    const references = endToEndId === null ? booking.references : [endToEndId, ...booking.references]
    for (const name of key === null ? references : [key, ...references]) {
      addPlace(this.#keys, name, place)
      if (/^\d{1,20}$/.test(name)) addPlace(this.#numbers, name, place)
    }
    if (transactionId !== null) addPlace(this.#numbers, transactionId, place)
    const words = [...wordsOf(text ?? ''), ...bankReferences]
    for (const word of [uniqueId ?? '', ...references, ...words]) {
      const bare = bareUuid(word)
      if (/^[0-9a-f]{32}$/.test(bare)) addPlace(this.#uuids, bare, place)
    }
    for (const word of words) if (/^\d{4,20}$/.test(word)) addPlace(this.#doubtfulNumbers, word, place)
  }

  /** Names of payouts on the statement that no payout has borne so far, for a look further back in the journal. */
  unclaimed(): {
    readonly keys: readonly string[]
    readonly uniqueIds: readonly string[]
    readonly numbers: readonly string[]
  } {
    const isOpen = (all: readonly number[]) => all.every((place) => !this.#claims.has(place))
    const open = (places: Places) => [...places].flatMap(([name, all]) => (isOpen(all) ? [name] : []))
    return {
      keys: open(this.#keys),
      uniqueIds: open(this.#uuids),
      numbers: [...open(this.#numbers), ...open(this.#doubtfulNumbers)],
    }
  }

  /** Takes a payout; each one once. `isOld`: from before the days that are compared, found by its name. */
  take(whole: Payout, isOld = false): void {
    const { key, uniqueId, transactionId } = whole
    const found = new Map<number, By>()
    const note = (places: readonly number[] | undefined, by: By) => {
      for (const place of places ?? []) if (!found.has(place)) found.set(place, by)
    }
    if (key !== null) note(this.#keys.get(key), 'key')
    note(this.#uuids.get(bareUuid(uniqueId)), 'uniqueId')
    if (transactionId !== null) note(this.#numbers.get(transactionId), 'transactionId')
    const doubtful = found.size > 0 || transactionId === null ? [] : (this.#doubtfulNumbers.get(transactionId) ?? [])
    const alike = doubtful.filter((place) => this.#isAlike(place, whole))
    if (found.size + alike.length === 0 && (isOld || !this.#mayCome(whole))) return
    // The names are no longer needed.
    const payout = { ...whole, uniqueId: '', fromAccount: null }
    this.#payouts.push(payout)
    for (const [place, by] of found) this.#claim(place, { payout, by })
    for (const place of alike) this.#doubtful.push({ place, payout })
  }

  #claim(place: number, claim: Claim): void {
    const [booking, { payout }] = [this.#file.bookings[place], claim]
    const claims = this.#claims.get(place)
    if (claims) claims.push(claim)
    else this.#claims.set(place, [claim])
    if (booking?.direction === 'credit' && isReturnOf(booking, payout)) this.#returned.add(payout)
    if (booking?.direction === 'debit' && booking.kind === 'payment') {
      this.#debits.set(payout, (this.#debits.get(payout) ?? 0) + 1)
    }
  }

  #isNamed(payout: Payout): boolean {
    return this.#debits.has(payout) || this.#returned.has(payout)
  }

  #isAlike(place: number, payout: Payout): boolean {
    const booking = this.#file.bookings[place]
    if (!booking || booking.direction === 'credit') return false
    return booking.account === null ? sumDiffers(booking, payout) === null : booking.account === payout.account
  }

  /** True for a payout that the statement may show: of its account and currency, and of days that it may book. */
  #mayCome(payout: Payout): boolean {
    const { days, period } = this.#options
    const isOfAccount =
      payout.fromAccount === null || this.#accounts.size === 0 || this.#accounts.has(payout.fromAccount)
    if (!isOfAccount || !this.#currencies.has(payout.currency) || !mayBeExecuted(payout) || payout.isWaiting)
      return false
    return period !== null && payout.day <= period.to && payout.day >= nextDay(period.from, -days)
  }

  /**
   * All items, in the order of the statement; then the payouts that it does not show, the oldest first. They are made anew each
   * time, because together they would take as much memory as the statement.
   */
  end(): Iterable<Item> {
    // A number in a text counts where nothing else names the payment, on either side.
    const open = this.#doubtful.filter(({ place, payout }) => !this.#claims.has(place) && !this.#isNamed(payout))
    for (const { place, payout } of open) this.#claim(place, { payout, by: 'transactionId' })
    const bySum = this.#matchBySum()
    const unnamed = this.#payouts.filter((payout) => !this.#isNamed(payout) && !bySum.payouts.has(payout))
    const missing = unnamed.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
    return { [Symbol.iterator]: () => this.#items(bySum.items, missing) }
  }

  *#items(bySum: ReadonlyMap<number, Item>, missing: readonly Payout[]): Generator<Item> {
    for (const [place, booking] of this.#file.bookings.entries()) {
      if (!this.#isInPeriod(booking)) continue
      const claims = this.#claims.get(place) ?? []
      if (booking.direction === 'credit') yield creditItem(booking, place, claims)
      else if (booking.kind === 'charge') yield { ...none, booking: place, reason: 'a charge of the bank' }
      else if (booking.kind === 'rest') yield unknownItem(place, booking.text ?? 'no payment of the entry explains it')
      else if (claims.length > 0) yield this.#namedItem(booking, place, claims)
      else yield bySum.get(place) ?? unknownItem(place, unknownDebit(booking))
    }
    for (const payout of missing) {
      const item = this.#missingItem(payout)
      if (item) yield item
    }
  }

  #namedItem(booking: Booking, place: number, claims: readonly Claim[]): Item {
    const [claim] = claims
    if (!claim || claims.length > 1) return severalItem(place, claims)
    const { payout, by } = claim
    const item = { ...none, by, booking: place, payout }
    const ambiguous = { ...item, kind: 'ambiguous', payout: null, candidates: [payout.journalId] } as const
    const times = this.#debits.get(payout) ?? 0
    if (times > 1) {
      const reason = `${times} entries name ${payout.journalId}: it may have been paid ${times} times`
      return { ...ambiguous, reason }
    }
    if (booking.sum === null) {
      const reason = 'the bank states only the total of the batch, so the amount of this payment cannot be compared'
      return { ...ambiguous, reason }
    }
    const differs = [
      ...[sumDiffers(booking, payout), accountDiffers(booking, payout), numberDiffers(booking, payout)],
      this.#returned.has(payout) ? null : deniedBy(payout),
    ].filter((each) => each !== null)
    if (differs.length > 0) return { ...item, kind: 'different', reason: differs.join('; ') }
    const charged = booking.charges > 0n ? `; charges ${sumInWords({ ...booking.sum, units: booking.charges })}` : ''
    return { ...item, kind: 'matched', reason: `found by its ${by}${charged}` }
  }

  #missingItem(payout: Payout): Item | null {
    const { days, period } = this.#options
    if (period === null || payout.day < period.from) return null
    const last = nextDay(payout.day, days)
    if (last > period.to) {
      return { ...none, kind: 'expected', payout, reason: `the bank may still book it until ${last}` }
    }
    const unknown = payout.state === 'unknown' ? 'its outcome is unknown, and ' : ''
    const reason = `${unknown}no entry matches it, ${howMany(days, 'day')} after ${payout.day}`
    return { ...none, kind: 'notOnStatement', payout, reason }
  }

  /** Debits that name no payout, beside payouts that no booking names: the items by booking, and the payouts that fit any of them. */
  #matchBySum(): { readonly items: ReadonlyMap<number, Item>; readonly payouts: ReadonlySet<Payout> } {
    const { days } = this.#options
    const after = Array.from({ length: days + 1 }, (_, at) => at)
    const payoutsOn = new Map<string, Payout[]>()
    for (const payout of this.#payouts) {
      if (this.#isNamed(payout) || payout.account === null) continue
      const name = likeness(payout.account, payout, payout.day)
      const alike = payoutsOn.get(name)
      if (alike) alike.push(payout)
      else payoutsOn.set(name, [payout])
    }
    const debits = [...this.#file.bookings.entries()].flatMap(([place, booking]) => {
      const { direction, kind, account, day } = booking
      const isOpen = !this.#claims.has(place) && direction === 'debit' && kind === 'payment'
      if (!isOpen || account === null || day === null || !this.#isInPeriod(booking)) return []
      return [{ place, account, day, sums: sumsOf(booking) }]
    })
    const bookingsOn = new Map<string, number>()
    for (const { account, day, sums } of debits) {
      for (const name of sums.map((sum) => likeness(account, sum, day))) {
        bookingsOn.set(name, (bookingsOn.get(name) ?? 0) + 1)
      }
    }
    const bookingsFor = (payout: Payout) =>
      after.reduce((count, later) => {
        const name = likeness(payout.account ?? '', payout, nextDay(payout.day, later))
        return count + (bookingsOn.get(name) ?? 0)
      }, 0)
    const items = new Map<number, Item>()
    for (const { place, account, day, sums } of debits) {
      const candidates: Payout[] = []
      let count = 0
      for (const name of sums.flatMap((sum) =>
        after.map((each) => likeness(account, sum, nextDay(day, each - days))),
      )) {
        const alike = payoutsOn.get(name) ?? []
        count += alike.length
        candidates.push(...alike.slice(0, mostCandidates))
      }
      const [only] = candidates
      if (only) items.set(place, bySumItem(place, candidates, count, bookingsFor(only)))
    }
    const fitting = [...payoutsOn.values()].filter(([first]) => first && bookingsFor(first) > 0)
    return { items, payouts: new Set(fitting.flat()) }
  }
}

/** Money that came in under the same reference is a return if the bank says so, or if it is the same sum. */
function isReturnOf(booking: Booking, payout: Payout): boolean {
  return booking.isReturn || sumDiffers(booking, payout) === null
}

/** The same for payouts and bookings of one day to one account of one sum. */
function likeness(account: string, { units, currency }: Sum, day: string): string {
  return `${account} ${currency} ${units} ${day}`
}

function unknownItem(booking: number, reason: string): Item {
  return { ...none, kind: 'notInJournal', booking, reason }
}

function unknownDebit({ payments }: Booking): string {
  return payments > 1
    ? `a batch of ${howMany(payments, 'payment')} without details: ask the bank for them (camt.054)`
    : "not in this journal: paid from another machine, or with the operator's tool?"
}

function creditItem(booking: Booking, place: number, claims: readonly Claim[]): Item {
  const [claim, ...others] = claims.filter(({ payout }) => isReturnOf(booking, payout))
  const words = reasonInWords(booking.returnReason)
  if (!claim && booking.isReturn) {
    return unknownItem(place, `a return (${words}) of a payment that is not in this journal`)
  }
  if (!claim) return { ...none, booking: place, reason: 'incoming money' }
  if (others.length > 0) return severalItem(place, [claim, ...others])
  const { payout, by } = claim
  const differs = sumDiffers(booking, payout)
  const part = differs === null ? '' : `; ${differs}`
  return { ...none, kind: 'returned', by, booking: place, payout, reason: `returned: ${words}${part}` }
}

function severalItem(booking: number, claims: readonly Claim[]): Item {
  const candidates = claims.slice(0, mostCandidates).map(({ payout }) => payout.journalId)
  const reason = `the entry names ${howMany(claims.length, 'payout')}: ${candidates.join(', ')}`
  return { ...none, kind: 'ambiguous', booking, candidates, reason }
}

/** `count`: the payouts that fit, of which `candidates` are the first. `rivals`: the bookings that fit the first of them. */
function bySumItem(booking: number, candidates: readonly Payout[], count: number, rivals: number): Item {
  const [only] = candidates
  if (count === 1 && rivals === 1 && only) {
    const reason = 'found by amount, account and day: the only match'
    return { ...none, kind: 'matched', by: 'sum', booking, payout: only, reason }
  }
  const names = candidates.slice(0, mostCandidates).map(({ journalId }) => journalId)
  const all = `${names.join(', ')}${count > names.length ? ' …' : ''}`
  const several =
    count === 1 ? `${rivals} entries fit ${names[0]}` : `${count} payouts fit by sum, account and day: ${all}`
  return { ...none, kind: 'ambiguous', booking, candidates: names, reason: `${several}; none was chosen` }
}
