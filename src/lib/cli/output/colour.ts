/** Colours for one stream. */
import { Chalk, type ChalkInstance } from 'chalk'
import { type ColourChoice, type Looked, wantsColour } from './wants-colour.ts'

/** A chalk of its own for one stream: stdout may be a pipe while stderr is a terminal. */
export function paint(
  choice: ColourChoice,
  env: Readonly<Record<string, string | undefined>>,
  stream: Looked,
): ChalkInstance {
  return new Chalk({ level: wantsColour(choice, env, stream) ? 1 : 0 })
}
