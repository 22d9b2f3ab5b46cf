import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import type { View } from '../../../lib/cli/output/view.ts'
import { ownSandbox } from '../../../lib/cli/sandbox.ts'
import { momentOfValidUntil } from '../../../lib/contract/date.ts'
import { Failure } from '../../../lib/failure.ts'
import { type ClockResult, clockResult, clockView } from './show.ts'

export default class SandboxClockSet extends PaydeskCommand<ClockResult> {
  static override summary = "Set the sandbox's clock to a later time."
  static override description = 'It continues from there, and only moves forward: `sandbox reset` starts anew.'
  static override examples = [
    '<%= config.bin %> sandbox clock set "2099-12-31 23:59:30"',
    '<%= config.bin %> sandbox clock set 2099-12-31T19:59:30Z',
  ]

  static override args = {
    moment: Args.string({
      ignoreStdin: true,
      required: true,
      description: 'yyyy-MM-dd HH:mm:ss at the service (Tbilisi), or ISO 8601 with a zone',
    }),
  }

  static override readonly result = async () => (await import('../../../lib/sandbox/clock.ts')).sandboxTimeResult

  async run(): Promise<ClockResult> {
    const { args } = await this.parse(SandboxClockSet)
    const moment = momentOfValidUntil(args.moment.trim())
    if (moment === null) {
      throw new Failure(
        'usage',
        `a moment is yyyy-MM-dd HH:mm:ss in Tbilisi time, or ISO 8601 with a zone, not "${args.moment}"`,
      )
    }
    const sandbox = await ownSandbox(this)
    return clockResult(await sandbox.moveClock(() => moment))
  }

  protected override view(result: ClockResult): View {
    return clockView(result)
  }
}
