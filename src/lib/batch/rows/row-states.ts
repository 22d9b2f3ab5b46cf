/** The states of a row, as its commands name them: those of the journal, and those before and beside it. */
export const rowStates = [
  ...(['planned', 'held', 'sending', 'accepted', 'exists'] as const),
  ...(['refused', 'turned-away', 'unsent', 'unknown'] as const),
] as const

export type RowState = (typeof rowStates)[number]
