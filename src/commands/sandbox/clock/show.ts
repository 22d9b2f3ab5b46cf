import { PaydeskCommand } from '../../../lib/cli/command.ts'
import type { View } from '../../../lib/cli/output/view.ts'
import { ownSandbox } from '../../../lib/cli/sandbox.ts'
import { howMany } from '../../../lib/contract/core/text.ts'
import type { ResultOf } from '../../../lib/result.ts'
import { type ClockState, localMoment, type sandboxTimeResult, utcTime } from '../../../lib/sandbox/clock.ts'

export type ClockResult = ResultOf<typeof sandboxTimeResult>

export function clockResult({ now, ahead }: ClockState): ClockResult {
  return { utc: utcTime(now), service: localMoment(now), aheadMilliseconds: ahead }
}

export function clockView({ utc, service, aheadMilliseconds }: ClockResult): View {
  const ahead = aheadMilliseconds === 0 ? null : `${howMany(aheadMilliseconds / 1000, 'second')} ahead of this machine`
  return [
    {
      kind: 'facts',
      rows: [
        ['on this machine', utc],
        ['at the service', `${service.slice(0, 19).replace('T', ' ')} (UTC+04:00)`],
        ['', ahead],
      ],
    },
  ]
}

export default class SandboxClockShow extends PaydeskCommand<ClockResult> {
  static override summary = 'Show the time in the sandbox and on this machine.'
  static override examples = ['<%= config.bin %> sandbox clock show']

  static override readonly result = async () => (await import('../../../lib/sandbox/clock.ts')).sandboxTimeResult

  async run(): Promise<ClockResult> {
    await this.parse(SandboxClockShow)
    const sandbox = await ownSandbox(this)
    return clockResult(await sandbox.clock())
  }

  protected override view(result: ClockResult): View {
    return clockView(result)
  }
}
