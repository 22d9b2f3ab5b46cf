/** The operation that a request means, and the route that answers it. */

import { readToken } from '../client/bearer.ts'
import type { Operation } from '../contract/operation.ts'
import { firstVersions, operations } from '../contract/operations.ts'
import type { HttpAnswer } from '../http/message.ts'
import type { Answerer, Route } from './handler.ts'
import { type Shape, writeGeneralFailure, writeTurnedAway, writeUnauthorised } from './shape.ts'

/** Operations in all their versions, each with a path of its own. */
export const servedOperations: readonly Operation[] = [...operations, ...firstVersions]

/** Paths of area A, and what lies beside them. */
const ofPayouts = /\/(?:auth|distributor)(?:\/|$)/

/**
 * The answer to a request whose path does not exist (404), or not with this method (405). Recorded of area A: without a token
 * it is not told which paths exist (service.md#seen-since).
 */
export function nowhere(method: string, path: string, shape: Shape, hasToken: boolean): HttpAnswer {
  const methods = servedOperations.filter((operation) => operation.path === path).map((operation) => operation.method)
  const area = ofPayouts.test(path) ? 'A' : 'B'
  if (methods.length === 0 && area === 'A' && shape === 'recorded' && !hasToken) return writeUnauthorised(shape, area)
  if (methods.length === 0) return writeTurnedAway(404, 'There is no such path', area)
  const answer = writeTurnedAway(405, `The path does not take ${method}`, area)
  return { ...answer, headers: { ...answer.headers, allow: methods.join(', ') } }
}

/** The service: one request in, one answer out. */
export function answerBy(routes: readonly Route[]): Answerer {
  const answers = new Map(routes)
  return async (http, around) => {
    const operation = servedOperations.find(({ method, path }) => method === http.method && path === http.path)
    if (!operation) return nowhere(http.method, http.path, around.shape, readToken(http) !== null)
    const answer = answers.get(operation)
    return answer ? await answer(http, around) : writeGeneralFailure(around.shape, operation.area)
  }
}
