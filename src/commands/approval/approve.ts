import { Flags } from '@oclif/core'
import type { AskedApproval } from '../../lib/approvals/approvals.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { terminalAsker } from '../../lib/cli/prompts/ask.ts'
import { requireConsent } from '../../lib/cli/prompts/confirm.ts'
import {
  approvalArgs,
  approvalRows,
  approvalsOf,
  approvalView,
  briefApprovalView,
  personFlags,
  personKeyOf,
  showApproval,
  showWholeApproval,
  type WholeApproval,
} from '../../lib/cli/team/approvals.ts'
import { mustBeAsHeld } from '../../lib/desk/new-intent.ts'
import { operationOf } from '../../lib/desk/resume.ts'
import { intentOf } from '../../lib/journal/intent.ts'
import { isRecord, readJson } from '../../lib/json.ts'

export default class ApprovalApprove extends PaydeskCommand<WholeApproval> {
  static override summary = 'Approve a payment or plan that another person requested.'
  static override description =
    `Shows the request, asks, and signs your approval. Nothing is sent: the requester sends a payment with \`resume\`
and a plan with \`batch resume\`. In a script --confirm takes the amount; live profiles and plans require it.`
  static override examples = [
    '<%= config.bin %> approval approve a-3f9a1c2b7d10 --person-key nino.key --confirm "GEL 1200.00"',
  ]

  static override args = approvalArgs

  static override flags = {
    // First, because it has a letter: see consentFlags.
    yes: Flags.boolean({ char: 'y', description: 'do not ask; not enough on live profiles' }),
    confirm: Flags.string({ description: 'confirm without being asked', helpValue: '"GEL 1200.00"' }),
    because: Flags.string({ description: 'a note that is stored with it', default: '', helpValue: '<text>' }),
    ...personFlags,
  }

  static override readonly result = async () => (await import('../../lib/approvals/result.ts')).approvalShownResult

  /** True if a person has read the whole request above the question. */
  #wasRead = false

  async run(): Promise<WholeApproval> {
    const { args, flags } = await this.parse(ApprovalApprove)
    this.acts = true
    const key = await personKeyOf(this, flags)
    const approvals = await approvalsOf(this)
    const asked = await showApproval(this, args.id)
    mustShowWhatIsSent(asked)
    approvals.mustTake(asked, 'approve', key)
    const shown = showWholeApproval(asked)
    const lines = approvalRows(shown).map(([name, value]) => `${name}: ${value}`)
    const live = shown.environment === 'live' || (shown.subject === 'plan' && shown.environment !== 'sandbox')
    const strict = { strict: `a ${shown.environment} profile`, phrase: shown.sum, verb: 'approve' } as const
    const asker = this.canAsk && flags.confirm === undefined ? terminalAsker(this.edge, this.signal) : null
    this.#wasRead = asker !== null && !flags.yes
    await requireConsent({ live, lines, ...strict }, flags, asker)
    return showWholeApproval(await approvals.decide(asked, 'approve', flags.because, key))
  }

  protected override readonly view = (shown: WholeApproval) =>
    this.#wasRead ? briefApprovalView(shown) : approvalView(shown)
}

/** Throws bug (1) where a request was changed outside paydesk: the approver sees what is sent. */
function mustShowWhatIsSent({ row }: AskedApproval): void {
  if (row === null) return
  const intent = intentOf(row)
  const request = readJson(intent.body)
  mustBeAsHeld(operationOf(intent), isRecord(request) ? request : {}, intent)
}
