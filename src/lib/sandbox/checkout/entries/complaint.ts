/** A complaint about a field of a form, to be told in the payer's language. */
import type { Say, TextKey } from '../pages/texts/texts.ts'

export interface EntryComplaint {
  /** The id of the field, which is its name too. */
  readonly field: string
  readonly text: TextKey
  readonly values?: Readonly<Record<string, string>>
}

export function complaintAbout(field: string, complaints: readonly EntryComplaint[], say: Say): string | null {
  const complaint = complaints.find((each) => each.field === field)
  return complaint ? say(complaint.text, complaint.values) : null
}
