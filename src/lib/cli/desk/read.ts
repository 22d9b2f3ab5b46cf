/**
 * Reads from the command line on: the request, checked before any socket is open, then the answer, or with --curl the
 * command in its place.
 */
import { Flags } from '@oclif/core'
import { curlOf, sealedCurlOf } from '../../client/curl.ts'
import { encode } from '../../client/exchange.ts'
import { maskedRequest } from '../../client/mask.ts'
import { writePayload } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import { permissionNames } from '../../contract/core/permission.ts'
import type { ReadOperation, RequestOf } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { tidy, validate } from '../../contract/validate.ts'
import type { Desk } from '../../desk/desk.ts'
import { target } from '../../http/message.ts'
import { writeJson } from '../../json.ts'
import type { Part } from '../../profile/parts.ts'
import type { Profile } from '../../profile/profile.ts'
import { givenFields, refuse } from '../flags/fields.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import type { ReadCurl } from '../unsent.ts'
import { openDesk } from './desk.ts'

const readsOutside = 'the journal does not record what this curl command does'

/** An operation that the contract has, whose envelope has the same keys. */
function sealedAs({ name, wire }: ReadOperation): string {
  const known = operations.find((each) => each.name === name) ?? operations.find((each) => each.wire === wire)
  return known?.name ?? name
}

function readCurlOf(operation: ReadOperation, request: Members, profile: Profile): ReadCurl {
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

export const curlFlags = {
  curl: Flags.boolean({ description: 'print the read as a curl command without secrets; sends nothing' }),
}

interface ReadFlags extends SharedFlags {
  readonly curl?: boolean | undefined
}

/** The answer of a read; with --curl the command in its place. */
export async function answerOr<Answer>(
  invocation: Invocation,
  flags: ReadFlags,
  part: Part,
  read: (desk: Desk) => Promise<Answer>,
): Promise<Answer | ReadCurl> {
  const desk = await openDesk(invocation, flags, part)
  if (!flags.curl) return read(desk)
  let asked: ReadCurl | null = null
  const instead = (operation: ReadOperation, request: Members) => {
    asked ??= readCurlOf(operation, request, desk.profile)
    throw new Error('the request is shown, not sent')
  }
  try {
    const answer = await read({ ...desk, instead })
    return asked ?? answer
  } catch (error) {
    // A read in which a payment is at stake tells an error in its own words.
    if (asked === null) throw error
    return asked
  }
}

/** The request of a read that the flags gave, checked before any socket is open. Throws usage (2), naming every violation by its flag. */
export function readRequest<Op extends ReadOperation>(
  { edge }: Invocation,
  operation: Op,
  flags: SharedFlags,
): RequestOf<Op> {
  const given = tidy(operation, givenFields(operation, { ...flags }))
  // No profile is asked: what an integrator may read is the service's to say.
  const circumstances = { permits: new Set(permissionNames), orderType: null, now: edge.clock.now() }
  const checked = validate(operation, given, circumstances)
  if (!checked.ok) throw refuse(operation, checked.violations)
  return checked.request
}
