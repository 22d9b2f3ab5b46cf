/** One handler per operation of the contract, and which operation a request means. */
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { createPayout, payoutBalance, payoutDetails } from '../contract/payout.ts'
import { signIn } from '../contract/sign-in.ts'
import { writeError } from '../wire/bearer.ts'
import type { HttpAnswer, HttpRequest } from '../wire/message.ts'
import type { Handler, Surroundings } from './handler.ts'
import { answerCreate } from './payout-create.ts'
import { answerBalance, answerDetails } from './payout-read.ts'
import { refused, writeOutcome } from './shape.ts'
import { answerSignIn } from './sign-in.ts'

/** Keyed by the operation's name. */
export const handlers: Readonly<Record<string, Handler>> = {
  [signIn.name]: answerSignIn,
  [createPayout.name]: answerCreate,
  [payoutDetails.name]: answerDetails,
  [payoutBalance.name]: answerBalance,
}

/** What a request gets whose path nobody has (404), or not with this method (405). Not a coded error: no code is known. */
export function nowhere(method: string, path: string): HttpAnswer {
  const methods = operations.filter((operation) => operation.path === path).map((operation) => operation.method)
  if (methods.length === 0) return writeError(404, { message: 'There is no such path' })
  const answer = writeError(405, { message: `The path does not take ${method}` })
  return { ...answer, headers: { ...answer.headers, allow: methods.join(', ') } }
}

async function answerOf(operation: Operation, http: HttpRequest, around: Surroundings): Promise<HttpAnswer> {
  const handler = handlers[operation.name]
  const outcome = handler ? await handler(http, around) : refused(5040, 'Not offered by the sandbox', 501)
  return writeOutcome(operation, outcome, around.shape)
}

/** The service: one request in, one answer out. */
export async function answerAny(http: HttpRequest, around: Surroundings): Promise<HttpAnswer> {
  const operation = operations.find(({ method, path }) => method === http.method && path === http.path)
  return operation ? await answerOf(operation, http, around) : nowhere(http.method, http.path)
}
