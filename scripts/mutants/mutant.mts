/** Mutants: changes that break a rule of docs/internals/money-safety.md on purpose, and the tests that must notice. */

export interface Change {
  /** The symbol in which it stands, whatever the file: `outcomeOf`, `Journal.begin`. */
  readonly in: string
  /** Code that stands there once (scripts/mutants/pattern.mts). */
  readonly find: string
  /** The code in its place; `$all` is the code that was found. */
  readonly put: string
  /** Names that `put` uses and the file may not import yet: an export of the program, or `name from package`. */
  readonly imports?: readonly string[]
}

export interface Mutant {
  /** The effect on the program. */
  readonly name: string
  /** The rule that it breaks. */
  readonly rule: string
  readonly changes: readonly Change[]
  /** Each must notice by itself (scripts/mutants/killers.mts). */
  readonly killers: readonly string[]
}
