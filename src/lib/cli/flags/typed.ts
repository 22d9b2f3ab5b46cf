/** Flags as they were typed: known even where the command line cannot be parsed. */
import { type Form, forms } from '../output/form.ts'
import type { OutputForm } from '../output/output.ts'

function flagsIn(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end < 0 ? argv : argv.slice(0, end)
}

export function isTyped(argv: readonly string[], flag: string): boolean {
  return flagsIn(argv).includes(flag)
}

/** The value of `--flag value` or `--flag=value`; undefined where the flag was not typed. */
export function typedValue(argv: readonly string[], flag: string): string | undefined {
  const flags = flagsIn(argv)
  const joined = flags.find((each) => each.startsWith(`${flag}=`))
  const at = flags.indexOf(flag)
  return joined?.slice(flag.length + 1) ?? (at < 0 ? undefined : flags[at + 1])
}

/** The flags of a command, as far as they say which words are values. */
type DeclaredFlags = Readonly<Record<string, { readonly type: string; readonly char?: string | undefined }>>

/** The first word that is neither one of these flags nor the value of one. */
export function typedArgument(argv: readonly string[], flags: DeclaredFlags): string | undefined {
  const taking = Object.entries(flags).filter(([, { type }]) => type === 'option')
  const names = new Set(taking.flatMap(([name, { char }]) => [`--${name}`, `-${char ?? ''}`]))
  const end = argv.indexOf('--')
  const isValue = (at: number) => at > 0 && names.has(argv[at - 1] ?? '')
  const isWord = (word: string, at: number) => (!word.startsWith('-') || word === '-') && !isValue(at)
  return argv.find((word, at) => (end >= 0 && at > end) || ((end < 0 || at < end) && isWord(word, at)))
}

/** The form of a result that was asked for: a failure takes it, too. */
export function typedForm(argv: readonly string[]): Form {
  const asked = isTyped(argv, '--json') ? 'json' : typedValue(argv, '--output')
  return forms.find((form) => form === asked) ?? 'table'
}

/** All that the command line says of how its result and its remarks are written. */
export function typedOutput(argv: readonly string[]): OutputForm {
  return {
    form: typedForm(argv),
    fields: typedValue(argv, '--fields')?.split(',').filter(Boolean) ?? null,
    query: typedValue(argv, '--query') ?? null,
    colour: (typedValue(argv, '--color') ?? 'auto') as 'auto',
    quiet: isTyped(argv, '--quiet') || isTyped(argv, '-q'),
    key: typedValue(argv, '--key') ?? null,
  }
}
