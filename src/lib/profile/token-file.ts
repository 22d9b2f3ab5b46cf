/**
 * Access tokens kept between commands: a file each, mode 0600, in a directory for its owner only, named by a hash of what
 * the token is for. A cache and nothing more: what cannot be read, or does not fit the clock, counts as none, and what
 * cannot be written is not kept. No message holds a token.
 */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import type { Clock } from '../edge.ts'
import { makePrivateDirectory } from '../paths.ts'

const stored = z.looseObject({
  // Printable ASCII: anything else is damage and would break the header it goes into.
  token: z.string().regex(/^[\x21-\x7e]+$/),
  obtainedAt: z.number(),
  goodUntil: z.number(),
})

/** Times are milliseconds since 1970. */
export function tokenFiles(directory: string, clock: Pick<Clock, 'now'>) {
  const fileOf = (key: string) => join(directory, `${createHash('sha256').update(key).digest('hex')}.json`)
  const forget = async (key: string) => {
    try {
      rmSync(fileOf(key), { force: true })
    } catch {
      // A file that cannot be removed could not have been written either, and its token ends by itself.
    }
  }
  return {
    forget,
    async read(key: string) {
      try {
        const { token, obtainedAt, goodUntil } = stored.parse(JSON.parse(readFileSync(fileOf(key), 'utf8')))
        const now = clock.now()
        // A token from the future: the clock was set back, and its end means nothing.
        return obtainedAt > now || goodUntil <= now ? null : { token, goodUntil }
      } catch {
        return null
      }
    },
    async write(key: string, token: string, obtainedAt: number, goodUntil: number) {
      try {
        makePrivateDirectory(directory)
        await writeFileAtomic(fileOf(key), JSON.stringify({ token, obtainedAt, goodUntil }), { mode: 0o600 })
      } catch {
        await forget(key)
      }
    },
  }
}
