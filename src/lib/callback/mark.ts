/**
 * A header on everything that a listener forwards, with an id of this listener. A callback that comes back with it has gone
 * in a circle, by a proxy, a second listener or another name of this machine: it is stored and not forwarded again. Marks of
 * other listeners stay.
 */
import type { Headers } from './open/mask.ts'

const markHeader = 'paydesk-listener'

export function markedBy(mark: string, headers: Headers): Headers {
  return [...headers, [markHeader, mark]]
}

/** True if the listener of this mark has forwarded it. A proxy may have put several marks into one line. */
export function isMarkedBy(mark: string, headers: Headers): boolean {
  return headers.some(
    ([name, value]) => name.toLowerCase() === markHeader && value.split(',').some((each) => each.trim() === mark),
  )
}
