/** A write before a person at the terminal: what is found out for them, and what they may edit. Loaded for a person only. */

import { type RequestOf, violationInWords, type WriteOperation } from '../../contract/operation.ts'
import { tidy, validate } from '../../contract/validate.ts'
import { Failure } from '../../failure.ts'
import type { Asker } from '../prompts/ask.ts'
import { editable, edited } from '../prompts/edit.ts'
import type { RequestFields, RequestMaker, Wanted } from './request.ts'

export interface AtTerminal<Request> {
  /** Lines that are found out for a person only. */
  readonly look: (request: Request) => Promise<readonly string[]>
  /** The request as the person edits it; null where there is nothing to edit. */
  readonly edit: ((asker: Asker, request: Request) => Promise<Request>) | null
}

/** `look`: the lines that a person is told besides; `check` throws a Failure for a request that can only fail. */
export function atTerminal<Op extends WriteOperation>(
  { invocation }: RequestMaker,
  operation: Op,
  { profile, knows = {} }: Pick<Wanted, 'profile' | 'knows'>,
  look: (request: RequestFields) => Promise<readonly string[]>,
  check: (request: RequestFields) => Promise<void>,
): AtTerminal<RequestOf<Op>> {
  const fields = editable(operation, knows)
  if (fields.length === 0) return { look, edit: null }
  const { permits, orderType } = profile
  const checked = (members: RequestFields) =>
    validate(operation, tidy(operation, members), { permits, orderType, now: invocation.edge.clock.now() })
  const complaints = async (members: RequestFields) => {
    const found = checked(members)
    return found.ok ? await complaintOf(() => check(found.request)) : found.violations.map(violationInWords)
  }
  return {
    look,
    edit: async (asker, request) => {
      const found = checked(await edited(asker, operation, { fields, request }, complaints))
      return found.ok ? found.request : request
    },
  }
}

export async function complaintOf(work: () => Promise<void>): Promise<readonly string[]> {
  try {
    await work()
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [error.message]
  }
}
