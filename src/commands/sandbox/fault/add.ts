import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { durationFlag } from '../../../lib/cli/flags/times.ts'
import { ownSandbox } from '../../../lib/cli/sandbox.ts'
import { type Fault, faultKinds, faultPlaces, faultTargets, usualPlace } from '../../../lib/sandbox/faults.ts'
import { faultTable } from './list.ts'

export default class SandboxFaultAdd extends PaydeskCommand<Fault> {
  static override summary = 'Make an operation fail: lose its answer, cut it, answer nonsense.'
  static override description =
    '`--at before`: the request is not executed; `after`: it is executed, and its answer is lost or damaged. A fault waits until it has struck. --per-mille strikes by chance, and --above answers 429 to requests above a rate, both until cleared. What each fault does: docs/explanation/sandbox.md'
  static override examples = [
    '<%= config.bin %> sandbox fault add --op payout.create --at after --kind reset',
    '<%= config.bin %> sandbox fault add --op payout.get --at before --kind 429 --nth 2 --times 3',
    '<%= config.bin %> sandbox fault add --op order.create --at after --kind slow --delay 40s',
    "<%= config.bin %> sandbox fault add --op 'order.*' --at after --kind html502 --per-mille 50 --seed 7",
    '<%= config.bin %> sandbox fault add --kind slow --delay 20ms --per-mille 1000',
    '<%= config.bin %> sandbox fault add --kind 429 --above 50/s',
  ]

  static override flags = {
    op: Flags.option({ options: faultTargets })({
      description: 'the operation; order.* for all orders, * for all operations',
      default: '*',
    }),
    at: Flags.option({ options: faultPlaces })({
      description: 'before or after execution; default after, but before for 401 and 429',
    }),
    kind: Flags.option({ options: faultKinds, required: true })({ description: 'what happens to the answer' }),
    nth: Flags.integer({ description: 'which request of the operation fails first; default 1', min: 1 }),
    times: Flags.integer({ description: 'how many requests in a row fail; default 1', min: 1 }),
    'per-mille': Flags.integer({
      description: 'fail by chance: this many of a thousand requests',
      min: 1,
      max: 1000,
      exclusive: ['nth', 'times'],
    }),
    seed: Flags.integer({
      description: 'seed for --per-mille; default 1',
      min: 0,
      dependsOn: ['per-mille'],
    }),
    delay: durationFlag({ description: 'delay of a `slow` answer; default 3s', helpValue: '<time>' }),
    above: Flags.string({
      description: 'answer 429 to requests above this rate',
      helpValue: '50/s',
      exclusive: ['nth', 'times', 'per-mille'],
    }),
  }

  static override readonly result = async () => (await import('../../../lib/sandbox/faults.ts')).faultResult

  async run(): Promise<Fault> {
    const { flags } = await this.parse(SandboxFaultAdd)
    const { op, at, kind, nth, times, 'per-mille': perMille, seed, delay, above } = flags
    const sandbox = await ownSandbox(this)
    return await sandbox.faults.add({ op, at: at ?? usualPlace(kind), kind, nth, times, perMille, seed, delay, above })
  }

  protected override readonly view = (fault: Fault) => faultTable([fault])
}
