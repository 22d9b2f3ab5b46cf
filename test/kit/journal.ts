/** The journal of a home, as `journal list` prints it. */
import { z } from 'zod'
import { paydesk, type Surroundings } from './program/paydesk.ts'

const entries = z.array(z.looseObject({ journalId: z.string(), uniqueId: z.string(), state: z.string() }))

export async function journalOf(around: Surroundings, ...flags: readonly string[]): Promise<z.infer<typeof entries>> {
  const ended = await paydesk(['journal', 'list', '--json', ...flags], around)
  if (ended.code !== 0) throw new Error(`the journal was not listed: ${ended.stderr}`)
  return entries.parse(ended.json)
}

/** Holds the journal of a home against its hash chain; throws what is found. */
export async function mustVerify(around: Surroundings, ...flags: readonly string[]): Promise<void> {
  const ended = await paydesk(['journal', 'verify', '--json', ...flags], around)
  if (ended.code !== 0) throw new Error(`the journal is not what was written: ${ended.stdout}${ended.stderr}`)
}
