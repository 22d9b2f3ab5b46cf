/** The journal's answer to a write that is not sent now: it is asked as `submit` asks it, and nothing is written. */

import { unruled } from '../approvals/ruling.ts'
import type { Members } from '../contract/core/members.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { consider, duplicateWarning, otherSum } from '../journal/duplicates.ts'
import { type Draft, factsOf, type Intent, intentOf } from '../journal/intent.ts'
import { type Decision, describeShortage } from '../journal/limits.ts'
import { isRecord, readJson } from '../json.ts'
import type { Profile } from '../profile/profile.ts'
import type { Desk } from './desk.ts'
import { draftOf, sameButForSecrets, scopeOf } from './draft.ts'
import { guardOf } from './guard.ts'
import { idForKey } from './key-id.ts'
import type { SubmitOptions } from './line/terms.ts'
import { judged, mayHaveLapsed } from './receipt/ended.ts'

interface Wish extends Pick<SubmitOptions, 'businessKey' | 'allowDuplicate'> {
  /** True where a placeholder stands in the request for a secret that was not read. */
  readonly isUnread?: boolean
}

type Asked = Pick<Desk, 'journal' | 'profile' | 'random'>

/** The draft of a request without its secret takes the body that the journal has, if all else is the same. */
async function asRecorded({ journal, profile }: Asked, operation: WriteOperation, request: Members, draft: Draft) {
  const filter = { uniqueIds: [draft.uniqueId], operations: [operation], limit: 1 }
  const [known] = await journal.list({ scope: scopeOf(profile), ...filter })
  const sent = known ? readJson(known.body) : null
  const isSame = known && isRecord(sent) && sameButForSecrets(operation, sent, request)
  return isSame ? { ...draft, bodyDigest: known.bodyDigest } : draft
}

const seeLimits = hint`The limits, and what is left of them: \`${paste('profile show')}\`.`

function wouldBeHeld(draft: Draft, intent: Intent | null, { because, ruling }: Decision): Failure {
  const { operation, uniqueId } = draft
  const how = intent?.state === 'held' ? `it would stay held (${intent.journalId})` : 'it would be held'
  return new Failure('held', `${how}, and nothing sent: ${because ?? 'over a limit'}`, {
    ...(intent ? factsOf(intent) : { operation, uniqueId }),
    hints: [
      ruling.because === null ? seeLimits : hint`The run keeps it as held, so that another person can approve it.`,
    ],
  })
}

/** As `foresee`, where no journal was ever written: only limits can speak against it. `now`: milliseconds since 1970. */
export function foreseeFirst(profile: Profile, operation: WriteOperation, request: Members, now: number): void {
  const { limits } = guardOf(profile, operation, request, {})
  const draft = draftOf(profile, operation, request, { businessKey: null, ownId: '' })
  const because = describeShortage(draft, limits, now)
  if (because !== null) throw wouldBeHeld(draft, null, { because, ruling: unruled })
}

/**
 * Remarks on what the run would do besides sending. Throws a Failure where the run would send nothing: refused (5), duplicate (7),
 * unknown (9), locked (12), held (13).
 */
export async function foresee(
  desk: Asked,
  operation: WriteOperation,
  request: Members,
  { businessKey = null, allowDuplicate = null, isUnread = false }: Wish,
): Promise<readonly string[]> {
  const { journal, profile, random } = desk
  const made = () => (businessKey === null ? random.uuid() : idForKey(desk, operation, businessKey))
  const ownId = operation.idField === null ? await made() : ''
  const typed = draftOf(profile, operation, request, { businessKey, ownId })
  const draft = isUnread ? await asRecorded(desk, operation, request, typed) : typed
  const guard = guardOf(profile, operation, request, { allowDuplicate })
  const { opening, row, decision } = await journal.ask((db, present) => consider(db, draft, guard, present))
  if (opening.kind === 'done') {
    const { intent } = opening
    if (intent.otherSum !== null) throw otherSum(intent, intent.otherSum)
    if (await mayHaveLapsed(desk, intent)) {
      return [
        `it was sent before (${intent.journalId}), and was ${intent.status}: the run would send nothing, and read how it ended`,
      ]
    }
    await judged(desk, operation, { intent, replayed: true, warnings: [] })
    return [`it was sent before: the run would send nothing, and answer with ${intent.journalId} (${intent.state})`]
  }
  const { unresolved, suspected, isHeldBack } = opening
  if (isHeldBack) throw wouldBeHeld(draft, row ? intentOf(row) : null, decision)
  return [
    ...(unresolved ? [`an earlier attempt is open (${unresolved.journalId}): the run would resolve it first`] : []),
    ...(suspected ? [duplicateWarning(suspected)] : []),
  ]
}
