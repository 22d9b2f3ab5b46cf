/** Polls folded: the same read of the same thing with the same answer, again and again, is one row. */
import { operations } from '../../../contract/operations.ts'
import type { KeptRequest } from '../../../store/sandbox/schema.ts'
import type { Gist } from './gist.ts'

export interface Gisted {
  readonly row: KeptRequest
  readonly gist: Gist
}

/** The newest first, at least one. */
export type Alike = [Gisted, ...Gisted[]]

const reads = new Set(operations.filter(({ effect }) => effect === 'read').map(({ name }) => name))

/** Null for a request that is worth a row of its own. */
function pollOf({ row, gist }: Gisted): { readonly what: string; readonly heard: string } | null {
  if (row.operation === null || !reads.has(row.operation) || row.fault !== null) return null
  return {
    what: JSON.stringify([row.operation, row.identifier, gist.id]),
    heard: JSON.stringify([row.http, row.code, row.verdict, row.remarks]),
  }
}

/**
 * Requests, the newest first, in groups. Polls of several things may be mixed; a group ends where the answer was another one,
 * or where the thing was written to.
 */
export function folded(requests: readonly Gisted[]): readonly Alike[] {
  const groups: Alike[] = []
  const open = new Map<string, { readonly heard: string; readonly about: string | null; readonly group: Alike }>()
  for (const each of requests) {
    const poll = pollOf(each)
    const before = poll && open.get(poll.what)
    if (poll && before?.heard === poll.heard) {
      before.group.push(each)
      continue
    }
    const group: Alike = [each]
    groups.push(group)
    if (poll) open.set(poll.what, { heard: poll.heard, about: each.gist.id, group })
    else for (const [what, { about }] of open) if (about === each.gist.id) open.delete(what)
  }
  return groups
}

/** The oldest names the group: it stays the same while newer ones join. */
export function groupName(alike: Alike): string {
  return String(alike.at(-1)?.row.request_id)
}
