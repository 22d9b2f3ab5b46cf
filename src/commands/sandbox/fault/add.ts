import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { durationFlag } from '../../../lib/cli/flags/times.ts'
import { ownSandbox } from '../../../lib/cli/sandbox.ts'
import { type Fault, faultKinds, faultPlaces, faultTargets, usualPlace } from '../../../lib/sandbox/faults.ts'
import { faultTable } from './list.ts'

export default class SandboxFaultAdd extends PaydeskCommand<Fault> {
  static override summary = 'Let an operation fail: lose its answer, cut it, answer nonsense.'
  static override description =
    "`before`: the service never sees the request. `after`: it executes it, and its answer is lost or damaged. It is kept in the store of the sandbox until it has struck. `half-written` sends half of the answer and keeps the connection open. `slow` lets the answer come late; `before`, the request arrives late, and is executed even if its client gave up. `duplicate` executes the request twice, as behind a proxy that repeats it, and throws the second outcome away: what it does not recognise, such as a registration, happens twice. Of `duplicate-second` the client hears the second outcome, such as that the id is taken. With --per-mille a fault strikes by chance until it is cleared: draw n of a seed is always the same. --above turns away with 429 and Retry-After what comes faster than a rate, until it is cleared: in each window of the sandbox's clock so many requests pass."
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
      description: 'the operation; order.* for all of orders, * for every one',
      default: '*',
    }),
    at: Flags.option({ options: faultPlaces })({
      description: 'before or after it is executed; after when not given, but a 401 and a 429 come before',
    }),
    kind: Flags.option({ options: faultKinds, required: true })({ description: 'what happens to the answer' }),
    nth: Flags.integer({ description: 'which request of the operation it strikes first; 1 when not given', min: 1 }),
    times: Flags.integer({ description: 'how many in a row; 1 when not given', min: 1 }),
    'per-mille': Flags.integer({
      description: 'strike by chance instead: so many of a thousand requests',
      min: 1,
      max: 1000,
      exclusive: ['nth', 'times'],
    }),
    seed: Flags.integer({
      description: 'what chance is drawn from; 1 when not given',
      min: 0,
      dependsOn: ['per-mille'],
    }),
    delay: durationFlag({ description: 'how late a `slow` answer comes; 3s when not given', helpValue: '<time>' }),
    above: Flags.string({
      description: 'turn away what comes faster (429, before)',
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
