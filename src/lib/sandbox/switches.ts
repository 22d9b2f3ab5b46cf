/** The assumptions that can be turned off in the sandbox as a whole, so that a test shows what each of them decides. */
import {
  chargeAgainAfter,
  failureEnds,
  opensMgf1Sha1,
  outsideGivesBack,
  plansTellOrder,
  readsOtherTypes,
  rejectedUsesIdUp,
} from '../contract/assumed.ts'

/** Their meaning stands in assumed.ts. */
export interface Switches {
  readonly opensMgf1Sha1: boolean
  readonly readsOtherTypes: boolean
  readonly plansTellOrder: boolean
  readonly failureEnds: boolean
  readonly chargeAgainAfter: number | null
  readonly rejectedUsesIdUp: boolean
  readonly outsideGivesBack: boolean
}

export const assumedSwitches: Switches = {
  opensMgf1Sha1,
  readsOtherTypes,
  plansTellOrder,
  failureEnds,
  chargeAgainAfter,
  rejectedUsesIdUp,
  outsideGivesBack,
}
