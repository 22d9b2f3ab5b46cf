/** What breaks a rule of docs/internals/money-safety.md on purpose, and who must notice. */

export interface Change {
  /** The symbol in which it stands, whatever the file: `outcomeOf`, `Journal.begin`. */
  readonly in: string
  /** Code that stands there once (scripts/mutants/pattern.mts). */
  readonly find: string
  /** What stands there instead; `$all` is what was found. */
  readonly put: string
  /** What `put` uses and the file may not import yet: an export of the program, or `name from package`. */
  readonly imports?: readonly string[]
}

export interface Mutant {
  /** What the broken program does. */
  readonly name: string
  /** The rule that it breaks. */
  readonly rule: string
  readonly changes: readonly Change[]
  /** Each must notice by itself (scripts/mutants/killers.mts). */
  readonly killers: readonly string[]
}
