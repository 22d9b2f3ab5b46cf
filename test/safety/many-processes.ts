/** Many processes of the built program on one journal at once. */
import { setPriority } from 'node:os'
import { expect, test } from 'vitest'
import { create, journalOf, mustVerify } from '../kit/payment.ts'
import { type ProcessEnd, start } from '../kit/process.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { ledgerOf } from '../kit/world.ts'

/** Behind the other tests, which would otherwise wait for their turn among all of them. */
function inTheCrowd(argv: readonly string[], home: string): Promise<ProcessEnd> {
  const { child, end } = start(argv, home)
  if (child.pid !== undefined) setPriority(child.pid, 10)
  return end
}

/** Where many want two cores, an answer takes its time: one that is given up is asked for once more, and told as `exists`. */
const unhurried = ['--timeout', '600s', '--answer-timeout', '300s']

/** Processes that share two cores. */
const patience = { timeout: 400_000 }

interface Receipt {
  readonly transactionId: string
  readonly uniqueId: string
  readonly journalHead: string
}

export function manyProcesses(crowd: number): void {
  test(
    `payout create, ${crowd} processes at once: each is accepted and executed once, no lock error`,
    patience,
    async () => {
      const home = newHome()
      const runs = Array.from({ length: crowd }, (_, index) =>
        inTheCrowd([...create({ amount: `${index + 1}.00` }), ...unhurried, '--json'], home),
      )
      const ended = await Promise.all(runs)
      for (const { code, stderr } of ended) expect(code, stderr).toBe(0)
      expect(ended.map(({ stderr }) => stderr).join('')).toBe('')
      const [journal, ledger] = [await journalOf({ home }, '--limit', '1000'), await ledgerOf(home)]
      expect(journal).toHaveLength(crowd)
      expect(journal.filter(({ state }) => state !== 'accepted')).toEqual([])
      expect(ledger).toHaveLength(crowd)
      expect(ledger.filter(({ executions }) => executions !== 1)).toEqual([])
      const ids = (entries: readonly { readonly uniqueId: string }[]) =>
        entries.map(({ uniqueId }) => uniqueId).toSorted()
      expect(ids(ledger)).toEqual(ids(journal))
      const receipts = ended.map(({ stdout }) => JSON.parse(stdout) as Receipt)
      expect(ids(receipts)).toEqual(ids(journal))
      expect(new Set(receipts.map(({ transactionId }) => transactionId)).size).toBe(crowd)
      for (const { journalHead } of receipts) await mustVerify({ home }, '--head', journalHead)
    },
  )

  test(
    `payout create --key, ${crowd} processes at once with one key: executed once, each ends with 0 or 12`,
    patience,
    async () => {
      const home = newHome()
      const argv = [...create({ key: 'payroll-2026-11:emp-17' }), '--json']
      const ended = await Promise.all(Array.from({ length: crowd }, () => inTheCrowd(argv, home)))
      for (const { code, stderr } of ended) expect([0, 12], stderr).toContain(code)
      expect(ended.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
      expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
      expect(await journalOf({ home }, '--limit', '1000')).toMatchObject([{ state: 'accepted' }])
      const again = await succeeds(paydesk(argv, { home }))
      expect(again.json).toMatchObject({ replayed: true })
    },
  )
}
