/**
 * A proxy that turns a request away, before the service or after it, and sometimes lets the service's answer through
 * all the same: then it proves nothing. 503 proves nothing, and its 401, 429 and redirects must not be told of a
 * request that the service executed.
 */

import { writeError } from '../../src/lib/client/answer.ts'
import { createPayout } from '../../src/lib/contract/payout/payout.ts'
import type { HttpAnswer, HttpRequest } from '../../src/lib/http/message.ts'
import { operationOf, uniqueIdOf, type World } from './world.ts'

const statuses = [503, 503, 401, 429, 307, 308] as const

function said(status: number, wait: boolean, body: string | null): HttpAnswer {
  const error = writeError(status, { message: 'Not now' })
  const answer = body === null ? error : { ...error, body }
  const headers: Record<string, string> = {
    ...(wait ? { 'retry-after': '1' } : {}),
    ...(status === 307 || status === 308 ? { location: 'https://elsewhere.example/' } : {}),
  }
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

export async function turnedAway(
  world: World,
  request: HttpRequest,
  deliver: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const { fate } = world
  const lets = fate.chance(0.3)
  // A sealed request could not be told apart later.
  const status = lets || operationOf(request)?.name === createPayout.name ? fate.pick(statuses) : 503
  const wait = fate.chance(0.5)
  if (fate.chance(0.6)) {
    const { status: really, body } = await deliver()
    if (lets && really === 200) {
      world.note(`a proxy says ${status}, and lets the answer through`)
      return said(status, wait, body)
    }
    const id = uniqueIdOf(request)
    if (really === 200 && id !== null && status !== 503) world.deceived.add(id)
  }
  world.note(`a proxy says ${status}`)
  return said(status, wait, null)
}
