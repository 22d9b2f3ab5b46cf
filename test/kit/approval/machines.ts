/** Two machines of a team whose clocks are an hour apart, with midnight in Tbilisi between them: another day on each. */
import { type Clock, realClock } from '../../../src/lib/edge.ts'
import { newHome, type Surroundings } from '../program/paydesk.ts'

const hour = 3_600_000
const day = 24 * hour
/** Tbilisi is four hours ahead of UTC, all year round. */
const zone = 4 * hour

/** Milliseconds to add to the real time, so that a machine has half past eleven at night, and the other one half an hour past it. */
export function wrongClocks(): readonly [till: number, office: number] {
  const sinceMidnight = (realClock.now() + zone) % day
  const till = day - hour / 2 - sinceMidnight
  return [till, till + hour]
}

/** `address` null: its store is a file in its home. */
export function machine(address: string | null, wrongBy: number): Surroundings {
  const clock: Clock = { ...realClock, now: () => realClock.now() + wrongBy }
  return { home: newHome(), env: address === null ? {} : { PAYDESK_STORE: address }, clock }
}

/** So many at once, in this process. */
export function atOnce<Result>(count: number, work: (at: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => work(at)))
}
