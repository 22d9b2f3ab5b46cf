/** A command as far as its line is read: the words of it, its flags and its arguments, as they are declared to oclif. */
import type { ReadableFlag } from './typed-line.ts'

interface DeclaredFlag {
  readonly type: 'boolean' | 'option'
  readonly char?: string | undefined
  readonly allowNo?: boolean | undefined
  readonly multiple?: boolean | undefined
  readonly multipleNonGreedy?: boolean | undefined
  readonly helpValue?: string | readonly string[] | undefined
  readonly options?: readonly string[] | undefined
}

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
  readonly flags: Readonly<Record<string, DeclaredFlag>>
  readonly args: Readonly<Record<string, DeclaredArg>>
}

/** The flags of a command, as the words of its line are told apart by them. */
export function readableFlags({ flags }: CommandTerms): readonly ReadableFlag[] {
  return Object.entries(flags).map(([name, flag]) => ({
    name,
    letter: flag.char ?? null,
    takesValue: flag.type === 'option',
    negatable: flag.allowNo === true,
    greedy: flag.multiple === true && flag.multipleNonGreedy !== true,
  }))
}

/** The value of a flag as help writes it; null where it needs no saying. */
export function helpValueOf({ flags }: CommandTerms, flag: string): string | null {
  const value = flags[flag.replace(/^--/, '')]?.helpValue
  return value === undefined ? null : [value].flat().join(' ')
}
