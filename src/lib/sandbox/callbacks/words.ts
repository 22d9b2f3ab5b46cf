/** Callbacks in the words that people read. */

import { howMany } from '../../contract/core/text.ts'
import { localMoment } from '../clock/clock.ts'
import { runningServer } from '../server/address.ts'
import type { Service } from '../service.ts'
import type { Attempted } from './deliver.ts'
import { isHere } from './host.ts'

/** One attempt, in one line. It names the other machine, because a sandbox seldom means to call one. */
export function attemptInWords({ id, kind, url, http, why, state, again }: Attempted): string {
  const where = isHere(url) ? url : `${url} (another machine)`
  const next = again === null ? '' : `, again at ${localMoment(again).slice(0, 19)}`
  const end = state === 'given-up' ? ', given up' : next
  return `POST ${where}  callback ${id}, ${kind}  ${why ?? http}${end}`
}

/** The number of callbacks that wait because no sandbox runs that sends them; no words where one does. */
export async function waitingInWords(
  sandbox: Pick<Service, 'world'>,
  directory: string,
  callbacks: readonly { readonly state: string }[],
): Promise<string[]> {
  const waiting = callbacks.filter(({ state }) => state === 'waiting').length
  if (waiting === 0) return []
  const { worldId } = await sandbox.world()
  if (await runningServer(directory, worldId)) return []
  const what = howMany(waiting, 'callback waits', 'callbacks wait')
  return [`${what}, because no sandbox runs: \`paydesk sandbox start\` sends what is due`]
}
