/** The rows of a plan for its papers: no service is asked, and no profile is needed. */
import type { ReportParts } from '../../batch/reports/rows.ts'
import type { Invocation } from '../invocation.ts'
import type { BatchAccess } from './plans.ts'

/** Throws usage (2), not-found (6). */
export async function paperParts({ output }: Invocation, batch: BatchAccess, planId: string): Promise<ReportParts> {
  const { store, plan } = await batch.plan(planId)
  const { desk, holding } = await batch.view(plan)
  return { desk, holding, store, plan, plans: await batch.plans(), clean: (text) => output.redactor.clean(text) }
}
