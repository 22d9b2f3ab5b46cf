/** A write before a person at the terminal: what is found out for them, and what they may edit. Loaded for a person only. */
import { tidy, validate } from '../../contract/core/validate.ts'
import type { RequestOf, WriteOperation } from '../../contract/operation.ts'
import { violationInWords } from '../../contract/violation.ts'
import { Failure } from '../../failure.ts'
import { editable, edited } from '../prompts/edit.ts'
import type { AtTerminal, Before } from './consent.ts'
import type { RequestFields, RequestMaker, Wanted } from './request.ts'

/** `look`: the lines that a person is told besides; `check` as of `Before`. */
export function atTerminal<Op extends WriteOperation>(
  { invocation }: RequestMaker,
  operation: Op,
  { profile, knows = {} }: Pick<Wanted, 'profile' | 'knows'>,
  look: (request: RequestFields) => Promise<readonly string[]>,
  check: NonNullable<Before['check']>,
): AtTerminal<RequestOf<Op>> {
  const fields = editable(operation, knows)
  if (fields.length === 0) return { look, edit: null }
  const { permits, orderType } = profile
  const checked = (members: RequestFields) =>
    validate(operation, tidy(operation, members), { permits, orderType, now: invocation.edge.clock.now() })
  const complaints = async (members: RequestFields) => {
    const found = checked(members)
    return found.ok ? await complaintOf(() => check(found.request, null)) : found.violations.map(violationInWords)
  }
  return {
    look,
    edit: async (asker, request) => {
      const found = checked(await edited(asker, operation, { fields, request }, complaints))
      return found.ok ? found.request : request
    },
  }
}

async function complaintOf(work: () => Promise<void>): Promise<readonly string[]> {
  try {
    await work()
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [error.message]
  }
}
