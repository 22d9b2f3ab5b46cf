/** The built program is killed (kill -9) in the middle of a refund, a charge or a finalize: never executed twice, never forgotten. */
import { expect, test, vi } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { cachedPairs } from '../kit/key-pairs.ts'
import { journalOf, mustVerify } from '../kit/payment.ts'
import { start } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { until } from '../kit/tools.ts'
import { addFault, branch, clearFaults, inSandbox, paidOrder, standingSandbox, wholeLedger } from '../kit/world.ts'

// Processes of the built program, on a machine that may be busy with others.
vi.setConfig({ testTimeout: 120_000 })

const charged = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const flags = ['-p', 'sandbox', '--yes', '--json'] as const

interface Write {
  readonly name: string
  readonly op: string
  readonly argv: (id: string) => readonly string[]
  /** The state of the journal after a resume, once the service has executed it. */
  readonly resumed: 'exists' | 'unknown'
}

const writes: readonly Write[] = [
  {
    name: 'order refund of a part',
    op: 'order.refund',
    argv: (id) => ['order', 'refund', id, '--amount', '5', '--key', 'return-1', ...flags],
    resumed: 'unknown',
  },
  {
    name: 'order create with a saved card',
    op: 'order.create',
    argv: (id) => {
      const what = ['--amount', '7', '--receiver-id', branch, '--integrator-order-id', charged, '--card-from-order', id]
      return ['order', 'create', ...what, ...flags]
    },
    resumed: 'exists',
  },
  {
    name: 'wallet finalize',
    op: 'wallet.finalize',
    argv: (id) => ['wallet', 'finalize', '--unique-id', id, '--amount', '25', '--final-status', 'SUCCESS', ...flags],
    resumed: 'exists',
  },
]

async function objectFor({ op }: Write, home: string): Promise<string> {
  const around = { home, random: cachedPairs }
  if (op !== 'wallet.finalize') return paidOrder(around, '--save-card', '--direct-link-provider', 'BOG')
  const { qrAddresses } = await inSandbox(home, (sandbox) => sandbox.wholeWorld())
  const uri = qrAddresses.find(({ amount }) => amount?.text === '25.00')?.uri ?? ''
  return String((await paydesk(['wallet', 'create', '--uri', uri, ...flags], around)).json.uniqueId)
}

async function executionsOf({ op }: Write, home: string, id: string): Promise<number> {
  const { orders, walletOrders } = await wholeLedger(home)
  if (op === 'wallet.finalize') return walletOrders.find(({ uniqueId }) => uniqueId === id)?.executions ?? 0
  const named = op === 'order.refund' ? id : charged
  const order = orders.find(({ integratorOrderId }) => integratorOrderId === named)
  return (op === 'order.refund' ? order?.refunds : order?.charges) ?? 0
}

const named = writes.map((write) => [write.name, write] as const)

const run = (argv: readonly string[], home: string) => paydesk(argv, { home, clock: hurriedClock(), random: impatient })

test.each(named)(
  '%s, killed after the service executed it: resume and the command again execute it no second time',
  async (_, write) => {
    const home = newHome()
    await standingSandbox(home)
    const id = await objectFor(write, home)
    await addFault(home, { op: write.op, at: 'after', kind: 'hang' })
    const { child, end } = start(write.argv(id), home)
    await until('the service executed it', async () => (await executionsOf(write, home, id)) === 1)
    child.kill('SIGKILL')
    expect(await end).toMatchObject({ signal: 'SIGKILL', stdout: '' })
    await clearFaults(home)
    const resumed = await run(['resume', '-p', 'sandbox', '--json'], home)
    expect(resumed.code, resumed.stderr).toBe(write.resumed === 'exists' ? 0 : 9)
    const again = await run(write.argv(id), home)
    expect(again.code, again.stderr).toBe(write.resumed === 'exists' ? 0 : 9)
    if (again.code === 0) expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'exists', replayed: true })
    expect(await executionsOf(write, home, id)).toBe(1)
    await mustVerify({ home })
  },
)

test.each(named)('%s, killed before the service saw it: the command again sends only a finalize', async (_, write) => {
  const home = newHome()
  const { requests } = await standingSandbox(home)
  const id = await objectFor(write, home)
  await addFault(home, { op: write.op, at: 'before', kind: 'hang' })
  const writesSeen = () => requests.filter((line) => !line.startsWith('GET')).length
  const before = writesSeen()
  const { child, end } = start(write.argv(id), home)
  const open = () => journalOf({ home }, '--state', 'unknown')
  await until('the intent is in the journal', async () => (await open()).length === 1)
  await until('the request has met its fault', () =>
    inSandbox(home, async (sandbox) => (await sandbox.faults.list()).length === 0),
  )
  child.kill('SIGKILL')
  await end
  await until('the service has given the killed request up', async () => writesSeen() === before + 1)
  await clearFaults(home)
  const again = await run(write.argv(id), home)
  // A repeated finalize is recognised; of the other writes the first may still be on its way.
  const finalizes = write.op === 'wallet.finalize'
  expect(again.code, again.stderr).toBe(finalizes ? 0 : 9)
  expect(await executionsOf(write, home, id)).toBe(finalizes ? 1 : 0)
  if (finalizes) await until('the log tells of both', () => writesSeen() - before >= 2)
  expect(writesSeen() - before).toBe(finalizes ? 2 : 1)
})
