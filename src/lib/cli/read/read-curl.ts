/** A read as a curl command. Opens no socket. */

import { curlOf, sealedCurlOf } from '../../client/curl.ts'
import { encode } from '../../client/exchange.ts'
import { maskedRequest } from '../../client/mask.ts'
import { writePayload } from '../../contract/core/payload.ts'
import type { ReadOperation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { target } from '../../http/message.ts'
import { writeJson } from '../../json.ts'
import type { Profile } from '../../profile/profile.ts'
import type { ResultOf } from '../../result.ts'
import type { readCurlResult } from '../result.ts'
import type { RequestFields } from '../write/request.ts'

/** The read as `--json` prints it. */
export type ReadCurl = ResultOf<typeof readCurlResult>

const readsOutside = 'curl runs outside the journal: paydesk notes nothing of what the answer says'

/** An operation that the contract has, whose envelope has the same keys. */
function sealedAs({ name, wire }: ReadOperation): string {
  const known = operations.find((each) => each.name === name) ?? operations.find((each) => each.wire === wire)
  return known?.name ?? name
}

export function readCurlOf(operation: ReadOperation, request: RequestFields, profile: Profile): ReadCurl {
  const http = encode(profile, operation, request, '[access token]')
  const payload = writePayload(operation.request, maskedRequest(operation, request))
  return {
    dryRun: true,
    method: http.method,
    url: profile.seal ? `${profile.baseUrl}${http.path}` : `${profile.baseUrl}${target(http)}`,
    payload: profile.seal ? payload : null,
    curl: profile.seal
      ? sealedCurlOf(profile.baseUrl, http, {
          text: writeJson(payload),
          as: sealedAs(operation),
          profile: profile.name,
        })
      : curlOf(profile.baseUrl, http, profile.name),
    profile: profile.name,
    environment: profile.environment,
    warnings: [readsOutside],
  }
}
