import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { fieldFlags, givenFields } from '../../lib/cli/flags/fields.ts'
import { type Asker, askForMissing } from '../../lib/cli/prompts/ask.ts'
import { type DryRun, orDryRun, receiptOrDryRun } from '../../lib/cli/views/dry-run.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { walletDoneView } from '../../lib/cli/views/wallet.ts'
import { requireBusinessKey } from '../../lib/cli/write/business-key.ts'
import { dryRunOf, wantsDryRun } from '../../lib/cli/write/dry-run.ts'
import { consentFlags, fileFlags, keyFlags } from '../../lib/cli/write/flags.ts'
import type { RequestFields } from '../../lib/cli/write/request.ts'
import { WriteAccess } from '../../lib/cli/write/write.ts'
import { tidy } from '../../lib/contract/core/validate.ts'
import type { WriteOperation } from '../../lib/contract/operation.ts'
import { createWalletOrder, finalizeWalletOrder } from '../../lib/contract/wallet/wallet.ts'
import { idForKey } from '../../lib/desk/key-id.ts'
import type { Done } from '../../lib/desk/receipt/receipt.ts'
import {
  type Finalizing,
  finalizing,
  requireFinalizable,
  unchecked,
  whatIsDue,
} from '../../lib/desk/wallet/finalizable.ts'
import { finalizeWallet } from '../../lib/desk/wallet/wallet.ts'
import { Failure } from '../../lib/failure.ts'
import type { Profile } from '../../lib/profile/profile.ts'

/** The id alone, so that the time that is left can be told before anything else is asked. */
const idAlone = { ...finalizeWalletOrder, request: finalizeWalletOrder.request.pick({ uniqueId: true }) }

export default class WalletFinalize extends PaydeskCommand<Done | DryRun> {
  static override summary = 'Have a registered wallet order paid, inside its five minutes (C2).'
  static override description =
    `Here the money moves, and only with --final-status SUCCESS. What the journal knows of \`wallet create\` is held against it
first: a wrong amount, one out of range, a deadline that is over, an order that was rejected, deleted or never finished end
with 2, and nothing is sent; --no-local-check leaves the decision to the service. --key is the one that \`wallet create\` was
given. SUCCESS ends with 0; ALREADY_FINALISED with 0 after an own attempt whose answer was lost, else with 7;
ORDER_NOT_FOUND with 6; WRONG_AMOUNT, AMOUNT_NOT_IN_RANGE and RECEIVER_REACHED_LIMIT with 5, and a correct one may follow.`
  static override examples = [
    '<%= config.bin %> wallet finalize --unique-id 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --amount 25.00 --final-status SUCCESS --confirm "GEL 25.00"',
    '<%= config.bin %> wallet finalize --key till-3:receipt-812 --amount 7.50 --final-status SUCCESS --yes --json',
  ]

  static override flags = {
    ...fieldFlags(finalizeWalletOrder),
    ...consentFlags,
    ...fileFlags,
    ...keyFlags,
    'no-local-check': Flags.boolean({
      description: 'send it whatever the journal knows of amount and time',
      helpGroup: 'WRITE',
    }),
  }

  static override readonly result = async () =>
    receiptOrDryRun(
      (await import('../../lib/desk/wallet/result.ts')).walletFinalizedResult,
      ' The order is paid; every other result is the error.',
    )

  readonly #write = new WriteAccess(this)

  async run(): Promise<Done | DryRun> {
    const { flags } = await this.parse(WalletFinalize)
    const { key, 'no-local-check': unlooked, ...own } = flags
    const profile = await this.#write.desk.profile(flags, 'wallet')
    const knows =
      key === undefined ? {} : { uniqueId: await this.#idOf(profile, key, givenFields(finalizeWalletOrder, own)) }
    const ask = (asker: Asker, _: WriteOperation, typed: RequestFields) => this.#ask(asker, typed, profile)
    const request = await this.#write.request(finalizeWalletOrder, { flags: own, profile, knows, ask })
    const order = await this.#order(profile, request)
    const look = () => unlooked || requireFinalizable(order, String(request.amount), this.edge.clock.now())
    look()
    if (wantsDryRun(flags)) {
      const dry = dryRunOf(finalizeWalletOrder, request, profile, flags.curl)
      return { ...dry, warnings: [...dry.warnings, ...unchecked(order)] }
    }
    const currency = order.known?.currency ?? null
    await this.#write.consent(finalizeWalletOrder, request, { flags, profile, currency })
    // The question has taken time.
    look()
    this.#tell(order)
    const desk = await this.#write.desk.openAs(profile, flags)
    return finalizeWallet(desk, request, order, { businessKey: key ?? null, checked: !unlooked })
  }

  async #ask(asker: Asker, typed: RequestFields, profile: Profile): Promise<RequestFields> {
    const named = tidy(finalizeWalletOrder, await askForMissing(asker, idAlone, typed))
    this.#tell(await this.#order(profile, named))
    return askForMissing(asker, finalizeWalletOrder, named)
  }

  protected override view(result: Done | DryRun): View {
    return orDryRun(result, (done) => walletDoneView(finalizeWalletOrder, done))
  }

  async #order(profile: Profile, { uniqueId }: RequestFields): Promise<Finalizing> {
    return finalizing({ profile, journal: await this.#write.desk.journal() }, String(uniqueId))
  }

  /** The id that `wallet create` made of the key. */
  async #idOf(profile: Profile, key: string, { uniqueId }: RequestFields): Promise<string> {
    requireBusinessKey(key)
    if (uniqueId === undefined) {
      return idForKey({ journal: await this.#write.desk.journal(), profile }, createWalletOrder, key)
    }
    throw new Failure('usage', '--key and --unique-id exclude each other: the key stands for the id')
  }

  #tell(order: Finalizing): void {
    const due = whatIsDue(order, this.edge.clock.now())
    if (due !== null) this.output.say(due)
  }
}
