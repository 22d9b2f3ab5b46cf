/** A write that changes an existing order. */
import type { RequestOf, WriteOperation } from '../../contract/operation.ts'
import type { Desk } from '../desk.ts'
import type { SubmitOptions } from '../line/terms.ts'
import { askedAgain } from '../recover/asked-again.ts'
import { type Submitted, submit } from '../submit.ts'

/** As `submit`, and as `askedAgain` where it was done before. */
export async function submitChange<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  options: SubmitOptions = {},
): Promise<Submitted> {
  return askedAgain(desk, await submit(desk, operation, request, options))
}
