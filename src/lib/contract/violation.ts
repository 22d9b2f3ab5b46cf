/** A breach of a rule, and its place in the request. */
export interface Wrong {
  readonly field: string
  /** The way inside the field: members by their names, entries counted from 0. */
  readonly within: readonly (string | number)[]
  /** The breach in words that do not name the place: "must be today or later". */
  readonly message: string
}

/** A breach of the contract, with the code that the service has for it. */
export interface Violation extends Wrong {
  readonly code: number
}

/** A breach by a field, or by a part inside one. */
export function violation(
  at: string | readonly [field: string, ...within: (string | number)[]],
  message: string,
  code: number,
): Violation {
  const [field, ...within] = typeof at === 'string' ? [at] : at
  return { field, within, message, code }
}

/** The breach in words that name the place inside the field: "entry 1: amount must be greater than 0". */
export function wrongWithin({ within, message }: Wrong): string {
  const place = within.map((step) => (typeof step === 'number' ? `entry ${step + 1}: ` : `${step} `)).join('')
  return `${place}${message}`
}

/** The same, with the field named first. */
export function violationInWords(broken: Wrong): string {
  return `${broken.field} ${wrongWithin(broken)}`.trim()
}
