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

const isVersion = (segment: string) => /^v\d{1,3}$/.test(segment)

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')

const unversioned = (path: string) =>
  segmentsOf(path)
    .filter((segment) => !isVersion(segment))
    .join('/')

const paths = [...new Set(servedOperations.map(({ path }) => path))]

/** The longest path with which this one ends: what stands before it is a prefix. */
function endIn(path: string): string | null {
  const found = paths.filter((each) => path.endsWith(each)).toSorted((one, other) => other.length - one.length)
  return found[0] ?? null
}

function aboutPrefix(before: string, rest: string, prefix: string): string {
  const given = `/${withoutEnds(before, '/')}`
  if (prefix === '')
    return `${rest} stands without a prefix here: \`sandbox start --base-path ${given}\` puts it below ${given}`
  const wrong =
    given === `${prefix}${prefix}`
      ? `the prefix ${prefix} stands there twice`
      : `the prefix of this sandbox is ${prefix}, not ${given}`
  return `${wrong}: ${prefix}${rest} is meant`
}

/** `prefix` is that of the server, with one slash before it; empty for none. Null where nothing like it exists. */
export function suggestPath(path: string, prefix: string): string | null {
  const tidy = `/${segmentsOf(path).join('/')}`
  const own = prefix !== '' && tidy.startsWith(`${prefix}/`) ? tidy.slice(prefix.length) : tidy
  const meant = (is: (known: string) => boolean, why: string) => {
    const known = paths.find(is)
    return known === undefined ? null : `${why}: ${known} is meant`
  }
  const end = endIn(tidy)
  return (
    meant((each) => each === own, `the path has a slash too many ${path.endsWith('/') ? 'at its end' : 'in it'}`) ??
    (end && aboutPrefix(tidy.slice(0, -end.length), end, prefix)) ??
    meant((each) => each.endsWith(own) && segmentsOf(own).length > 1, 'the beginning of the path is missing') ??
    meant((each) => unversioned(each) === unversioned(own), 'the path is of another version') ??
    meant((each) => each.toLowerCase() === own.toLowerCase(), 'capitals count in a path')
  )
}
