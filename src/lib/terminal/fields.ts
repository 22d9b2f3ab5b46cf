/** The fields of an operation as flags: one kebab-case flag each, its help from the contract. */
import { Flags } from '@oclif/core'
import { type Field, fieldsOf } from '../contract/field.ts'
import type { Operation, Violation } from '../contract/operation.ts'
import { Failure } from '../failure.ts'

/** "toIban" → "to-iban". */
export function flagName(field: string): string {
  return field.replace(/[A-Z]|_/g, (letter) => (letter === '_' ? '-' : `-${letter.toLowerCase()}`))
}

function description(field: Field): string {
  const options = field.options ? ` (${field.options.join(', ')})` : ''
  return `${field.required && !field.made ? '[required] ' : ''}${field.help}${options}`
}

// The values are not checked here: the contract does it, and names all violations in one answer.
function flagOf(field: Field) {
  return Flags.string({
    description: description(field),
    helpGroup: 'REQUEST',
    ...(field.example ? { helpValue: field.example.includes(' ') ? `"${field.example}"` : field.example } : {}),
  })
}

export function fieldFlags(operation: Operation): Record<string, ReturnType<typeof flagOf>> {
  return Object.fromEntries(fieldsOf(operation.request).map((field) => [flagName(field.name), flagOf(field)]))
}

/** The fields that flags gave, by the names of the contract. */
export function givenFields(operation: Operation, flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = fieldsOf(operation.request).map(({ name }) => [name, flags[flagName(name)]] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** All violations in one failure, each naming its flag (2). */
export function refuse(operation: Operation, violations: readonly Violation[]): Failure {
  const known = new Set(fieldsOf(operation.request).map(({ name }) => name))
  const lines = violations.map(
    ({ field, message }) => `${known.has(field) ? `--${flagName(field)}` : `"${field}"`} ${message}`,
  )
  return new Failure('usage', lines.join(lines.length > 1 ? ';\n' : ''), {
    operation: operation.name,
    hints: ['Nothing was sent. `--help` shows every field and its rule.'],
  })
}
