/** Two ends of one payment that contradict each other: neither is believed until the service agrees with itself again. */
import type { IntentChange } from './row.ts'

/** A read says that a payment ended unpaid which was told as paid. */
export function disputedSince(paid: string, status: string): IntentChange {
  return { sum_confirmed: 'disputed', because: bothStatuses(paid, status), operator_word: null }
}

/** A read says again that it is paid; its sum was not compared by it. */
export const agreedAgain: IntentChange = { sum_confirmed: 'no', because: null }

/** Both statuses in words. */
export function bothStatuses(paid: string, status: string): string {
  return `the service answered ${paid}, and shows ${status} since: one of the two is wrong`
}
