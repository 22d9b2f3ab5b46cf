/** The contract of a payout as a row of a file gives it: all of it but the id. */
import type { z } from 'zod'
import { type Field, fieldsOf } from '../../../contract/core/field.ts'
import { createPayout } from '../../../contract/payout/payout.ts'

export const rowPayout = { ...createPayout, request: createPayout.request.omit({ uniqueId: true }) }

/** The fields that a row may have. */
export const rowFields: readonly Field[] = fieldsOf(rowPayout.request)

const known = new Map(
  rowFields.flatMap((field) => {
    const flag = field.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return [field.name, flag, `--${flag}`].map((each) => [each.toLowerCase(), field] as const)
  }),
)

/** The field that a header names: by its name (`toIban`) or its flag (`to-iban`, `--to-iban`); null for none. */
export function fieldOfHeader(header: string): Field | null {
  return known.get(header.trim().toLowerCase()) ?? null
}

const rules: Readonly<Record<string, z.ZodType>> = rowPayout.request.shape

/** A value in the form that the rules look at, and what is wrong with it. */
export function checkedValue({ name, tidy }: Field, typed: string) {
  const value = tidy?.(typed) ?? typed
  return { value, why: rules[name]?.safeParse(value).error?.issues[0]?.message ?? null }
}
