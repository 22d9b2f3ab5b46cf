/** Many processes of the built program on one journal at once. */
import { setPriority } from 'node:os'
import { expect, test } from 'vitest'
import { figures } from '../figures.ts'
import { journalOf, mustVerify } from '../kit/journal.ts'
import { create } from '../kit/payment.ts'
import { builtPaydesk, type ProcessEnd, start } from '../kit/program/built-paydesk.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { many } from '../kit/run/whole.ts'
import { ledgerOf } from '../kit/world.ts'

/** Behind the other tests, which would otherwise wait for their turn among fifty. */
function inTheCrowd(argv: readonly string[], home: string): Promise<ProcessEnd> {
  const { child, end } = start(argv, home)
  if (child.pid !== undefined) setPriority(child.pid, 10)
  return end
}

/** Where fifty want two cores, an answer takes its time: one that is given up is asked for once more, and told as `exists`. */
const patience = ['--timeout', '600s', '--answer-timeout', '300s']

interface Receipt {
  readonly transactionId: string
  readonly uniqueId: string
  readonly journalHead: string
}

const crowd = many(...figures.processes)

test(`${crowd} processes creating payouts at once: ${crowd} intents, ${crowd} ledger entries, no lock error`, {
  timeout: 400_000,
}, async () => {
  const home = newHome()
  const runs = Array.from({ length: crowd }, (_, index) =>
    inTheCrowd([...create({ amount: `${index + 1}.00` }), ...patience, '--json'], home),
  )
  const ended = await Promise.all(runs)
  for (const { code, stderr } of ended) expect(code, stderr).toBe(0)
  expect(ended.map(({ stderr }) => stderr).join('')).toBe('')
  const [journal, ledger] = [await journalOf({ home }, '--limit', '1000'), await ledgerOf(home)]
  expect(journal).toHaveLength(crowd)
  expect(journal.filter(({ state }) => state !== 'accepted')).toEqual([])
  expect(ledger).toHaveLength(crowd)
  expect(ledger.filter(({ executions }) => executions !== 1)).toEqual([])
  const ids = (entries: readonly { readonly uniqueId: string }[]) => entries.map(({ uniqueId }) => uniqueId).toSorted()
  expect(ids(ledger)).toEqual(ids(journal))
  const receipts = ended.map(({ stdout }) => JSON.parse(stdout) as Receipt)
  expect(ids(receipts)).toEqual(ids(journal))
  expect(new Set(receipts.map(({ transactionId }) => transactionId)).size).toBe(crowd)
  for (const { journalHead } of receipts) await mustVerify({ home }, '--head', journalHead)
})

test(`${crowd} processes with the same --key at once: one ledger entry, and each ends with 0 or 12`, {
  timeout: 400_000,
}, async () => {
  const home = newHome()
  const runs = Array.from({ length: crowd }, () =>
    inTheCrowd([...create({ key: 'payroll-2026-11:emp-17' }), '--json'], home),
  )
  const ended = await Promise.all(runs)
  for (const { code, stderr } of ended) expect([0, 12], stderr).toContain(code)
  expect(ended.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
  expect(await journalOf({ home }, '--limit', '1000')).toMatchObject([{ state: 'accepted' }])
  const again = await builtPaydesk([...create({ key: 'payroll-2026-11:emp-17' }), '--json'], home)
  expect(again.code, again.stderr).toBe(0)
  expect(JSON.parse(again.stdout)).toMatchObject({ replayed: true })
})
