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

const kept = z.looseObject({
  // Printable ASCII: anything else is damage and would break the header it goes into.
  token: z.string().regex(/^[\x21-\x7e]+$/),
  obtainedAt: z.number(),
  goodUntil: z.number(),
})

function parse(text: string) {
  try {
    return kept.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The cache may lie where nothing can be written; that is no reason for a payment to fail. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // A file that cannot be removed could not have been written either, and its token ends by itself.
  }
}

/** Times are milliseconds since 1970. */
export function tokenFiles(directory: string, clock: Pick<Clock, 'now'>) {
  const fileOf = (key: string) => join(directory, `${createHash('sha256').update(key).digest('hex')}.json`)
  return {
    async read(key: string) {
      const found = parse(textOf(fileOf(key)))
      const now = clock.now()
      // A token from the future: the clock was set back, and its end means nothing.
      if (!found || found.obtainedAt > now || found.goodUntil <= now) return null
      return { token: found.token, goodUntil: found.goodUntil }
    },
    async write(key: string, token: string, obtainedAt: number, goodUntil: number) {
      try {
        makePrivateDirectory(directory)
        await writeFileAtomic(fileOf(key), JSON.stringify({ token, obtainedAt, goodUntil }), { mode: 0o600 })
      } catch {
        remove(fileOf(key))
      }
    },
    async forget(key: string) {
      remove(fileOf(key))
    },
  }
}
