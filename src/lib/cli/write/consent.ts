/** The consent that a profile demands before a write is sent. */

import { normalId } from '../../contract/core/uuid.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { idForKey, scopeOf } from '../../desk/draft.ts'
import type { PayeeStanding } from '../../desk/payees.ts'
import { told } from '../../desk/thing.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Profile } from '../../profile/profile.ts'
import { terminalAsker } from '../prompts/ask.ts'
import { confirmed } from '../prompts/confirm.ts'
import { consentTo } from '../prompts/consent-lines.ts'
import type { AtTerminal } from './at-terminal.ts'
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
  /** As of `consentTo`. */
  readonly whole?: string | null
}

/** The ways of a person at a terminal to see more and to change something. */
export interface AgreedTo<Request> {
  /** The request, as it was or as it was edited. */
  readonly request: Request
  /** True if a person has read all that is known of it. */
  readonly wasSeen: boolean
}

/** Throws a Failure: declined (3), usage (2). It says how an earlier run of the same write stands. */
export async function consentOf<Request extends RequestFields>(
  maker: RequestMaker,
  operation: WriteOperation,
  request: Request,
  { flags, profile, currency = null, details = [], whole }: Proposal,
  ways?: () => Promise<AtTerminal<Request>>,
): Promise<AgreedTo<Request>> {
  const { invocation, journal } = maker
  const { canAsk, edge, signal, output } = invocation
  const asker = canAsk && flags.confirm === undefined && !flags.yes ? terminalAsker(edge, signal) : null
  const loud = (text: string) => output.ink.red.bold(text)
  try {
    const { look = null, edit = null } = (asker && (await ways?.())) ?? {}
    for (let asked = request; ; ) {
      const standing = await standingOf({ journal, profile }, operation, asked, asker !== null)
      if (standing?.alarm && !asker) invocation.beside(standing.alarm.inWords)
      const more = asker
        ? [...((await look?.(asked)) ?? []), ...(await obstacles(maker, operation, asked, { flags, profile }))]
        : []
      const told = [...details, ...new Set(more)]
      const what = consentTo(operation, asked, profile, { currency, details: told, whole, standing, loud })
      const live = profile.environment === 'live'
      const end = await confirmed({ live, ...what, mayEdit: edit !== null }, flags, asker)
      if (end === 'agreed' || !asker || !edit) return { request: asked, wasSeen: asker !== null }
      asked = await edit(asker, asked)
    }
  } catch (error) {
    const open = await openIntent({ journal: await journal(), profile }, operation, request, flags.key)
    throw open ? told(error, open, signal) : error
  }
}

const obstacles: typeof import('./known-before.ts').obstaclesOf = async (...asked) =>
  (await import('./known-before.ts')).obstaclesOf(...asked)

/** Null for a write that pays no beneficiary out. */
async function standingOf(
  { journal, profile }: Pick<RequestMaker, 'journal'> & Pick<Proposal, 'profile'>,
  operation: WriteOperation,
  request: RequestFields,
  isTold: boolean,
): Promise<PayeeStanding | null> {
  if (operation.moves(request).payeeName === undefined) return null
  const { payeeStanding } = await import('../../desk/payees.ts')
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
