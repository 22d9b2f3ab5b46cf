/** A failure of a wrong line, with the line that was probably meant. All that it needs is loaded when a line is wrong. */
import { Failure } from '../../failure.ts'
import type { CommandTerms } from './command-terms.ts'

/** The command of a run: its class as it is declared to oclif, and what was typed. */
export interface TypedRun {
  readonly id?: string | undefined
  readonly argv: readonly string[]
  readonly ctor: Pick<CommandTerms, 'flags' | 'args'> & { readonly baseFlags: CommandTerms['flags'] }
}

export function termsOfRun({ id = '', argv, ctor }: TypedRun): CommandTerms {
  return { words: id.replaceAll(':', ' '), argv, flags: { ...ctor.baseFlags, ...ctor.flags }, args: ctor.args }
}

/** Every complaint of oclif's parser has this member; oclif itself is not loaded to ask for its class. */
export const isOfParser = (error: unknown): error is Error => error instanceof Error && 'oclif' in error

/** A complaint of oclif's parser as Failure('usage'); an unknown profile with the one that is near; all else as it is. */
export async function inOurTerms(error: unknown, run: TypedRun): Promise<unknown> {
  if (isOfParser(error)) {
    const { misused } = await import('./misused.ts')
    return misused(error, termsOfRun(run))
  }
  if (!(error instanceof Failure && 'profile' in error && 'others' in error)) return error
  const { otherProfile } = await import('./other-profile.ts')
  const advice = await otherProfile(String(error.profile), [error.others].flat().map(String), termsOfRun(run))
  return error.with({ hints: advice })
}
