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
  ...([
    'matched',
    'returned',
    'different',
    'notInJournal',
    'notOnStatement',
    'expected',
    'ambiguous',
    'other',
  ] as const),
]
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

export interface Wish {
  /** Days that a bank may take to book a payout. */
  readonly days: number
  /** The days that are compared, yyyy-MM-dd; null where the statement tells none. */
  readonly period: { readonly from: string; readonly to: string } | null
}

/** Names of payouts on a statement, of each one where it stands. */
type Places<Name = string> = Map<Name, number | number[]>

function add<Name>(places: Places<Name>, name: Name, at: number): void {
  const known = places.get(name)
  if (known === undefined) places.set(name, at)
  else if (typeof known === 'number') {
    if (known !== at) places.set(name, [known, at])
  } else if (!known.includes(at)) known.push(at)
}

function at<Name>(places: Places<Name>, name: Name): readonly number[] {
  const known = places.get(name)
  return known === undefined ? [] : typeof known === 'number' ? [known] : known
}

const bareUuid = (text: string) => text.replaceAll('-', '').toLowerCase()

/** The most names that are looked for in one text. */
const mostInText = 40

/** The words of a text in which an id may stand: an EndToEndId has room for a UUID without its dashes only. */
function wordsOf(text: string): readonly string[] {
  return text.split(/[^0-9A-Za-z-]/, mostInText)
}

/** Payouts that are listed for one booking. */
const mostCandidates = 10

export function nextDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

const mayBeExecuted = (payout: Payout) =>
  (isExecuted(payout) && payout.unpaidStatus === null) || payout.state === 'unknown'

interface Claim {
  readonly payout: number
  readonly by: By
}

/** Payouts to one account of one sum, and bookings like them, by their days. */
interface Alike {
  readonly payouts: number[]
  readonly bookings: number[]
}

export class Matching {
  readonly #file: BankFile
  readonly #wish: Wish
  readonly #keys: Places = new Map()
  readonly #uuids: Places = new Map()
  readonly #numbers: Places = new Map()
  /** Numbers in texts and in references of the bank: one may be an invoice's, or the bank's own. */
  readonly #doubtfulNumbers: Places = new Map()
  readonly #doubtful: { readonly place: number; readonly payout: number }[] = []
  /** The payouts that a booking names, by the place of the booking. */
  readonly #claims: (Claim[] | undefined)[]
  readonly #payouts: Payout[] = []
  /** By payout: its debits on the statement. */
  readonly #debits: Places<number> = new Map()
  readonly #returned = new Set<number>()
  readonly #accounts: ReadonlySet<string>
  readonly #currencies: ReadonlySet<string>

  constructor(file: BankFile, wish: Wish) {
    this.#file = file
    this.#wish = wish
    this.#claims = new Array(file.bookings.length)
    this.#accounts = new Set(file.statements.flatMap(({ account }) => account ?? []))
    this.#currencies = new Set(file.statements.flatMap(({ currency }) => currency ?? []))
    for (const [place, booking] of file.bookings.entries()) if (this.#isLookedFor(booking)) this.#name(booking, place)
  }

  #isLookedFor({ day, kind }: Booking): boolean {
    const { period } = this.#wish
    return kind !== 'rest' && (period === null || day === null || (day >= period.from && day <= period.to))
  }

  /** Puts down all by which a booking may name a payout. */
  #name(booking: Booking, place: number): void {
    const { bankReferences, endToEndId, key, uniqueId, transactionId, text } = booking
    const references = endToEndId === null ? booking.references : [endToEndId, ...booking.references]
    for (const name of key === null ? references : [key, ...references]) {
      add(this.#keys, name, place)
      if (/^\d{1,20}$/.test(name)) add(this.#numbers, name, place)
    }
    if (transactionId !== null) add(this.#numbers, transactionId, place)
    const words = [...wordsOf(text ?? ''), ...bankReferences]
    for (const word of [uniqueId ?? '', ...references, ...words]) {
      const bare = bareUuid(word)
      if (/^[0-9a-f]{32}$/.test(bare)) add(this.#uuids, bare, place)
    }
    for (const word of words) if (/^\d{4,20}$/.test(word)) add(this.#doubtfulNumbers, word, place)
  }

  /** Names of payouts on the statement that no payout has borne so far, for a look further back in the journal. */
  unclaimed(): {
    readonly keys: readonly string[]
    readonly uniqueIds: readonly string[]
    readonly numbers: readonly string[]
  } {
    const isOpen = (places: number | number[]) =>
      (typeof places === 'number' ? [places] : places).every((place) => this.#claims[place] === undefined)
    const open = (places: Places) => [...places].flatMap(([name, all]) => (isOpen(all) ? [name] : []))
    return {
      keys: open(this.#keys),
      uniqueIds: open(this.#uuids),
      numbers: [...open(this.#numbers), ...open(this.#doubtfulNumbers)],
    }
  }

  /** Takes a payout; each one once. `isOld`: from before the days that are compared, found by its name. */
  take(payout: Payout, isOld = false): void {
    const { key, uniqueId, transactionId } = payout
    const found = new Map<number, By>()
    const note = (places: readonly number[], by: By) => {
      for (const place of places) if (!found.has(place)) found.set(place, by)
    }
    if (key !== null) note(at(this.#keys, key), 'key')
    note(at(this.#uuids, bareUuid(uniqueId)), 'uniqueId')
    if (transactionId !== null) note(at(this.#numbers, transactionId), 'transactionId')
    const doubtful = found.size > 0 || transactionId === null ? [] : at(this.#doubtfulNumbers, transactionId)
    const alike = doubtful.filter((place) => this.#isAlike(place, payout))
    if (found.size + alike.length === 0 && (isOld || !this.#mayCome(payout))) return
    // The names are no longer needed.
    const number = this.#payouts.push({ ...payout, uniqueId: '', fromAccount: null }) - 1
    for (const [place, by] of found) this.#claim(place, { payout: number, by })
    for (const place of alike) this.#doubtful.push({ place, payout: number })
  }

  #claim(place: number, claim: Claim): void {
    const claims = this.#claims[place]
    if (claims) claims.push(claim)
    else this.#claims[place] = [claim]
    this.#noteSide(place, claim.payout)
  }

  /** A number in a text counts where nothing else names the payment, on either side. */
  #claimDoubtful(): void {
    const open = this.#doubtful.filter(({ place, payout }) => !this.#claims[place] && !this.#isNamed(payout))
    for (const { place, payout } of open) this.#claim(place, { payout, by: 'transactionId' })
  }

  #isNamed(payout: number): boolean {
    return this.#debits.has(payout) || this.#returned.has(payout)
  }

  #noteSide(place: number, payout: number): void {
    const booking = this.#file.bookings[place]
    if (booking?.direction === 'credit' && this.#isReturn(booking, payout)) this.#returned.add(payout)
    if (booking?.direction === 'debit' && booking.kind === 'payment') add(this.#debits, payout, place)
  }

  /** Money that came in under the same reference is a return if the bank says so, or if it is the same sum. */
  #isReturn(booking: Booking, payout: number): boolean {
    return booking.isReturn || sumDiffers(booking, this.#payouts[payout] as Payout) === null
  }

  #isAlike(place: number, payout: Payout): boolean {
    const booking = this.#file.bookings[place]
    if (!booking || booking.direction === 'credit') return false
    return booking.account === null ? sumDiffers(booking, payout) === null : booking.account === payout.account
  }

  /** True for a payout that the statement may show: of its account and currency, and of days that it may book. */
  #mayCome(payout: Payout): boolean {
    const { days, period } = this.#wish
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
    this.#claimDoubtful()
    const bySum = this.#matchBySum()
    const unnamed = this.#payouts.filter((_, number) => !this.#isNamed(number) && !bySum.payouts.has(number))
    const missing = unnamed.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
    return { [Symbol.iterator]: () => this.#items(bySum.items, missing) }
  }

  *#items(bySum: ReadonlyMap<number, Item>, missing: readonly Payout[]): Generator<Item> {
    for (const [place, booking] of this.#file.bookings.entries()) {
      if (!this.#isInPeriod(booking)) continue
      const claims = this.#claims[place]
      if (booking.direction === 'credit' || booking.kind !== 'payment') yield this.#creditOrFee(booking, place, claims)
      else if (claims) yield this.#named(booking, place, claims)
      else yield bySum.get(place) ?? unknownBooking(booking, place)
    }
    for (const payout of missing) yield* this.#missing(payout)
  }

  #isInPeriod(booking: Booking): boolean {
    return booking.kind === 'rest' ? this.#isLookedFor({ ...booking, kind: 'payment' }) : this.#isLookedFor(booking)
  }

  #creditOrFee(booking: Booking, place: number, claims: readonly Claim[] | undefined): Item {
    const of = (kind: Kind, reason: string): Item => ({ ...none, kind, booking: place, reason })
    if (booking.direction === 'debit') {
      return booking.kind === 'charge'
        ? of('other', 'a charge of the bank')
        : of('notInJournal', booking.text ?? 'no payment of the entry explains it')
    }
    const [claim, ...others] = (claims ?? []).filter(({ payout }) => this.#isReturn(booking, payout))
    const words = reasonInWords(booking.returnReason)
    if (!claim) {
      return booking.isReturn
        ? of('notInJournal', `a return (${words}) of a payment that is not in this journal`)
        : of('other', 'incoming money')
    }
    if (others.length > 0) return this.#several(place, [claim, ...others])
    const payout = this.#payouts[claim.payout] as Payout
    const differs = sumDiffers(booking, payout)
    const part = differs === null ? '' : `; ${differs}`
    return {
      ...none,
      kind: 'returned',
      by: claim.by,
      booking: place,
      payout,
      reason: `returned: ${words}${part}`,
    }
  }

  #several(place: number, claims: readonly Claim[]): Item {
    const candidates = claims.map(({ payout }) => (this.#payouts[payout] as Payout).journalId)
    const reason = `the entry names ${howMany(candidates.length, 'payout')}: ${candidates.slice(0, mostCandidates).join(', ')}`
    return { ...none, kind: 'ambiguous', booking: place, candidates: candidates.slice(0, mostCandidates), reason }
  }

  /** A debit that names a payout. */
  #named(booking: Booking, place: number, claims: readonly Claim[]): Item {
    const [claim] = claims
    if (!claim || claims.length > 1) return this.#several(place, claims)
    const payout = this.#payouts[claim.payout] as Payout
    const item = { ...none, by: claim.by, booking: place, payout }
    const times = at(this.#debits, claim.payout).length
    if (times > 1) {
      const reason = `${times} entries name ${payout.journalId}: it may have been paid ${times} times`
      return { ...item, kind: 'ambiguous', payout: null, candidates: [payout.journalId], reason }
    }
    if (booking.sum === null) {
      const reason = 'the bank states only the total of the batch, so the amount of this payment cannot be compared'
      return { ...item, kind: 'ambiguous', payout: null, candidates: [payout.journalId], reason }
    }
    const differs = [sumDiffers(booking, payout), accountDiffers(booking, payout), numberDiffers(booking, payout)]
    const different = differs.filter((each) => each !== null)
    const denied = this.#returned.has(claim.payout) ? null : deniedBy(payout)
    if (different.length > 0 || denied !== null) {
      return { ...item, kind: 'different', reason: [...different, ...(denied === null ? [] : [denied])].join('; ') }
    }
    const charged = booking.charges > 0n ? `; charges ${sumInWords({ ...booking.sum, units: booking.charges })}` : ''
    return { ...item, kind: 'matched', reason: `found by its ${claim.by}${charged}` }
  }

  #missing(payout: Payout): Item[] {
    const { days, period } = this.#wish
    if (period === null || payout.day < period.from) return []
    const last = nextDay(payout.day, days)
    if (last > period.to)
      return [{ ...none, kind: 'expected', payout, reason: `the bank may still book it until ${last}` }]
    const unknown = payout.state === 'unknown' ? 'its outcome is unknown, and ' : ''
    return [
      {
        ...none,
        kind: 'notOnStatement',
        payout,
        reason: `${unknown}no entry matches it, ${howMany(days, 'day')} after ${payout.day}`,
      },
    ]
  }

  /** Debits that name no payout, beside payouts that no booking names: the items by booking, and the payouts that fit any of them. */
  #matchBySum(): { readonly items: ReadonlyMap<number, Item>; readonly payouts: ReadonlySet<number> } {
    const { days } = this.#wish
    const groups = new Map<string, Alike>()
    for (const [number, payout] of this.#payouts.entries()) {
      if (this.#isNamed(number) || payout.account === null) continue
      const name = likeness(payout.account, payout)
      const group = groups.get(name)
      if (group) group.payouts.push(number)
      else groups.set(name, { payouts: [number], bookings: [] })
    }
    const fitting = new Map<number, readonly Alike[]>()
    for (const [place, booking] of this.#file.bookings.entries()) {
      const { direction, kind, account, day } = booking
      if (this.#claims[place] || direction === 'credit' || kind !== 'payment' || !this.#isLookedFor(booking)) continue
      if (account === null || day === null) continue
      const own = sumsOf(booking).flatMap((sum) => groups.get(likeness(account, sum)) ?? [])
      for (const { bookings } of own) bookings.push(place)
      fitting.set(place, own)
    }
    const dayOfPayout = (number: number) => (this.#payouts[number] as Payout).day
    const dayOfBooking = (place: number) => this.#file.bookings[place]?.day ?? ''
    for (const { payouts, bookings } of groups.values()) {
      sortBy(payouts, dayOfPayout)
      sortBy(bookings, dayOfBooking)
    }
    const bookingsFor = ({ bookings }: Alike, { day }: Payout) => {
      const [from, to] = between(bookings, dayOfBooking, day, nextDay(day, days))
      return to - from
    }
    const items = new Map<number, Item>()
    for (const [place, own] of fitting) {
      const day = dayOfBooking(place)
      const candidates: Payout[] = []
      let [count, rivals] = [0, 0]
      for (const group of own) {
        const [from, to] = between(group.payouts, dayOfPayout, nextDay(day, -days), day)
        count += to - from
        const first = group.payouts.slice(from, Math.min(to, from + mostCandidates))
        candidates.push(...first.map((number) => this.#payouts[number] as Payout))
        if (to > from) rivals = bookingsFor(group, candidates.at(-1) as Payout)
      }
      if (count > 0) items.set(place, foundBySum(place, candidates, count, rivals))
    }
    const payouts = new Set<number>()
    for (const group of groups.values()) {
      for (const number of group.payouts) {
        if (bookingsFor(group, this.#payouts[number] as Payout) > 0) payouts.add(number)
      }
    }
    return { items, payouts }
  }
}

/** The same for payouts and bookings to one account of one sum. */
function likeness(account: string, { units, currency }: Sum): string {
  return `${account} ${currency} ${units}`
}

/** `count`: the payouts that fit, of which `candidates` are the first. `rivals`: the bookings that fit the only one of them. */
function foundBySum(booking: number, candidates: readonly Payout[], count: number, rivals: number): Item {
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

const none: Item = { kind: 'other', by: null, booking: null, payout: null, candidates: [], reason: '' }

function sortBy(places: number[], dayOf: (place: number) => string): void {
  places.sort((one, other) => (dayOf(one) < dayOf(other) ? -1 : dayOf(one) > dayOf(other) ? 1 : one - other))
}

/** The part of a sorted list whose days are between two, both included. */
function between(
  sorted: readonly number[],
  dayOf: (place: number) => string,
  from: string,
  to: string,
): readonly [number, number] {
  const first = (isBefore: (day: string) => boolean) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(dayOf(sorted[middle] as number))) low = middle + 1
      else high = middle
    }
    return low
  }
  return [first((day) => day < from), first((day) => day <= to)]
}

function unknownBooking({ payments }: Booking, place: number): Item {
  const batch = `a batch of ${howMany(payments, 'payment')} without details: ask the bank for them (camt.054)`
  const reason = payments > 1 ? batch : "not in this journal: paid from another machine, or with the operator's tool?"
  return { ...none, kind: 'notInJournal', booking: place, reason }
}
