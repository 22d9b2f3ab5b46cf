import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { ApprovalAccess, type ApprovalTold, approvalTold, approvedSum } from '../../lib/cli/team/approvals.ts'
import { accountInWords } from '../../lib/contract/core/iban.ts'
import { howMany } from '../../lib/contract/core/text.ts'

export default class ApprovalList extends PaydeskCommand<readonly ApprovalTold[]> {
  static override summary = 'List approval requests, newest first.'
  static override examples = ['<%= config.bin %> approval list', '<%= config.bin %> approval list --all --json']

  static override flags = {
    all: Flags.boolean({ description: 'those that are over, too: used, rejected, expired, outdated, void' }),
  }

  static override readonly result = async () => (await import('../../lib/approvals/result.ts')).approvalsResult

  readonly #approvals = new ApprovalAccess(this)

  async run(): Promise<readonly ApprovalTold[]> {
    const { flags } = await this.parse(ApprovalList)
    const told = (await (await this.#approvals.open()).list()).map(approvalTold)
    return flags.all ? told : told.filter(({ state }) => state === 'waiting' || state === 'approved')
  }

  protected override view(approvals: readonly ApprovalTold[]): View {
    const rows = approvals.map(({ approvalId, state, sum, payee, rows: count, subject, maker, words, needs, id }) => [
      ...[approvalId, state, `${words.filter(({ counts }) => counts).length} of ${needs}`, approvedSum({ sum })],
      ...[subject === 'plan' ? `${howMany(count, 'row')} of ${payee}` : accountInWords(payee), maker, id],
    ])
    const head = ['approval', 'state', 'approved', 'sum', 'to', 'asked by', 'id']
    return [{ kind: 'table', head, rows, empty: 'No approval request is open.' }]
  }
}
