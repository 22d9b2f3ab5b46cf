/** A write before a person at the terminal: what is found out for them, and what they may mend. Loaded for a person only. */
import type { Field } from '../../contract/core/field.ts'
import { tidy, validate } from '../../contract/core/validate.ts'
import type { RequestOf, WriteOperation } from '../../contract/operation.ts'
import type { Profile } from '../../profile/profile.ts'
import { refuse } from '../flags/fields.ts'
import type { Asker } from '../prompts/ask.ts'
import { mendable, mended } from '../prompts/mend.ts'
import type { AtTerminal } from './consent.ts'
import type { RequestFields, RequestMaker, Wanted } from './request.ts'

/** `look`: the lines that a person is told besides. */
export function atTerminal<Op extends WriteOperation>(
  maker: RequestMaker,
  operation: Op,
  { profile, knows = {} }: Pick<Wanted, 'profile' | 'knows'>,
  look: (request: RequestFields) => Promise<readonly string[]>,
): AtTerminal<RequestOf<Op>> {
  const fields = mendable(operation, knows)
  if (fields.length === 0) return { look, mend: null }
  return { look, mend: (asker, request) => mendedRequest(maker, operation, { fields, request }, profile, asker) }
}

/** A checked request with one of its fields as a person mends it, checked again as a whole. */
async function mendedRequest<Op extends WriteOperation>(
  { invocation }: RequestMaker,
  operation: Op,
  whole: { readonly fields: readonly Field[]; readonly request: RequestFields },
  { permits, orderType }: Profile,
  asker: Asker,
): Promise<RequestOf<Op>> {
  const check = (members: RequestFields) =>
    validate(operation, tidy(operation, members), { permits, orderType, now: invocation.edge.clock.now() })
  const members = await mended(asker, operation, whole, (each) => {
    const checked = check(each)
    return checked.ok ? [] : checked.violations
  })
  const checked = check(members)
  if (!checked.ok) throw refuse(operation, checked.violations)
  return checked.request
}
