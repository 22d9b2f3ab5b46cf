/** A command line as it was typed: known before oclif's parser runs, and where that gives up. */
import { type ReadableFlag, type Token, tokensOf } from '../flags/typed-line.ts'
import { type Form, forms } from '../output/form.ts'
import type { OutputForm } from '../output/output.ts'

/** The rest of a line behind the words of its command, read once and as oclif reads it. Flags are named with their dashes. */
export class TypedLine {
  readonly #tokens: readonly Token[]

  constructor(argv: readonly string[], flags: readonly ReadableFlag[]) {
    this.#tokens = tokensOf(argv, flags)
  }

  has(flag: string): boolean {
    return this.#tokens.some((token) =>
      token.kind === 'flag' ? `--${token.flag.name}` === flag : token.kind === 'unknown' && token.typed === flag,
    )
  }

  /** Undefined where the flag was not typed, or nothing behind it. Of a flag that was typed twice, the first. */
  value(flag: string): string | undefined {
    return this.#valuesOf(flag)[0] ?? undefined
  }

  /** Every value of a flag, also of one that may be typed once only: the line may be about each of them. */
  values(flag: string): readonly string[] {
    return this.#valuesOf(flag).filter((value) => value !== null)
  }

  #valuesOf(flag: string): readonly (string | null)[] {
    return this.#tokens.flatMap((token) =>
      token.kind === 'flag' && `--${token.flag.name}` === flag ? [token.value] : [],
    )
  }

  /** The words that are neither a flag nor the value of one, also those that are too much. */
  get words(): readonly string[] {
    return this.#tokens.flatMap((token) => (token.kind === 'word' ? [token.text] : []))
  }
}

const switched = { letter: null, takesValue: false, negatable: false, greedy: false } as const

/** The flags that every command has, and those of one that say what it is about: known before the command is loaded. */
export const earlyFlags: readonly ReadableFlag[] = [
  { ...switched, name: 'quiet', letter: 'q' },
  { ...switched, name: 'raw', letter: 'r' },
  { ...switched, name: 'profile', letter: 'p', takesValue: true },
  ...['json', 'no-input', 'trace'].map((name) => ({ ...switched, name })),
  ...['output', 'fields', 'query', 'timeout', 'connect-timeout', 'answer-timeout', 'har', 'color', 'key'].map(
    (name) => ({
      ...{ ...switched, name, takesValue: true },
    }),
  ),
]

/** A whole command line, of which the command is not known yet. */
export const earlyLine = (argv: readonly string[]): TypedLine => new TypedLine(argv, earlyFlags)

/** The form of a result that was asked for: a failure takes it, too. */
export function typedForm(line: TypedLine): Form {
  const asked = line.has('--json') ? 'json' : line.value('--output')
  return forms.find((form) => form === asked) ?? 'table'
}

/** All that the command line says of how its result and its remarks are written. */
export function typedOutput(line: TypedLine): OutputForm {
  return {
    form: typedForm(line),
    fields: line.value('--fields')?.split(',').filter(Boolean) ?? null,
    query: line.value('--query') ?? null,
    isRaw: line.has('--raw'),
    colour: (line.value('--color') ?? 'auto') as 'auto',
    quiet: line.has('--quiet'),
    key: line.value('--key') ?? null,
  }
}
