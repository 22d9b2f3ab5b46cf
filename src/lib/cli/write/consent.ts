/** The consent that a profile demands before a write is sent. */

import { normalId } from '../../contract/core/uuid.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { scopeOf } from '../../desk/draft.ts'
import { idForKey } from '../../desk/key-id.ts'
import type { PayeeStanding } from '../../desk/payout/payee.ts'
import { told } from '../../desk/recover/in-play.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Profile } from '../../profile/profile.ts'
import { terminalAsker } from '../prompts/ask.ts'
import { confirmed } from '../prompts/confirm.ts'
import { consentTo } from '../prompts/consent-lines.ts'
import type { WriteFlags } from './flags.ts'
import type { RequestFields, RequestMaker } from './request.ts'

/** A write that is to be agreed to. */
export interface Proposal {
  readonly flags: WriteFlags
  readonly profile: Profile
  /** The currency, where the request names none and it is known all the same. Without a sum the phrase is the id. */
  readonly currency?: string | null
  /** More than the recipients and their parts, in lines for a person. */
  readonly details?: readonly string[]
}

/** Throws a Failure: declined (3), usage (2). It says how an earlier run of the same write stands. */
export async function consentOf(
  { invocation, journal }: RequestMaker,
  operation: WriteOperation,
  request: RequestFields,
  { flags, profile, currency = null, details = [] }: Proposal,
): Promise<void> {
  const { canAsk, edge, signal } = invocation
  const asker = canAsk && flags.confirm === undefined ? terminalAsker(edge, signal) : null
  const standing = await standingOf({ journal, profile }, operation, request, asker !== null)
  if (standing?.alarm && !asker) invocation.beside(standing.alarm.inWords)
  const what = consentTo(operation, request, profile, { currency, details, standing })
  try {
    await confirmed({ live: profile.environment === 'live', ...what }, flags, asker)
  } catch (error) {
    const open = await openIntent({ journal: await journal(), profile }, operation, request, flags.key)
    throw open ? told(error, open, signal) : error
  }
}

/** Null for a write that pays no beneficiary out. */
async function standingOf(
  { journal, profile }: Pick<RequestMaker, 'journal'> & Pick<Proposal, 'profile'>,
  operation: WriteOperation,
  request: RequestFields,
  isTold: boolean,
): Promise<PayeeStanding | null> {
  if (operation.moves(request).payeeName === undefined) return null
  const { payeeStanding } = await import('../../desk/payout/payee.ts')
  return payeeStanding({ journal: await journal(), profile }, operation, request, isTold)
}

/** The intent that an earlier run of the same write left open. */
async function openIntent(
  desk: Parameters<typeof idForKey>[0],
  operation: WriteOperation,
  request: RequestFields,
  key: string | undefined,
): Promise<Intent | null> {
  const { idField } = operation
  const ownId = key === undefined ? null : await idForKey(desk, operation, key)
  const id = idField === null ? ownId : normalId(String(request[idField]))
  if (id === null) return null
  const filter = {
    scope: scopeOf(desk.profile),
    uniqueIds: [id],
    operations: [operation],
    states: ['unknown'],
    limit: 1,
  }
  const [open] = await desk.journal.list(filter)
  return open ?? null
}
