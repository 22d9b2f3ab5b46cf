/**
 * Reads from the command line on: the request, checked before any socket is open, then the answer, or with --curl the
 * command in its place.
 */
import { Flags } from '@oclif/core'
import type { z } from 'zod'
import { curlOf, sealedCurlOf } from '../../client/curl.ts'
import { encode } from '../../client/exchange.ts'
import { maskedRequest } from '../../client/mask.ts'
import { writePayload } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import { permissionNames } from '../../contract/core/permission.ts'
import type { AnswerOf, ReadOperation, RequestOf } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { tidy, validate } from '../../contract/validate.ts'
import type { Desk } from '../../desk/desk.ts'
import { call } from '../../desk/read.ts'
import { target } from '../../http/message.ts'
import { writeJson } from '../../json.ts'
import { type Part, partOf } from '../../profile/parts.ts'
import type { Profile } from '../../profile/profile.ts'
import type { ResultOf } from '../../result.ts'
import { givenFields, refuse } from '../flags/fields.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import type { View } from '../output/view.ts'
import type { readCurlResult } from '../result.ts'
import { DeskAccess } from './desk.ts'
import type { Question } from './journal.ts'

/** The read as `--json` prints it. */
export type ReadCurl = ResultOf<typeof readCurlResult>

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

/** Reads as curl commands: the request that a read would send first, shown in the place of its answer. */
export const curlFlags = {
  curl: Flags.boolean({ description: 'print the read as a curl command without secrets; sends nothing' }),
}

interface ReadFlags extends SharedFlags {
  readonly curl?: boolean | undefined
}

interface Asked {
  readonly operation: ReadOperation
  readonly request: Members
}

/** The answer of a read; with --curl the command in its place. */
export async function answerOr<Answer>(
  access: DeskAccess,
  flags: ReadFlags,
  part: Part,
  read: (desk: Desk) => Promise<Answer>,
): Promise<Answer | ReadCurl> {
  const desk = await access.open(flags, part)
  if (!flags.curl) return read(desk)
  const asked: Asked[] = []
  const instead = (operation: ReadOperation, request: Members) => {
    asked.push({ operation, request })
    throw new Error('the request is shown, not sent')
  }
  try {
    const answer = await read({ ...desk, instead })
    if (asked.length === 0) return answer
  } catch (error) {
    // A read in which a payment is at stake tells an error in its own words.
    if (asked.length === 0) throw error
  }
  const [first] = asked
  if (!first) throw new Error('nothing was sent')
  return readCurlOf(first.operation, first.request, desk.profile)
}

/** The schemas of what a read comes to: its answer, or with --curl the command in its place. */
export async function answerOrCurl(...answers: readonly z.ZodType[]): Promise<readonly z.ZodType[]> {
  const { readCurlResult } = await import('../result.ts')
  return [...answers, readCurlResult]
}

/** Draws the answer of a read, or the curl command in its place. */
export function viewOrCurl<Result extends object>(result: Result | ReadCurl, view: (result: Result) => View): View {
  return isReadCurl(result) ? [{ kind: 'text', text: result.curl }] : view(result)
}

function isReadCurl(result: object): result is ReadCurl {
  return 'dryRun' in result && 'curl' in result
}

/** A read from the command line on: its request, checked before any socket is open, then the answer. */
export class ReadAccess {
  readonly desk: DeskAccess
  readonly #invocation: Invocation

  constructor(invocation: Invocation, question?: Question) {
    this.#invocation = invocation
    this.desk = new DeskAccess(invocation, question)
  }

  /** The fields that the flags gave. Throws a Failure: usage (2), naming every violation by its flag. */
  request<Op extends ReadOperation>(operation: Op, flags: SharedFlags): RequestOf<Op> {
    const given = tidy(operation, givenFields(operation, { ...flags }))
    // No profile is asked: what an integrator may read is the service's to say.
    const circumstances = { permits: new Set(permissionNames), orderType: null, now: this.#invocation.edge.clock.now() }
    const checked = validate(operation, given, circumstances)
    if (!checked.ok) throw refuse(operation, checked.violations)
    return checked.request
  }

  /**
   * The service's answer. Throws a Failure: usage (2), unknown (9) where the answer speaks of something else, and those of a
   * call.
   */
  async run<Op extends ReadOperation>(operation: Op, flags: SharedFlags): Promise<AnswerOf<Op>> {
    const request = this.request(operation, flags)
    return call(await this.desk.open(flags, partOf(operation)), operation, request)
  }
}
