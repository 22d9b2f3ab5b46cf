/**
 * One colour policy: --color, NO_COLOR, CLICOLOR_FORCE, TERM=dumb, and whether a terminal shows it. chalk ignores NO_COLOR.
 * A file of its own, because `--help` needs it and no chalk.
 */

export type ColourChoice = 'auto' | 'always' | 'never'

export interface Looked {
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
