import { expect, test } from 'vitest'
import { Lease } from '../../../src/lib/batch/lease.ts'
import { makePlan, surveyFile, verifyPlan } from '../../../src/lib/batch/make-plan.ts'
import { planStore } from '../../../src/lib/batch/plans.ts'
import type { BatchFile } from '../../../src/lib/batch/read/row.ts'
import type { ThisProcess } from '../../../src/lib/journal/lease.ts'
import { type PlanTables, planRow, planSchema } from '../../../src/lib/store/plans.ts'
import { beneficiaryIban } from '../../kit/payment.ts'
import { scripted } from '../../kit/scripted.ts'
import { memoryStore } from '../../kit/store.ts'

function file(): BatchFile {
  const request = { amount: '12.50', currency: 'GEL', description: 'Salary', toIban: beneficiaryIban } as const
  async function* rows() {
    for (const number of [2, 3]) {
      yield { kind: 'row', number, request, key: `e-${number}`, source: [], payment: null } as const
    }
  }
  return {
    ...{ name: 'payroll', format: 'csv', encoding: 'UTF-8', delimiter: 'comma', headers: [], rows: rows() },
    summary: () => ({ rows: 2, refused: 0, totals: new Map([['GEL', 2500n]]), message: null }),
  }
}

const leaseHolder = (self: string): ThisProcess => ({ self, standing: () => 'alive' })

test('a plan that another process has made meanwhile, and runs, is left as it is', async () => {
  const { desk, journal } = await scripted('payouts')
  const shared = await memoryStore<PlanTables>(planSchema)
  // Both have it open, and neither closes it under the other.
  const open = async (planId: string) => planStore(shared, planId, { clock: desk.clock, close: async () => undefined })
  const options = {
    ...{ name: 'payroll', isNamed: true, fileHash: 'a', again: null, allowDuplicates: false, file: 'payroll.csv' },
    plans: { open, list: async () => [] },
  }
  const make = async (self: string, read: () => Promise<BatchFile>) =>
    makePlan(desk, leaseHolder(self), { ...options, read }, await surveyFile(file()))
  // The second one sees that there is none, and then the first one is through.
  const second = await make('second', async () => {
    const first = await make('first', async () => file())
    expect(first.standing).toBe('new')
    await new Lease(first.store, leaseHolder('first')).take()
    return file()
  })
  expect(second.standing).toBe('known')
  expect(await second.store.ask(planRow)).toMatchObject({ complete: 1, holder: 'first' })
  await verifyPlan(journal, second.store, second.plan)
})
