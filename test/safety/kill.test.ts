/** The built program is killed (kill -9) in the middle of a payout: never executed twice, never forgotten. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create, journalOf, mustVerify } from '../kit/payment.ts'
import { start } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { until } from '../kit/tools.ts'
import { addFault, inSandbox, ledgerOf, standingSandbox } from '../kit/world.ts'

// Processes of the built program, on a machine that may be busy with others.
vi.setConfig({ testTimeout: 120_000 })

const run = (argv: readonly string[], home: string) => paydesk(argv, { home, clock: hurriedClock(), random: impatient })

/** The fault of the home has struck: the request that it was for has arrived. */
const faultStruck = (home: string) =>
  until('the fault struck', () => inSandbox(home, async ({ faults }) => (await faults.list()).length === 0))

test.each([
  ['before', 0, 'accepted'],
  ['after', 1, 'exists'],
] as const)(
  'payout create, killed in flight, %s the service executed it: unknown, and resume ends it, executed once',
  async (at, ledger, outcome) => {
    const home = newHome()
    await standingSandbox(home)
    await addFault(home, { at, kind: 'hang' })
    const { child, end } = start([...create(), '--json'], home)
    await until('the intent is in the journal', async () => (await journalOf({ home })).length === 1)
    await faultStruck(home)
    if (ledger > 0) await until('the service executed it', async () => (await ledgerOf(home)).length === 1)
    child.kill('SIGKILL')
    expect(await end).toMatchObject({ signal: 'SIGKILL', stdout: '', stderr: '' })
    expect(await ledgerOf(home)).toHaveLength(ledger)
    const [intent] = await journalOf({ home })
    expect(intent).toMatchObject({ state: 'unknown' })
    const resumed = await run(['resume', '-p', 'sandbox', '--json'], home)
    expect(resumed.code, resumed.stderr).toBe(0)
    const [first] = JSON.parse(resumed.stdout)
    expect(first).toMatchObject({ outcome, journalId: intent?.journalId, uniqueId: intent?.uniqueId })
    expect(await ledgerOf(home)).toMatchObject([{ executions: 1, uniqueId: intent?.uniqueId }])
    await mustVerify({ home }, '--head', String(first.journalHead))
  },
)

test('payout create, killed at four moments: the journal knows what the service executed, and resume ends it', async () => {
  const home = newHome()
  await standingSandbox(home)
  const began = performance.now()
  await start(create({ amount: '1' }), home).end
  const usual = performance.now() - began
  for (const [step, part] of [0.5, 0.65, 0.8, 0.95].entries()) {
    const { child, end } = start(create({ amount: `${step + 2}` }), home)
    await wait(usual * part)
    child.kill('SIGKILL')
    await end
  }
  const resumed = await run(['resume', '-p', 'sandbox', '--json'], home)
  expect(resumed.code, resumed.stderr).toBe(0)
  const [executed, intents] = [await ledgerOf(home), await journalOf({ home })]
  expect(executed.map(({ uniqueId }) => uniqueId).toSorted()).toEqual(
    intents.map(({ uniqueId }) => uniqueId).toSorted(),
  )
  expect(executed.every(({ executions }) => executions === 1)).toBe(true)
  expect(intents.every(({ state }) => state === 'accepted' || state === 'exists')).toBe(true)
  await mustVerify({ home })
})
