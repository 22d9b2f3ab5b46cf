/** A write that is shown in the place of being sent: --dry-run and --curl. */
import { curlOf } from '../../client/curl.ts'
import { encode } from '../../client/exchange.ts'
import { maskedRequest } from '../../client/mask.ts'
import { writePayload } from '../../contract/core/field.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { Failure } from '../../failure.ts'
import { target } from '../../http/message.ts'
import type { Profile } from '../../profile/profile.ts'
import { isNewJournal, journalOf } from '../desk/journal.ts'
import type { Invocation } from '../invocation.ts'
import { requireConsent } from '../prompts/confirm.ts'
import type { DryRun } from '../unsent.ts'
import { consentPhrase, consentTo } from './consent.ts'
import type { RequestFields, Write } from './request.ts'

const outsideTheJournal =
  'the journal will not record what that curl command does, so a repeat could pay twice; prefer the command itself'

/** `currency`: the one that is known where the request names none. */
function messageOf(
  operation: WriteOperation,
  request: RequestFields,
  profile: Profile,
  asCurl: boolean,
  currency: string | null = null,
): DryRun {
  const http = encode(profile, operation, request, '[access token]')
  return {
    dryRun: true,
    method: http.method,
    url: `${profile.baseUrl}${target(http)}`,
    headers: http.headers,
    body: http.body,
    payload: profile.seal ? writePayload(operation.request, maskedRequest(operation, request)) : null,
    curl: asCurl ? curlOf(profile.baseUrl, http, profile.name) : null,
    confirm: consentPhrase(operation, request, currency),
    profile: profile.name,
    environment: profile.environment,
    warnings: asCurl ? [outsideTheJournal] : [],
  }
}

/** A --confirm is compared as the run does; without one nothing is asked. */
async function mustBeConfirmed(
  { output }: Invocation,
  operation: WriteOperation,
  request: RequestFields,
  { flags, profile, currency = null }: Write,
): Promise<void> {
  if (flags.confirm === undefined) return
  const what = consentTo(operation, request, profile, { currency, details: [], standing: null, ink: output.ink })
  await requireConsent({ ...what, mayEdit: false }, flags, null)
}

/**
 * The request as it would leave, with remarks. Throws what the run would throw before it sends: declined (3), duplicate (7), locked
 * (12); held (13) comes with the request, whose --confirm the run wants all the same.
 */
export async function dryRunOf(
  invocation: Invocation,
  operation: WriteOperation,
  request: RequestFields,
  write: Write,
): Promise<DryRun> {
  const { flags, profile, currency = null, isUnread = false } = write
  const document = messageOf(operation, request, profile, Boolean(flags.curl), currency)
  await mustBeConfirmed(invocation, operation, request, write)
  const { preflightDryRun, preflightFirstDryRun } = await import('../../desk/preflight.ts')
  const { clock, random } = invocation.edge
  const { key: idempotencyKey = null, 'allow-duplicate': allowDuplicate = null } = flags
  try {
    if (isNewJournal(invocation.places)) {
      preflightFirstDryRun(profile, operation, request, clock.now())
      return document
    }
    const desk = { journal: await journalOf(invocation), profile, random }
    const remarks = await preflightDryRun(desk, operation, request, { isUnread, idempotencyKey, allowDuplicate })
    return { ...document, warnings: [...document.warnings, ...remarks] }
  } catch (error) {
    throw error instanceof Failure && error.kind === 'held' ? error.with({ document }) : error
  }
}
