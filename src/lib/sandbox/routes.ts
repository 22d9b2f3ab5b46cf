/**
 * The operation that a request means, the route that answers it, and the path that one may have meant which does not
 * exist.
 */
import { readToken } from '../client/bearer.ts'
import type { Operation } from '../contract/operation.ts'
import { firstVersions, operations } from '../contract/operations.ts'
import type { HttpAnswer } from '../http/message.ts'
import { withoutEnds } from '../text.ts'
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
export function answerUnknownPath(method: string, path: string, shape: Shape, hasToken: boolean): HttpAnswer {
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
  return async (http, context) => {
    const operation = servedOperations.find(({ method, path }) => method === http.method && path === http.path)
    if (!operation) return answerUnknownPath(http.method, http.path, context.shape, readToken(http) !== null)
    const answer = answers.get(operation)
    return answer ? await answer(http, context) : writeGeneralFailure(context.shape, operation.area)
  }
}

const paths = [...new Set(servedOperations.map(({ path }) => path))]

/** A path without what clients get wrong in it: slashes, capitals, /api, versions. */
function plainPath(path: string): string {
  const segments = path.toLowerCase().split('/')
  return segments.filter((segment) => !/^(?:|api|v\d{1,3})$/.test(segment)).join('/')
}

/**
 * The path that was probably meant, in words for the log; null where nothing like it exists. `prefix` is that of the server,
 * with one slash before it; empty for none.
 */
export function suggestPath(path: string, prefix: string): string | null {
  const sought = `/${plainPath(path)}`
  const alike = paths.filter((each) => sought.endsWith(`/${plainPath(each)}`))
  const [known] = alike.toSorted((one, other) => other.length - one.length)
  if (known === undefined) return null
  const before = path.endsWith(known) ? `/${withoutEnds(path.slice(0, -known.length), '/')}` : '/'
  return prefix === '' && before !== '/'
    ? `${known} stands without a prefix here: \`sandbox start --base-path ${before}\` puts it below ${before}`
    : `${prefix}${known} is meant`
}
