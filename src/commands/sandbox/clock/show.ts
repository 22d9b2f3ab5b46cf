import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { factsOf, type Labels, type View } from '../../../lib/cli/output/view.ts'
import { ownSandbox } from '../../../lib/cli/sandbox.ts'
import { howMany } from '../../../lib/contract/core/text.ts'
import type { ResultOf } from '../../../lib/result.ts'
import { type ClockState, localMoment, type sandboxTimeResult, utcTime } from '../../../lib/sandbox/clock.ts'

export type ClockResult = ResultOf<typeof sandboxTimeResult>

export function clockResult({ now, ahead }: ClockState): ClockResult {
  return { utc: utcTime(now), service: localMoment(now), aheadMilliseconds: ahead }
}

const labels: Labels<ClockResult> = {
  'in the sandbox': 'utc',
  'at the service': ({ service }) => `${service.slice(0, 19).replace('T', ' ')} (UTC+04:00)`,
  '': ({ aheadMilliseconds: ahead }) =>
    ahead === 0 ? null : `${howMany(ahead / 1000, 'second')} ahead of this machine`,
}

export const clockView = (result: ClockResult): View => [factsOf(result, labels)]

export default class SandboxClockShow extends PaydeskCommand<ClockResult> {
  static override summary = 'Show the time in the sandbox.'
  static override examples = ['<%= config.bin %> sandbox clock show']

  static override readonly result = async () => (await import('../../../lib/sandbox/clock.ts')).sandboxTimeResult

  async run() {
    await this.parse(SandboxClockShow)
    const sandbox = await ownSandbox(this)
    return clockResult(await sandbox.clock())
  }

  protected override readonly view = clockView
}
