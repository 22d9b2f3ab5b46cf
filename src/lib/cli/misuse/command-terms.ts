/** A command as far as its line is read: the words of it, its flags and its arguments, as they are declared to oclif. */
import type { DeclaredFlags } from '../flags/declared.ts'

interface DeclaredArg {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly options?: readonly string[] | undefined
}

export interface CommandTerms {
  /** Such as `payout create`. */
  readonly words: string
  /** Everything that was typed behind them. */
  readonly argv: readonly string[]
  readonly flags: DeclaredFlags
  readonly args: Readonly<Record<string, DeclaredArg>>
}

/** The value of a flag as help writes it; null where it needs no saying. */
export function helpValueOf({ flags }: CommandTerms, flag: string): string | null {
  const value = flags[flag.replace(/^--/, '')]?.helpValue
  return value === undefined ? null : [value].flat().join(' ')
}
