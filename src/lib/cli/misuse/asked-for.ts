/** A line that lacks a required word: at a terminal a person is asked for it. What asks is loaded where something is missing. */
import type { Invocation } from '../invocation.ts'
import { isOfParser, type TypedRun, termsOfRun } from './in-our-terms.ts'

/** The parsed line. Throws the complaint of oclif's parser about all else. `heard`: is told the words so far after each answer. */
export async function parsedAsking<Line>(
  parse: (argv: string[]) => Promise<Line>,
  invocation: Invocation,
  run: TypedRun,
  heard: (words: string[]) => void,
): Promise<Line> {
  let words = [...run.argv]
  for (;;) {
    try {
      return await parse(words)
    } catch (error) {
      if (!invocation.canAsk || !isOfParser(error)) throw error
      const { withAnswers } = await import('../prompts/missing/missing.ts')
      const answered = await withAnswers(error, invocation, termsOfRun({ ...run, argv: words }), heard)
      if (answered === null) throw error
      words = answered
    }
  }
}
