/** Which operation a request means, and which route answers it. */
import type { Operation } from '../contract/operation.ts'
import { firstVersions, operations } from '../contract/operations.ts'
import { writeError } from '../wire/answer.ts'
import type { HttpAnswer } from '../wire/message.ts'
import type { Answerer, Route } from './handler.ts'
import { writeGeneralFailure } from './shape.ts'

/** Operations in all their versions, each with a path of its own. */
export const servedOperations: readonly Operation[] = [...operations, ...firstVersions]

/** What a request gets whose path does not exist (404), or not with this method (405). Not a coded error: no code is known. */
export function nowhere(method: string, path: string): HttpAnswer {
  const methods = servedOperations.filter((operation) => operation.path === path).map((operation) => operation.method)
  if (methods.length === 0) return writeError(404, { message: 'There is no such path' })
  const answer = writeError(405, { message: `The path does not take ${method}` })
  return { ...answer, headers: { ...answer.headers, allow: methods.join(', ') } }
}

/** The service: one request in, one answer out. */
export function answerBy(routes: readonly Route[]): Answerer {
  const answers = new Map(routes)
  return async (http, around) => {
    const operation = servedOperations.find(({ method, path }) => method === http.method && path === http.path)
    if (!operation) return nowhere(http.method, http.path)
    const answer = answers.get(operation)
    return answer ? await answer(http, around) : writeGeneralFailure(around.shape, operation.area)
  }
}
