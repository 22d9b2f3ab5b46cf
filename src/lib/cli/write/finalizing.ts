/** A wallet order that is to be finalized: its id, and the time that is left, told before a person is asked for more. */
import { tidy } from '../../contract/core/validate.ts'
import { createWalletOrder, finalizeWalletOrder } from '../../contract/wallet/wallet.ts'
import { idForKey } from '../../desk/key-id.ts'
import {
  amountDue,
  type Finalizing,
  finalizing,
  hasLapsed,
  readFinalizing,
  whatIsDue,
} from '../../desk/wallet/finalizable.ts'
import { Failure } from '../../failure.ts'
import type { Profile } from '../../profile/profile.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { type Asker, askForMissing } from '../prompts/ask.ts'
import { requireBusinessKey } from './business-key.ts'
import type { RequestFields } from './request.ts'
import type { WriteAccess } from './write.ts'

/** The id alone, so that the time that is left can be told before anything else is asked. */
const idAlone = { ...finalizeWalletOrder, request: finalizeWalletOrder.request.pick({ uniqueId: true }) }

export class FinalizingAccess {
  readonly #invocation: Invocation
  readonly #write: WriteAccess

  constructor(invocation: Invocation, write: WriteAccess) {
    this.#invocation = invocation
    this.#write = write
  }

  async order(profile: Profile, { uniqueId }: RequestFields): Promise<Finalizing> {
    return finalizing({ profile, journal: await this.#write.desk.journal() }, String(uniqueId))
  }

  /** The same, with its details read anew where its end came by time. Throws a Failure: unknown (9) where that cannot be told. */
  async upToDate(order: Finalizing, profile: Profile, flags: SharedFlags): Promise<Finalizing> {
    return hasLapsed(order) ? readFinalizing(await this.#write.desk.openAs(profile, flags), order) : order
  }

  /** The id that `wallet create` made of the key; nothing where no key is given. Throws Failure('usage'). */
  async idOf(profile: Profile, key: string | undefined, { uniqueId }: RequestFields): Promise<RequestFields> {
    if (key === undefined) return {}
    requireBusinessKey(key)
    if (uniqueId !== undefined) {
      throw new Failure('usage', '--key and --unique-id exclude each other: the key stands for the id')
    }
    return { uniqueId: await idForKey({ journal: await this.#write.desk.journal(), profile }, createWalletOrder, key) }
  }

  /** Asks for the id, tells what is due, and asks for the rest. */
  async ask(asker: Asker, typed: RequestFields, profile: Profile): Promise<RequestFields> {
    const named = tidy(finalizeWalletOrder, await askForMissing(asker, idAlone, typed))
    this.#write.isAbout(String(named.uniqueId))
    const order = await this.order(profile, named)
    this.tellWhatIsDue(order)
    const amount = amountDue(order)
    return askForMissing(asker, finalizeWalletOrder, named, amount === null ? {} : { amount })
  }

  tellWhatIsDue(order: Finalizing): void {
    const due = whatIsDue(order)
    if (due !== null) this.#invocation.output.say(due)
  }
}
