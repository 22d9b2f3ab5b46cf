import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { named } from '../../../lib/cli/flags/shared.ts'
import { ownSandbox } from '../../../lib/cli/sandbox.ts'
import { Failure } from '../../../lib/failure.ts'
import { hint, paste } from '../../../lib/hint.ts'
import { readLongTime } from '../../../lib/sandbox/clock.ts'
import { type ClockResult, clockResult, clockView } from './show.ts'

export default class SandboxClockAdvance extends PaydeskCommand<ClockResult> {
  static override summary = "Move the sandbox's clock forward."
  static override description =
    'Tokens expire, payouts and refunds end, orders expire and subscriptions are charged accordingly. A running sandbox uses the new time at once.'
  static override examples = [
    '<%= config.bin %> sandbox clock advance 5m',
    '<%= config.bin %> sandbox clock advance 31d',
  ]

  static override args = { time: named('how far: 90s, 5m, 24h, 31d, 8w; a bare number is seconds') }

  static override readonly result = async () => (await import('../../../lib/sandbox/clock.ts')).sandboxTimeResult

  async run() {
    const { args } = await this.parse(SandboxClockAdvance)
    const milliseconds = readLongTime(args.time)
    if (milliseconds === null) {
      throw new Failure('usage', `a time is a number with a unit like 90s, 5m, 24h or 31d, not "${args.time}"`, {
        hints: [hint`The clock only moves forward; \`${paste('sandbox reset')}\` starts anew.`],
      })
    }
    const sandbox = await ownSandbox(this)
    return clockResult(await sandbox.moveClock((now) => now + milliseconds))
  }

  protected override readonly view = clockView
}
