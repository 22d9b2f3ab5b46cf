/** One field of a request asked for anew, when a person has seen the whole and found something wrong. */
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { type Violation, violationInWords } from '../../contract/violation.ts'
import { type Asker, askField, ruleOf } from './ask.ts'

/** Fields that a person may change: those with one value, but for the id and what the program fills in. */
function mendable({ request, idField }: WriteOperation): readonly Field[] {
  const isPlain = ({ json = 'text' }: Field) => json === 'text' || json === 'number' || json === 'boolean'
  return fieldsOf(request).filter((field) => isPlain(field) && field.name !== idField && !field.filled && !field.secret)
}

/** True if a person has anything to change about a request. */
export function isMendable(operation: WriteOperation): boolean {
  return mendable(operation).length > 0
}

/** The request with another value for one field, or without it; all others stay. Asked again until `complaints` has none. */
export async function mended(
  asker: Asker,
  operation: WriteOperation,
  request: Members,
  complaints: (members: Members) => readonly Violation[],
): Promise<Members> {
  const fields = mendable(operation)
  let members: Members = request
  for (let said = ''; ; ) {
    const choices = fields.map(({ name, help }) => ({
      value: name,
      description: `${members[name] ?? 'none'} (${help})`,
    }))
    const chosen = await asker.choice(`${said}What is to be mended?`, choices)
    const field = fields.find(({ name }) => name === chosen)
    if (!field) continue
    const { [field.name]: _before, ...others } = members
    const typed = await askField(asker, field, ruleOf(operation.request, field))
    members = typed === undefined ? others : { ...others, [field.name]: typed }
    const found = complaints(members)
    if (found.length === 0) return members
    said = `${found.map(violationInWords).join('\n')}\n`
  }
}
