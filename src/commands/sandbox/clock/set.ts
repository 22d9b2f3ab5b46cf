import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { named } from '../../../lib/cli/flags/shared.ts'
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
    moment: named('yyyy-MM-dd HH:mm:ss at the service (Tbilisi), or ISO 8601 with a zone'),
  }

  static override readonly result = async () => (await import('../../../lib/sandbox/clock.ts')).sandboxTimeResult

  async run() {
    const { args } = await this.parse(SandboxClockSet)
    const moment = momentOfValidUntil(args.moment.trim())
    if (moment === null) {
      const form = 'yyyy-MM-dd HH:mm:ss in Tbilisi time, or ISO 8601 with a zone'
      throw new Failure('usage', `a moment is ${form}, not "${args.moment}"`)
    }
    const sandbox = await ownSandbox(this)
    return clockResult(await sandbox.moveClock(() => moment))
  }

  protected override readonly view = clockView
}
