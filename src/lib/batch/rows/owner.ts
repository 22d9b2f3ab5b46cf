/** The client of a service whose rows they are. */
import type { ServicePlace } from '../../contract/service.ts'
import type { Desk } from '../../desk/desk.ts'
import { scopeOf } from '../../desk/draft.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Plan } from '../plan/plan.ts'

/** The journal, and the client whose rows they are: enough to tell what has become of them. */
export interface RowOwner extends Pick<Desk, 'journal'> {
  readonly profile: ServicePlace & { readonly name: string }
}

/** The rows of a plan belong to the client and the service that it was made for, whatever its profile has become since. */
export function ownerOf(plan: Plan, journal: Journal): RowOwner {
  return { journal, profile: { ...scopeOf(plan), name: plan.profile } }
}
