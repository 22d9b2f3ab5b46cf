/** The payees of a command's profile, and the one that its flags name. No service is asked. */
import { tidy, validate } from '../../contract/core/validate.ts'
import { payeeAlone } from '../../contract/payout/payee.ts'
import { accountIn } from '../../contract/payout/request.ts'
import type { Permission } from '../../contract/permission.ts'
import type { NamedAccount } from '../../journal/payees/payees.ts'
import { givenFields, refuse } from '../flags/fields.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { askForMissing, terminalAsker } from '../prompts/ask.ts'
import { JournalAccess } from './journal.ts'
import { ProfileAccess } from './profile.ts'

export class PayeeAccess {
  readonly #invocation: Invocation
  readonly #profiles: ProfileAccess
  readonly #journal: JournalAccess

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#profiles = new ProfileAccess(invocation)
    this.#journal = new JournalAccess(invocation)
  }

  /** Throws credentials (4) where there is no such profile. */
  async open(flags: Pick<SharedFlags, 'profile'>) {
    const profile = await this.#profiles.name(flags)
    const { payees } = await this.#journal.open()
    return { profile, payees }
  }

  /** The beneficiary of the flags, asked for at a terminal where it is not whole. Throws usage (2). */
  async named(flags: Readonly<Record<string, unknown>>): Promise<NamedAccount> {
    const { canAsk, edge, signal } = this.#invocation
    const typed = tidy(payeeAlone, givenFields(payeeAlone, flags))
    const asker = canAsk ? terminalAsker(edge, signal) : null
    const complete = asker ? tidy(payeeAlone, await askForMissing(asker, payeeAlone, typed)) : typed
    const circumstances = { permits: new Set<Permission>(), orderType: null, now: edge.clock.now() }
    const checked = validate(payeeAlone, complete, circumstances)
    if (!checked.ok) throw refuse(payeeAlone, checked.violations)
    return { name: checked.request.beneficiaryName.trim(), account: accountIn(checked.request) }
  }
}
