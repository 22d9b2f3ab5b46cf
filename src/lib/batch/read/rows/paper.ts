/** The columns that paydesk wrote into a paper, read back: they say which payment a row was, whatever its cells say by now. */
import { isUuid, normalId } from '../../../contract/core/text.ts'

/** Columns that begin so are paydesk's own, of an earlier result: they hold no field, and say which payment a row was. */
export const ownColumnPrefix = 'paydesk:'

export interface PaperMark {
  /** The state of the row in its paper; '' where it has none, such as in a row that was added. */
  readonly state: string
  /** The id that its plan gave it; null where there is none that can be read. */
  readonly uniqueId: string | null
}

/** `cell` gives what stands under a header; undefined where there is no such column. Undefined for a row of no paper. */
export function paperMarkOf(cell: (header: string) => string | undefined): PaperMark | undefined {
  const [state, id] = [cell(`${ownColumnPrefix}state`), cell(`${ownColumnPrefix}uniqueId`)]
  if (state === undefined && id === undefined) return undefined
  const typed = (id ?? '').trim()
  return { state: (state ?? '').trim(), uniqueId: isUuid(typed) ? normalId(typed) : null }
}

/** The words by which a paper calls a payment without a key, so that its column of keys has no gap: they are no key. */
export function rowName(planId: string, row: number): string {
  return `${planId}/${row}`
}

/** True for a key that only is the name of its row in a paper. */
export function isRowName(key: string): boolean {
  return /^b-[0-9a-f]{12}\/[0-9]{1,9}$/.test(key)
}
