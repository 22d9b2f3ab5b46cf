/** A read from the command line on: its request, checked before any socket is open, then the answer. */
import { tidy, validate } from '../../contract/core/validate.ts'
import type { AnswerOf, ReadOperation, RequestOf } from '../../contract/operation.ts'
import { permissionNames } from '../../contract/permission.ts'
import { call, mustSpeakOf } from '../../desk/read.ts'
import { partOf } from '../../profile/settings/part.ts'
import { givenFields, refuse } from '../flags/fields.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { DeskAccess } from './desk.ts'
import type { Question } from './question.ts'

export class ReadAccess {
  readonly desk: DeskAccess
  readonly #invocation: Invocation

  constructor(invocation: Invocation, question?: Question) {
    this.#invocation = invocation
    this.desk = new DeskAccess(invocation, question)
  }

  /** The fields that the flags gave. Throws a Failure: usage (2), naming every violation by its flag. */
  request<Op extends ReadOperation>(operation: Op, flags: SharedFlags): RequestOf<Op> {
    const given = tidy(operation, givenFields(operation, { ...flags }))
    // No profile is asked: what an integrator may read is the service's to say.
    const circumstances = { permits: new Set(permissionNames), orderType: null, now: this.#invocation.edge.clock.now() }
    const checked = validate(operation, given, circumstances)
    if (!checked.ok) throw refuse(operation, checked.violations)
    return checked.request
  }

  /**
   * The service's answer. Throws a Failure: usage (2), unknown (9) where the answer speaks of something else, and those of a
   * call.
   */
  async run<Op extends ReadOperation>(operation: Op, flags: SharedFlags): Promise<AnswerOf<Op>> {
    const request = this.request(operation, flags)
    const answer = await call(await this.desk.open(flags, partOf(operation)), operation, request)
    mustSpeakOf(operation, request, answer)
    return answer
  }
}
