/** The built program killed for real. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { journalOf, mustVerify } from '../kit/journal.ts'
import { create } from '../kit/payment.ts'
import { builtPaydesk, start } from '../kit/program/built-paydesk.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { until } from '../kit/run/until.ts'
import { addFault, clearFaults, ledgerOf, standingSandbox } from '../kit/world.ts'

// Processes of the built program, perhaps beside fifty others on two cores.
vi.setConfig({ testTimeout: 90_000 })

describe('kill -9 between intent and outcome', () => {
  test.each([
    { at: 'before', ledger: 0, outcome: 'accepted' },
    { at: 'after', ledger: 1, outcome: 'exists' },
  ] as const)(
    '$at the service has seen it: resume resolves at once, executed exactly once',
    async ({ at, ledger, outcome }) => {
      const home = newHome()
      await standingSandbox(home)
      await addFault(home, { at, kind: 'hang' })
      const { child, end } = start([...create(), '--json'], home)
      await until('the intent is in the journal', async () => (await journalOf({ home })).length === 1)
      if (ledger > 0) await until('the service executed it', async () => (await ledgerOf(home)).length === 1)
      else await until('the fault struck', async () => (await journalOf({ home })).length === 1)
      await wait(100)
      child.kill('SIGKILL')
      expect(await end).toMatchObject({ signal: 'SIGKILL', stdout: '', stderr: '' })
      expect(await ledgerOf(home)).toHaveLength(ledger)
      const [intent] = await journalOf({ home })
      expect(intent).toMatchObject({ state: 'unknown' })
      await clearFaults(home)
      const resumed = await builtPaydesk(['resume', '-p', 'sandbox', '--json'], home)
      expect(resumed.code, resumed.stderr).toBe(0)
      expect(JSON.parse(resumed.stdout)).toMatchObject([
        { outcome, journalId: intent?.journalId, uniqueId: intent?.uniqueId },
      ])
      expect(await ledgerOf(home)).toMatchObject([{ executions: 1, uniqueId: intent?.uniqueId }])
      await mustVerify({ home }, '--head', String(JSON.parse(resumed.stdout)[0].journalHead))
    },
  )

  test('with the sandbox inside the killed process, too', async () => {
    const home = newHome()
    await addFault(home, { at: 'after', kind: 'hang' })
    const { child, end } = start([...create({ key: 'emp-17' }), '--json'], home)
    await until('the service executed it', async () => (await ledgerOf(home)).length === 1)
    child.kill('SIGKILL')
    await end
    const again = await builtPaydesk([...create({ key: 'emp-17' }), '--json'], home)
    expect(again.code, again.stderr).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'exists' })
    expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
  })

  test('at the sign-in: nothing was intended, nothing is open, nothing was executed', async () => {
    const home = newHome()
    const { requests } = await standingSandbox(home)
    await addFault(home, { op: 'auth.token', at: 'after', kind: 'hang' })
    const { child, end } = start(create(), home)
    await until('the journal exists', () => existsSync(join(home, 'journal', 'journal.db')))
    await wait(300)
    child.kill('SIGKILL')
    await end
    expect(await journalOf({ home })).toEqual([])
    expect(await builtPaydesk(['resume', '-p', 'sandbox', '--json'], home)).toMatchObject({ code: 0, stdout: '[]\n' })
    expect(await ledgerOf(home)).toEqual([])
    expect(requests).not.toContain('POST /api/distributor')
  })

  test('while it waits for the next repeat', async () => {
    const home = newHome()
    await standingSandbox(home)
    await addFault(home, { at: 'after', kind: 'reset', times: 9 })
    const { child, end } = start(create(), home)
    await until(
      'it says that it repeats',
      () =>
        new Promise((resolve) => {
          child.stderr?.once('data', () => resolve(true))
        }),
    )
    await until('the service executed it', async () => (await ledgerOf(home)).length === 1)
    await wait(200)
    child.kill('SIGKILL')
    await end
    await clearFaults(home)
    const [intent] = await journalOf({ home })
    const again = await builtPaydesk([...create({ 'unique-id': String(intent?.uniqueId) }), '--json'], home)
    expect(again.code, again.stderr).toBe(0)
    expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
  })

  test('at any moment: what the service executed, the journal knows, and resume resolves it', async () => {
    const home = newHome()
    await standingSandbox(home)
    await builtPaydesk(create({ amount: '1' }), home)
    const whole = Date.now()
    await builtPaydesk(create({ amount: '2' }), home)
    const usual = Date.now() - whole
    const moments = Array.from({ length: 10 }, (_, step) => usual * (0.4 + step * 0.06))
    for (const [step, moment] of moments.entries()) {
      const { child, end } = start(create({ amount: `${step + 3}` }), home)
      await wait(moment)
      child.kill('SIGKILL')
      await end
    }
    const resumed = await builtPaydesk(['resume', '-p', 'sandbox', '--json'], home)
    expect(resumed.code, resumed.stderr).toBe(0)
    const [executed, intents] = [await ledgerOf(home), await journalOf({ home })]
    expect(executed.map(({ uniqueId }) => uniqueId).toSorted()).toEqual(
      intents.map(({ uniqueId }) => uniqueId).toSorted(),
    )
    expect(executed.every(({ executions }) => executions === 1)).toBe(true)
    expect(intents.every(({ state }) => state === 'accepted' || state === 'exists')).toBe(true)
    await mustVerify({ home })
  })
})
