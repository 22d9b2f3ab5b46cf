/** Area A, and the sign-in that all areas share: answered in the clear, in the shape that was asked for. */
import type { Operation } from '../../contract/operation.ts'
import type { Handler, Route } from '../handler.ts'
import { writeOutcome } from '../shape.ts'

export function bearerRoute(operation: Operation, handler: Handler): Route {
  return [
    operation,
    async (http, around) => {
      const outcome = await handler(http, around)
      around.record({ outcome })
      return writeOutcome(operation, outcome, around.shape)
    },
  ]
}
