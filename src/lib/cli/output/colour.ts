/**
 * One colour policy: --color, NO_COLOR, CLICOLOR_FORCE, TERM=dumb, and whether a terminal shows it. chalk ignores NO_COLOR.
 * Apart from what else a terminal shows, because `--help` needs it and little more.
 */
import { Chalk, type ChalkInstance } from 'chalk'

export type ColourChoice = 'auto' | 'always' | 'never'

interface Looked {
  readonly isTTY?: boolean
}

export function wantsColour(
  choice: ColourChoice,
  env: Readonly<Record<string, string | undefined>>,
  stream: Looked,
): boolean {
  if (choice !== 'auto') return choice === 'always'
  if (env.NO_COLOR) return false
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true
  return Boolean(stream.isTTY) && env.TERM !== 'dumb'
}

/** A chalk of its own for one stream: stdout may be a pipe while stderr is a terminal. */
export function paint(
  choice: ColourChoice,
  env: Readonly<Record<string, string | undefined>>,
  stream: Looked,
): ChalkInstance {
  return new Chalk({ level: wantsColour(choice, env, stream) ? 1 : 0 })
}
