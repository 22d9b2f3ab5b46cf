/** The contract that the rows of a file keep: a payout without its id, or a payee alone. */
import type { z } from 'zod'
import { type Field, fieldsOf } from '../../../contract/core/field.ts'
import type { Operation } from '../../../contract/operation.ts'
import { payeeAlone } from '../../../contract/payout/payee.ts'
import { createPayout } from '../../../contract/payout/payout.ts'

export interface RowContract {
  /** "a payout". */
  readonly noun: string
  readonly operation: Operation
  /** The fields that a row may have. */
  readonly fields: readonly Field[]
  /** The field that a header names: by its name (`toIban`) or its flag (`to-iban`, `--to-iban`); null for none. */
  readonly fieldOf: (header: string) => Field | null
}

function rowContract(noun: string, operation: Operation): RowContract {
  const fields = fieldsOf(operation.request)
  const known = new Map(
    fields.flatMap((field) => {
      const flag = field.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      return [field.name, flag, `--${flag}`].map((each) => [each.toLowerCase(), field] as const)
    }),
  )
  return { noun, operation, fields, fieldOf: (header) => known.get(header.trim().toLowerCase()) ?? null }
}

export const payoutRows = rowContract('a payout', {
  ...createPayout,
  request: createPayout.request.omit({ uniqueId: true }),
})
export const payeeRows = rowContract('a payee', payeeAlone)

export const rowFields = payoutRows.fields
export const fieldOfHeader = payoutRows.fieldOf

/** A value in the form that the rules look at, and what is wrong with it. */
export function checkedValue({ operation }: RowContract, { name, tidy }: Field, typed: string) {
  const rules: Readonly<Record<string, z.ZodType>> = operation.request.shape
  const value = tidy?.(typed) ?? typed
  return { value, why: rules[name]?.safeParse(value).error?.issues[0]?.message ?? null }
}
