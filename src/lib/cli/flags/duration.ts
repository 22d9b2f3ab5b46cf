/** Times as flags take them: `500ms`, `30s`, `2m`, or a bare number of seconds. */
import { Errors, Flags } from '@oclif/core'

const factors: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of a time; null where the text is none. */
export function readDuration(text: string): number | null {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
  if (!parts) return null
  const milliseconds = Math.round(Number(parts[1]) * (factors[parts[2] ?? 's'] ?? 1000))
  return milliseconds <= 2 ** 31 - 1 ? milliseconds : null
}

/** A flag that takes a time and gives milliseconds. */
export const durationFlag = Flags.custom<number>({
  parse: async (text, _context, { name }) => {
    const milliseconds = readDuration(text)
    // oclif writes into what is thrown here: the base of the commands cleans it as every complaint of the parser.
    if (milliseconds === null) {
      throw new Errors.CLIError(`--${name} takes a time like 500ms, 30s or 2m, not "${text}"`)
    }
    return milliseconds
  },
})
