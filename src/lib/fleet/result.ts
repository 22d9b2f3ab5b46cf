/** Workers, as `--json` prints them. */
import { z } from 'zod'
import { utcMoment } from '../result.ts'

const count = (what: string) => z.int().min(0).describe(`Rows ${what}, since it was started.`)

/** One line of `worker list`. */
export const workerListResult = z.array(
  z.object({
    worker: z.string().describe('Its machine, process and start.'),
    profile: z.string(),
    startedAt: utcMoment,
    seenAt: utcMoment.describe('By the clock of the database.'),
    chunks: z.array(z.string()).describe('In work: a plan, and the place of its rows in it.'),
    accepted: count('that the service has taken'),
    failed: count('that it has not, or of which nobody knows'),
  }),
)

/** The end of `worker start`. */
export const workerEndedResult = z.object({
  worker: z.string(),
  profile: z.string(),
  startedAt: utcMoment,
  accepted: count('that the service has taken'),
  failed: count('that it has not, or of which nobody knows'),
})
