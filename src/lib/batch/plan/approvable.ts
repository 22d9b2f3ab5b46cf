/** A plan as others approve it. */

import type { ApprovablePlan } from '../../approvals/subject.ts'
import { plannedOperation } from '../../contract/operation.ts'
import type { Plan } from './plan.ts'

const known = new WeakMap<Plan, ApprovablePlan>()
const alike = new Map<string, ApprovablePlan>()

/** One object for each plan, however often it was read: rows that bear the same are opened together, those of two chunks of a worker too. */
export function approvable(plan: Plan): ApprovablePlan {
  const made = known.get(plan) ?? oneOf(plan)
  known.set(plan, made)
  return made
}

function oneOf({ planId, hash, profile, file, rows, totals, ...place }: Plan): ApprovablePlan {
  const { service, serviceId, environment, clientId } = place
  const client = { service, serviceId, environment, clientId }
  const made = { planId, hash, profile, file, rows, totals, ...client, operation: plannedOperation }
  const name = JSON.stringify(made)
  const one = alike.get(name) ?? made
  alike.set(name, one)
  return one
}
