/** Evidence in the status of a wallet order about a write whose answer was lost (money-safety.md#evidence). */
import { undeletableBreach } from '../assumed.ts'
import { notAnyMore, type Shown, type StateRefusals, shownBy, usualRefusals } from '../evidence.ts'
import type { WalletStatus } from './status.ts'

function byStatus(table: Readonly<Record<WalletStatus, Shown>>): (status: string) => Shown {
  return (status) => shownBy(table, status)
}

export const walletCreationShown = byStatus({
  REGISTERED: 'executed',
  SUCCESS: 'executed',
  FAILED: 'executed',
  CANCELED: 'executed',
})

export const finalizationShown = byStatus({
  REGISTERED: 'no-trace',
  SUCCESS: 'executed',
  // Also the end of its five minutes.
  FAILED: 'lapsed',
  CANCELED: 'over',
})

export const deletionShown = byStatus({
  REGISTERED: 'no-trace',
  SUCCESS: 'over',
  FAILED: 'executed',
  CANCELED: 'executed',
})

/** 6109 also says that the id exists: where there is an order of an id that was new, this request made it, or another one. */
export const creationRefusals: StateRefusals = {
  ...usualRefusals,
  codes: [6109],
  possibleIn: [],
  shows: () => true,
  means: 'conflict',
  done: 'created',
}

/** 6110, of a field or of the end of the order. */
export const finalizeParameter = 6110

/** "Not any more": paid by this request, which something on the way sent twice, or by another one. */
export const finalizationRefusals: StateRefusals = {
  ...usualRefusals,
  codes: [...notAnyMore, 6045, finalizeParameter],
  alsoOfBody: [finalizeParameter],
  possibleIn: ['REGISTERED'],
  shows: (status) => finalizationShown(status) === 'executed',
  means: 'conflict',
  done: 'finalized',
}

export const deletionRefusals: StateRefusals = {
  ...usualRefusals,
  codes: [undeletableBreach, 6045],
  possibleIn: ['REGISTERED'],
  // FAILED may also be the end of its five minutes: it is over either way.
  shows: (status) => deletionShown(status) === 'executed',
  means: 'done',
  done: 'cancelled',
}
