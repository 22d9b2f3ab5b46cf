import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { fieldFlags, givenFields } from '../../lib/cli/flags/fields.ts'
import { walletArgs } from '../../lib/cli/flags/shared.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { walletDoneView } from '../../lib/cli/views.ts'
import { type DryRun, receiptOrDryRun, viewOrDryRun } from '../../lib/cli/write/dry-run.ts'
import { FinalizingAccess } from '../../lib/cli/write/finalizing.ts'
import { consentFlags, fileFlags, keyFlags, localCheckFlags, wantsDryRun } from '../../lib/cli/write/flags.ts'
import type { Wanted } from '../../lib/cli/write/request.ts'
import { WriteAccess } from '../../lib/cli/write/write.ts'
import { finalizeWalletOrder } from '../../lib/contract/wallet/wallet.ts'
import type { Done } from '../../lib/desk/receipts.ts'
import { type Finalizing, finalizeWallet, hasLapsed, requireFinalizable, unchecked } from '../../lib/desk/wallet.ts'

export default class WalletFinalize extends PaydeskCommand<Done | DryRun> {
  static override summary = 'Pay a registered wallet order within its five minutes.'
  static override description =
    `Money moves only with --final-status SUCCESS. A wrong amount or a passed deadline is refused before anything
is sent (2); --no-local-check lets the service decide. Name the order by its id or by the --key of \`wallet
create\`. Exit code 5: refused, e.g. WRONG_AMOUNT; 7: finalized by somebody else. Guide: docs/how-to/wallet.md`
  static override examples = [
    '<%= config.bin %> wallet finalize 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --amount 25.00 --final-status SUCCESS --confirm "GEL 25.00"',
    '<%= config.bin %> wallet finalize --key till-3:receipt-812 --amount 7.50 --final-status SUCCESS --yes --json',
  ]

  static override args = {
    uniqueId: Args.string({
      ignoreStdin: true,
      description: `${walletArgs.uniqueId.description}; a terminal offers the orders that can be finalized`,
    }),
  }
  static override flags = {
    ...fieldFlags(finalizeWalletOrder),
    ...consentFlags,
    ...fileFlags,
    ...keyFlags,
    ...localCheckFlags,
  }

  static override readonly result = async () =>
    receiptOrDryRun(
      (await import('../../lib/desk/results.ts')).walletFinalizedResult,
      ' The order is paid; any other outcome ends with its exit code.',
    )

  readonly #write = new WriteAccess(this)
  readonly #finalizing = new FinalizingAccess(this, this.#write)

  async run(): Promise<Done | DryRun> {
    const { args, flags } = await this.parse(WalletFinalize)
    const { key, 'no-local-check': unlooked, ...own } = flags
    const profile = await this.#write.desk.profile(flags, 'wallet')
    const knows = await this.#finalizing.idOf(
      profile,
      { word: args.uniqueId, key },
      givenFields(finalizeWalletOrder, own),
    )
    const ask: Wanted['ask'] = (asker, _, typed) => this.#finalizing.ask(asker, typed, profile, flags)
    const typed = await this.#write.request(finalizeWalletOrder, { flags: own, profile, knows, ask })
    const isDry = wantsDryRun(flags)
    const look = async (known: Finalizing, amount: unknown) => {
      if (unlooked || (isDry && hasLapsed(known))) return known
      const order = await this.#finalizing.upToDate(known, profile, flags)
      requireFinalizable(order, String(amount))
      return order
    }
    const order = await look(await this.#finalizing.order(profile, typed), typed.amount)
    if (isDry) {
      const wish = { flags, profile, currency: order.known?.currency ?? null }
      const dry = await this.#write.dryRun(finalizeWalletOrder, typed, wish)
      return { ...dry, warnings: [...dry.warnings, ...unchecked(order)] }
    }
    const currency = order.known?.currency ?? null
    const wish = { flags, profile, knows, currency }
    const { request, wasSeen } = await this.#write.consent(finalizeWalletOrder, typed, wish, {
      look: async () => this.#finalizing.due(order),
      check: async ({ amount }) => {
        if (!unlooked && !hasLapsed(order)) requireFinalizable(order, String(amount))
      },
    })
    // The question has taken time.
    await look(order, request.amount)
    if (!wasSeen) this.#finalizing.tellWhatIsDue(order)
    const desk = await this.#write.desk.openAs(profile, flags)
    return finalizeWallet(desk, request, order, { businessKey: key ?? null, checked: !unlooked })
  }

  protected override view(result: Done | DryRun): View {
    return viewOrDryRun(result, (done) => walletDoneView(finalizeWalletOrder, done))
  }
}
