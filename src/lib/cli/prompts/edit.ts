/** Fields of a request that a person changes, when they have seen the whole and found something wrong. */
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { visible } from '../../visible.ts'
import { type Asker, askField, ruleOf, withWayBack } from './ask.ts'

/**
 * Fields that a person may change: those with one value, but for the id, what the program fills in, and what the command `knows`:
 * an argument has named it, and all that was looked up belongs to it.
 */
export function editable({ request, idField }: WriteOperation, knows: Members): readonly Field[] {
  const isPlain = ({ json = 'text' }: Field) => json === 'text' || json === 'number' || json === 'boolean'
  const isFixed = ({ name, filled, secret }: Field) =>
    name === idField || filled || secret || Object.hasOwn(knows, name)
  return fieldsOf(request).filter((field) => isPlain(field) && !isFixed(field))
}

/**
 * The request with another value for one of its fields, or without it; all others stay. Asked again until `complaints` has none; as it
 * was where the person goes back.
 */
export function edited(
  asker: Asker,
  operation: WriteOperation,
  { fields, request }: { readonly fields: readonly Field[]; readonly request: Members },
  complaints: (members: Members) => readonly string[] | Promise<readonly string[]>,
): Promise<Members> {
  const dialog = async (within: Asker) => {
    let members: Members = request
    for (let said: readonly string[] = []; ; ) {
      const choices = fields.map(({ name, help }) => ({
        value: name,
        name: `${name}: ${members[name] ?? '(none)'}`,
        description: help,
      }))
      const question = `${said.map((each) => `${visible(each)}\n`).join('')}What is to be edited?`
      const chosen = await within.choice(question, choices)
      const field = fields.find(({ name }) => name === chosen)
      if (!field) continue
      const { [field.name]: before, ...others } = members
      const usual = before === undefined ? undefined : String(before)
      const typed = await askField(within, field, ruleOf(operation.request, field), { usual })
      members = typed === undefined ? others : { ...others, [field.name]: typed }
      said = await complaints(members)
      if (said.length === 0) return members
    }
  }
  return withWayBack(asker, dialog, () => request)
}
