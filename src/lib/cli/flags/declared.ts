/** The flags of a command as they are declared to oclif, as far as its line is read by them. */
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

export type DeclaredFlags = Readonly<Record<string, DeclaredFlag>>

/** The flags of a command, as the words of its line are told apart by them. */
export function readableFlags(flags: DeclaredFlags): readonly ReadableFlag[] {
  return Object.entries(flags).map(([name, flag]) => ({
    name,
    letter: flag.char ?? null,
    takesValue: flag.type === 'option',
    negatable: flag.allowNo === true,
    greedy: flag.multiple === true && flag.multipleNonGreedy !== true,
  }))
}
