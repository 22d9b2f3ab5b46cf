/** A write before a person at the terminal: what is found out for them, and what they may edit. Loaded for a person only. */
import { tidy, validate } from '../../contract/core/validate.ts'
import type { RequestOf, WriteOperation } from '../../contract/operation.ts'
import { violationInWords } from '../../contract/violation.ts'
import { foresee } from '../../desk/foreseen.ts'
import { Failure } from '../../failure.ts'
import { hintInWords } from '../../hint.ts'
import type { Profile } from '../../profile/profile.ts'
import { editable, edited } from '../prompts/edit.ts'
import type { AtTerminal } from './consent.ts'
import type { WriteFlags } from './flags.ts'
import type { RequestFields, RequestMaker, Wanted } from './request.ts'
import type { Before } from './write.ts'

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

/** Everything by which the journal would stop this write, or warn of it, in lines for the person who is asked. */
export async function obstaclesOf(
  { invocation, journal }: RequestMaker,
  operation: WriteOperation,
  request: RequestFields,
  { flags, profile }: { readonly flags: WriteFlags; readonly profile: Profile },
): Promise<readonly string[]> {
  const { key: businessKey = null, 'allow-duplicate': allowDuplicate = null } = flags
  const desk = { journal: await journal(), profile, random: invocation.edge.random }
  try {
    const remarks = await foresee(desk, operation, request, { businessKey, allowDuplicate })
    return remarks.map((each) => `CAUTION: ${each}`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const hints = (error.facts.hints ?? []).map((each) => `  ${hintInWords(each, invocation.naming)}`)
    return [`STOP: ${error.message}`, ...hints]
  }
}
