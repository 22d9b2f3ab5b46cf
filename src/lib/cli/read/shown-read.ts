/** Reads as curl commands: the request that a read would send first, shown in the place of its answer. */
import { Flags } from '@oclif/core'
import type { z } from 'zod'
import type { Members } from '../../contract/core/members.ts'
import type { ReadOperation } from '../../contract/operation.ts'
import type { Desk } from '../../desk/desk.ts'
import type { Part } from '../../profile/parts.ts'
import type { DeskAccess } from '../desk/desk.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { View } from '../views/view.ts'
import type { ReadCurl } from './read-curl.ts'

export const curlFlags = {
  curl: Flags.boolean({ description: 'print the request as a curl command without a secret; asks nothing' }),
}

export interface ReadFlags extends SharedFlags {
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
  if (!first) throw new Error('nothing was asked')
  const { readCurlOf } = await import('./read-curl.ts')
  return readCurlOf(first.operation, first.request, desk.profile)
}

/** The schemas of what a read comes to: its answer, or with --curl the command in its place. */
export async function answerOrCurl(...answers: readonly z.ZodType[]): Promise<readonly z.ZodType[]> {
  const { readCurlResult } = await import('../result.ts')
  return [...answers, readCurlResult]
}

/** Draws the answer of a read, or the curl command in its place. */
export function orCurl<Result extends object>(result: Result | ReadCurl, view: (result: Result) => View): View {
  return isReadCurl(result) ? [{ kind: 'text', text: result.curl }] : view(result)
}

function isReadCurl(result: object): result is ReadCurl {
  return 'dryRun' in result && 'curl' in result
}
