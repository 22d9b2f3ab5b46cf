/**
 * Access tokens (service.md#sign-in). The store keeps their hashes only: a copy of the database is enough for no sign-in.
 * Time is the sandbox's clock.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readToken } from '../../client/bearer.ts'
import { tokenLifetime } from '../../contract/assumed.ts'
import type { Random } from '../../edge.ts'
import type { HttpRequest } from '../../http/message.ts'
import type { ClientRow, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { clientOfToken, saveToken } from '../../store/sandbox/world.ts'

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** True if two secrets are the same, found in a time that does not tell where they differ. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

export async function issueToken(db: SandboxWriter, clientId: string, now: number, random: Random): Promise<string> {
  const token = random.secret(32)
  await saveToken(
    db,
    { hash: digest(token).toString('base64url'), client_id: clientId, expires: now + tokenLifetime * 1000 },
    now,
  )
  return token
}

/** The client whose token a request carries; null without a good one. */
export async function callerOf(db: SandboxReader, http: HttpRequest, now: number): Promise<ClientRow | null> {
  const token = readToken(http)
  return token === null ? null : await clientOfToken(db, digest(token).toString('base64url'), now)
}
