/** A wrong command line: what oclif's parser says of it, in our words. */
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'

/** A complaint of oclif's parser in one sentence. Values are cut off: a secret may have been typed there. */
export function misused(error: Error): Failure {
  const lines = error.message
    // "Parsing --nth" stands above a complaint, whether or not that names the flag itself.
    .replaceAll(/^Parsing (--\S+) *\n\s*(\1 )?/gm, (_, flag, named) => named ?? `${flag}: `)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !/^(The following errors? occurred|See more help)/.test(line))
    .map((line) => line.replace(/(-[\w-]+)(?:=\S*)?/g, '$1'))
    .map((line) =>
      line.replace(/^command (\S+) not found/, (_, id: string) => `there is no command "${id.replaceAll(':', ' ')}"`),
    )
  return new Failure('usage', lines.join('; '), { hints: [hint`\`--help\` shows what the command takes.`] })
}
