/** The request of a write as it would leave the machine. Opens no socket. */
import { writePayload } from '../../contract/core/payload.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { encode } from '../../desk/line/exchange.ts'
import { maskedRequest } from '../../desk/receipt/mask.ts'
import type { Profile } from '../../profile/profile.ts'
import { curlOf } from '../../wire/curl.ts'
import { target } from '../../wire/message.ts'
import { consentPhrase } from '../prompts/consent-lines.ts'
import type { DryRun } from '../views/dry-run.ts'
import type { RequestFields } from './request.ts'

const outsideTheJournal =
  'curl runs outside the journal: paydesk will not know of the payment, and repeats nothing safely; prefer the command itself'

/** `currency`: the one that is known where the request names none. */
export function dryRunOf(
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
