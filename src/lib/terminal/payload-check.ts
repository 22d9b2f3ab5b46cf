/** A payload as JSON text, looked at by the rules of the operation it is meant for, before it is sealed or after it was opened. */
import { JsonNumber } from '../contract/decimal.ts'
import { fieldsOf } from '../contract/field.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { validate } from '../contract/validate.ts'
import { Failure } from '../failure.ts'
import { isRecord, membersAsText, readJson } from '../json.ts'

/** Throws Failure('usage') that lists what exists. */
export function operationNamed(name: string): Operation {
  const operation = operations.find((each) => each.name === name)
  if (operation) return operation
  throw new Failure(
    'usage',
    `--as: there is no operation "${name}"; there is ${operations.map((each) => each.name).join(', ')}`,
  )
}

/** JSON's own types: inside paydesk all is text, but the service tells 12.50 from "12.50". */
function wrongTypes(operation: Operation, payload: Readonly<Record<string, unknown>>): string[] {
  return fieldsOf(operation.request).flatMap(({ name, json }) => {
    const value = payload[name]
    if (json === 'number' && typeof value === 'string') return [`${name} must stand as a number, without quotes`]
    if ((json ?? 'text') === 'text' && value instanceof JsonNumber) return [`${name} must stand as text, in quotes`]
    return []
  })
}

/** Everything that the payload breaks, each in words that begin with its field; empty where it is fine. */
export function breaches(operation: Operation, text: string): readonly string[] {
  const payload = readJson(text)
  if (!isRecord(payload)) return ['the payload must be a JSON object']
  const checked = validate(operation, membersAsText(payload), new Set(['debtor', 'fromIban']))
  const broken = checked.ok ? [] : checked.violations.map(({ field, message }) => `${field} ${message}`)
  return [...wrongTypes(operation, payload), ...broken]
}

/** Throws Failure('usage') where the text is no JSON, in words that do not quote it. */
export function requireJson(text: string): void {
  try {
    readJson(text)
  } catch {
    throw new Failure('usage', 'the payload is no JSON, and the service takes nothing else')
  }
}

/** Throws Failure('usage') with everything that the payload breaks. */
export function requireFine(operation: Operation, text: string): void {
  const broken = breaches(operation, text)
  if (broken.length === 0) return
  throw new Failure('usage', broken.join(';\n'), { operation: operation.name, hints: ['Nothing was sealed.'] })
}
