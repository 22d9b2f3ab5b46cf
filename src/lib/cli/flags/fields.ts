/** The fields of an operation as flags: one kebab-case flag each, its help from the contract. */
import { Flags, type Interfaces } from '@oclif/core'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import { isMembers } from '../../contract/core/members.ts'
import { type Operation, type Violation, violation, wrongWithin } from '../../contract/operation.ts'
import { Failure } from '../../failure.ts'
import { nothingWasSent } from '../../failure-before-sending.ts'
import { hint } from '../../hint.ts'
import { flagsOfNested, type GivenMembers, type NestedFlag, nestedFlagsOf, textFlag } from './nested-flags.ts'

/** "toIban" → "to-iban". */
export function flagName(field: string): string {
  return field.replace(/[A-Z]|_/g, (letter) => (letter === '_' ? '-' : `-${letter.toLowerCase()}`))
}

/** The flag that a complaint about a field names. */
function flagFor(field: Field): string {
  if (field.members) return nestedFlagsOf(field).flag
  return field.secret ? `${flagName(field.name)}-file` : flagName(field.name)
}

function description(field: Field): string {
  const words = field.options ?? (field.suggestions ? [...field.suggestions, '…'] : null)
  const required = field.required && !field.made && !field.filled
  return `${required ? '[required] ' : ''}${field.help}${words ? ` (${words.join(', ')})` : ''}`
}

function switchFlag(field: Field) {
  // A file may switch it on: then the flag must be able to switch it off.
  return Flags.boolean({ description: description({ ...field, options: null }), helpGroup: 'REQUEST', allowNo: true })
}

type FieldFlag = NestedFlag | ReturnType<typeof switchFlag>

// The values are not checked here: the contract does it, and names all violations in one answer.
function flagsOf(field: Field): Record<string, FieldFlag> {
  // A secret on the command line stands in the list of processes and in the shell's history.
  if (field.secret) return {}
  if (field.members) return flagsOfNested(field)
  const name = flagName(field.name)
  if (field.json === 'boolean') return { [name]: switchFlag(field) }
  const { example } = field
  return { [name]: textFlag(description(field), example?.includes(' ') ? `"${example}"` : example) }
}

/** `without` are fields that the command knows in another way, such as the id that is its argument. */
export function fieldFlags(operation: Operation, without: readonly string[] = []): Interfaces.FlagInput {
  const fields = fieldsOf(operation.request).filter(({ name }) => !without.includes(name))
  return Object.assign({}, ...fields.map(flagsOf))
}

function givenTo(field: Field, flags: GivenMembers): unknown {
  if (field.secret) return undefined
  if (field.members) return nestedFlagsOf(field).read(flags)
  const value = flags[flagName(field.name)]
  return typeof value === 'boolean' ? String(value) : value
}

/** The fields that flags gave, by the names of the contract. */
export function givenFields(operation: Operation, flags: GivenMembers): Record<string, unknown> {
  const given = fieldsOf(operation.request).map((field) => [field.name, givenTo(field, flags)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** The fields of a file with those of flags over them; of an object or a map member by member. */
export function overFile(operation: Operation, file: GivenMembers, given: GivenMembers): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...file, ...given }
  for (const { name, json } of fieldsOf(operation.request)) {
    const [under, over] = [file[name], given[name]]
    if ((json === 'object' || json === 'map') && isMembers(under) && isMembers(over)) {
      merged[name] = { ...under, ...over }
    }
  }
  return merged
}

/** The mistakes of the flags themselves, before the contract looks at their values. */
export function misusedFlags(operation: Operation, flags: GivenMembers): readonly Violation[] {
  return fieldsOf(operation.request)
    .filter(({ members, secret }) => members && !secret)
    .flatMap((field) =>
      (nestedFlagsOf(field).repeated?.(flags) ?? []).map((key) =>
        violation([field.name, key], 'is given more than once', operation.breachCode),
      ),
    )
}

/** Fields that are given otherwise than `source` has them. What it has may be of more people than this error. */
export function contradictions(
  operation: Operation,
  given: GivenMembers,
  known: GivenMembers,
  source: string,
): readonly Violation[] {
  const isOther = ({ name, secret }: Field) =>
    !secret && typeof given[name] === 'string' && typeof known[name] === 'string' && given[name] !== known[name]
  return fieldsOf(operation.request)
    .filter(isOther)
    .map(({ name }) =>
      violation(name, `says ${given[name]}, and ${source} has another one: leave it out`, operation.breachCode),
    )
}

/** A request as argv: what the flags of its operation read back. Secrets stay out of it. */
export function argvOf(operation: Operation, request: GivenMembers): readonly string[] {
  return fieldsOf(operation.request).flatMap((field) => {
    const value = request[field.name]
    if (value === undefined || field.secret) return []
    if (field.members) return nestedFlagsOf(field).write(value)
    if (field.json === 'boolean') return [`--${value === 'true' ? '' : 'no-'}${flagName(field.name)}`]
    return [`--${flagName(field.name)}`, String(value)]
  })
}

/** A violation by the flag that people typed. */
function complaint(field: Field | undefined, broken: Violation): string {
  if (!field) return `"${broken.field}" ${wrongWithin(broken)}`
  const [member = '', ...within] = broken.within
  const own = field.members ? nestedFlagsOf(field).ofMembers?.[member] : undefined
  return own === undefined
    ? `--${flagFor(field)} ${wrongWithin(broken)}`
    : `--${own} ${wrongWithin({ ...broken, within })}`
}

/** All violations in one failure, each naming its flag (2). */
export function refuse(operation: Operation, violations: readonly Violation[]): Failure {
  const fields = new Map(fieldsOf(operation.request).map((field) => [field.name, field]))
  const lines = violations.map((each) => complaint(fields.get(each.field), each))
  const wrong = [...fields.values()].filter(
    ({ name, members }) => members && violations.some(({ field }) => field === name),
  )
  return new Failure('usage', lines.join(lines.length > 1 ? ';\n' : ''), {
    operation: operation.name,
    hints: [
      hint`${nothingWasSent} \`--help\` shows every field and its rule.`,
      ...wrong.map((field) => hint`--${nestedFlagsOf(field).flag} takes ${nestedFlagsOf(field).form}.`),
    ],
  })
}
