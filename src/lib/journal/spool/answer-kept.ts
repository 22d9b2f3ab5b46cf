/** An answer of the service that could not be stored, and the file that it is kept in. */
import type { Failure } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'

export class AnswerKept extends FailureBeforeSending {
  readonly path: string

  constructor(failure: Failure, path: string) {
    super(failure.kind, failure instanceof FailureBeforeSending ? failure.why : failure.message, failure.facts)
    this.path = path
  }
}
