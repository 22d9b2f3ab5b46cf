import { Flags } from '@oclif/core'
import { type Replayed, replay } from '../../lib/callback/replay.ts'
import {
  askForCallback,
  callbackKeys,
  callbacksOf,
  ownKeysFlag,
  readTarget,
  relayLimits,
  relayTo,
  storedCallback,
} from '../../lib/cli/callback/callbacks.ts'
import { replayedView } from '../../lib/cli/callback/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { typedMoment } from '../../lib/cli/flags/times.ts'
import { readEdit } from '../../lib/contract/edit.ts'
import { Failure } from '../../lib/failure.ts'

export default class CallbackReplay extends PaydeskCommand<readonly Replayed[]> {
  static override summary = 'Send stored callbacks to your program again, unchanged or edited.'
  static override description =
    'Sends to --to, else to where it was forwarded. --set edits a member; a sealed callback is opened and sealed again to your own public key. --since sends all from then on, in order, until one fails. Exit code 0: all answered 2xx; 5: another answer; 9: no complete answer; 11: not reached. Nothing goes to the service.'
  static override examples = [
    '<%= config.bin %> callback replay cb-3f9a1c2b7d10',
    '<%= config.bin %> callback replay cb-3f9a1c2b7d10 --set status=FAILED --set amount=1.00 --to http://127.0.0.1:3000/callback',
    '<%= config.bin %> callback replay --since 2026-11-20T02:00',
  ]

  static override args = { id: storedCallback }

  static override flags = {
    since: Flags.string({ description: 'all received at or after this time', helpValue: '2026-11-20[T09:00]' }),
    set: Flags.string({
      description: 'change a member: path=value; the value is read as JSON if possible, else as text',
      helpValue: 'a.b=1',
      multiple: true,
    }),
    to: Flags.string({ description: 'where to send it', helpValue: '<url>' }),
    'private-key': ownKeysFlag,
  }

  static override readonly result = async () => (await import('../../lib/callback/result.ts')).callbacksReplayedResult

  async run() {
    const { args, flags } = await this.parse(CallbackReplay)
    const id = args.id ?? (flags.since === undefined ? await askForCallback(this) : undefined)
    if ((id === undefined) === (flags.since === undefined)) {
      throw new Failure('usage', 'name a callback by its id, or give --since')
    }
    const edits = (flags.set ?? []).map(readEdit)
    const since = flags.since === undefined ? undefined : typedMoment(this, 'since', flags.since)
    const to = flags.to === undefined ? null : readTarget(this, 'to', flags.to)
    const callbacks = await callbacksOf(this)
    const listed = since === undefined ? [] : await callbacks.list({ since, oldestFirst: true, profile: flags.profile })
    const ids = id === undefined ? listed.map(({ callbackId }) => callbackId) : [id]
    const settings = {
      to,
      edits,
      keys: () => callbackKeys(this, flags, (why) => void this.warnings.add(why)),
      relay: (target: string) => relayTo(this, target),
      limits: { ...relayLimits(flags), signal: this.signal },
      clock: this.edge.clock,
      warnings: () => [...this.warnings],
    }
    return replay(callbacks, ids, settings)
  }

  protected override readonly view = replayedView
}
