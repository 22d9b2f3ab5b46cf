/** A wallet order that is to be finalized: its id, and the time that is left, told before a person is asked for more. */
import { tidy } from '../../contract/validate.ts'
import { createWalletOrder, finalizeWalletOrder } from '../../contract/wallet/wallet.ts'
import { idForKey } from '../../desk/draft.ts'
import {
  amountDue,
  type Finalizing,
  finalizableNow,
  finalizing,
  hasLapsed,
  readFinalizing,
  requireFinalizable,
  walletIdOf,
  whatIsDue,
  wrongAmount,
} from '../../desk/wallet.ts'
import { Failure } from '../../failure.ts'
import type { Profile } from '../../profile/profile.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { type Asker, another, askForMissing } from '../prompts/ask.ts'
import { requireBusinessKey, type WriteFlags, wantsDryRun } from './flags.ts'
import type { RequestFields } from './request.ts'
import type { WriteAccess } from './write.ts'

/** The id alone, so that the time that is left can be told before anything else is asked. */
const idAlone = { ...finalizeWalletOrder, request: finalizeWalletOrder.request.pick({ uniqueId: true }) }

type FinalizingFlags = WriteFlags & { readonly 'no-local-check'?: boolean | undefined }

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

  /** The id that a word or a key names; nothing where neither is given. Throws Failure('usage'). */
  async idOf(
    profile: Profile,
    { word, key }: { readonly word: string | undefined; readonly key: string | undefined },
    { uniqueId }: RequestFields,
  ): Promise<RequestFields> {
    const ways = { 'the word <uniqueId>': word, '--key': key, '--unique-id': uniqueId }
    const [one, other] = Object.entries(ways).flatMap(([way, value]) => (value === undefined ? [] : [way]))
    if (other !== undefined) {
      throw new Failure('usage', `give ${one} or ${other}, not both: each names the order`)
    }
    if (key !== undefined) requireBusinessKey(key)
    if (word === undefined && key === undefined) return {}
    const knowing = { journal: await this.#write.desk.journal(), profile }
    return {
      uniqueId:
        key === undefined ? await walletIdOf(knowing, word ?? '') : await idForKey(knowing, createWalletOrder, key),
    }
  }

  /** Asks for the order, tells what is due, and asks for the rest; a wrong amount is asked for again. */
  async ask(asker: Asker, typed: RequestFields, profile: Profile, flags: FinalizingFlags): Promise<RequestFields> {
    const uniqueId = typed.uniqueId ?? (await this.#chosen(asker, profile))
    const known = uniqueId === undefined ? typed : { ...typed, uniqueId }
    const named = tidy(finalizeWalletOrder, await askForMissing(asker, idAlone, known))
    this.#write.isAbout(String(named.uniqueId))
    const order = await this.order(profile, named)
    const isChecked = !flags['no-local-check']
    if (isChecked && !hasLapsed(order)) requireFinalizable(order, null)
    const wrong = (amount: string) => (isChecked ? wrongAmount(order, amount) : null)
    const { amount, ...others } = named
    // With these flags a person wants no question.
    const isFirm = flags.yes || flags.confirm !== undefined || wantsDryRun(flags)
    const complaint = amount === undefined || isFirm ? null : wrong(String(amount))
    if (complaint !== null) this.#invocation.output.say(`--amount ${complaint}. Nothing was sent.`)
    if (complaint !== null || amount === undefined) this.tellWhatIsDue(order)
    return askForMissing(asker, finalizeWalletOrder, complaint === null ? named : others, {
      amount: {
        usual: amountDue(order) ?? undefined,
        wrong: (value) => {
          const said = wrong(value)
          return said && `It ${said}.`
        },
      },
    })
  }

  /** One of the orders that can be finalized now; undefined where there is none, or another one is meant. */
  async #chosen(asker: Asker, profile: Profile): Promise<string | undefined> {
    const open = await finalizableNow({ profile, journal: await this.#write.desk.journal() })
    if (open.length === 0) return undefined
    const choices = open.map((order) => ({
      value: order.uniqueId,
      name: whatIsDue(order) ?? order.uniqueId,
      description: order.uniqueId,
    }))
    const typed = { value: another, description: 'type its uniqueId' }
    const chosen = await asker.choice('Which wallet order?', [...choices, typed])
    return chosen === another ? undefined : chosen
  }

  /** What is due, in lines for a person who is asked. */
  due(order: Finalizing): readonly string[] {
    return [whatIsDue(order)].filter((each) => each !== null)
  }

  tellWhatIsDue(order: Finalizing): void {
    for (const line of this.due(order)) this.#invocation.output.say(line)
  }
}
