/** One field of a request asked for anew, when a person has seen the whole and found something wrong. */
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { type Violation, violationInWords } from '../../contract/violation.ts'
import { clean } from '../output/clean.ts'
import { type Asker, askField, ruleOf } from './ask.ts'

/**
 * Fields that a person may change: those with one value, but for the id, what the program fills in, and what the command `knows`:
 * an argument has named it, and all that was looked up belongs to it.
 */
export function mendable({ request, idField }: WriteOperation, knows: Members): readonly Field[] {
  const isPlain = ({ json = 'text' }: Field) => json === 'text' || json === 'number' || json === 'boolean'
  const isFixed = ({ name, filled, secret }: Field) =>
    name === idField || filled || secret || Object.hasOwn(knows, name)
  return fieldsOf(request).filter((field) => isPlain(field) && !isFixed(field))
}

/** The request with another value for one of the fields, or without it; all others stay. Asked again until `complaints` has none. */
export async function mended(
  asker: Asker,
  operation: WriteOperation,
  { fields, request }: { readonly fields: readonly Field[]; readonly request: Members },
  complaints: (members: Members) => readonly Violation[],
): Promise<Members> {
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
    said = `${found.map((each) => clean(violationInWords(each))).join('\n')}\n`
  }
}
