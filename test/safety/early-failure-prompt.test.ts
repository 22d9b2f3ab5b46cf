/** A person may answer at a question which payment a command is about. */
import { expect, test } from 'vitest'
import { employees, plannedPayroll } from '../kit/batch.ts'
import { create } from '../kit/payment.ts'
import { atTerminal, newHome, paydesk, type Step, succeeds } from '../kit/program.ts'
import {
  addHandProfile,
  createWallet,
  finalizeWallet,
  foreignOrder,
  handDesk,
  handOrder,
  serviceByHand,
} from '../kit/service.ts'

const enter = '\r'
const interrupt = '\u0003'
/** Ends a command when it opens its desk. */
const noArchive = ['--har', '/nonexistent/directory/archive.har']

async function at(home: string, argv: readonly string[], ...steps: readonly Step[]) {
  const line = [...argv, '--json']
  const { code, log } = await atTerminal(line, { home, columns: 120 }, ...steps)
  const last = log.trimEnd().split('\n').at(-1) ?? ''
  return {
    code,
    log,
    error: (JSON.parse(last.slice(last.indexOf('{"error"'))) as { error: Record<string, unknown> }).error,
  }
}

async function payoutOf() {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const made = await succeeds(paydesk([...create({ profile: 'hand', key: 'k-1' }), '--json'], { home }))
  return { home, journalId: String(made.json.journalId) }
}

/** An order whose card was charged, and a wallet order that was registered. */
async function ordersOf() {
  const desk = await handDesk(({ name, request: { integratorOrderId, uniqueId } }) => {
    if (name === 'wallet.create') return { value: { uniqueId, amount: 25, status: 'REGISTERED', receiverName: 'Nino' } }
    if (name.startsWith('wallet')) return { value: { uniqueId, status: 'SUCCESS' } }
    if (name === 'subscription.revoke') return { plain: 'reset' }
    return { value: { integratorOrderId, status: name === 'order.refund' ? 'REFUND_REQUESTED' : 'SUCCESS' } }
  })
  const order = ['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--yes']
  for (const argv of [
    [...order, '--integrator-order-id', handOrder],
    ['order', 'refund', handOrder, '--amount', '5', '--yes'],
    createWallet,
    finalizeWallet,
  ]) {
    await succeeds(desk.run(...argv))
  }
  return desk
}

test.each(['get', 'wait', 'diff'])(
  'payout %s, chosen at its question, archive not writable: usage (2) with the journal id, not denied',
  async (verb) => {
    const { home, journalId } = await payoutOf()
    const line = ['payout', verb, '-p', 'hand', ...noArchive]
    const ended = await at(home, line, [/Which payout\?/, enter])
    expect(ended, ended.log).toMatchObject({ code: 2, error: { journalId } })
    expect(ended.error.moneyMoved, ended.log).not.toBe('no')
  },
)

test('order cancel, chosen at its question and stopped at its consent: interrupted (130), moneyMoved yes', async () => {
  const { home } = await ordersOf()
  const steps: readonly Step[] = [
    [/Which order\?/, enter],
    [/Send it\?/, interrupt],
  ]
  const ended = await at(home, ['order', 'cancel', '-p', 'hand'], ...steps)
  expect(ended, ended.log).toMatchObject({ code: 130, error: { moneyMoved: 'yes', uniqueId: handOrder } })
  expect(ended.error.message).not.toContain('before anything was sent')
})

test('order status, diff, wait and cancel, card get: chosen at its question, archive not writable: usage (2), moneyMoved yes', async () => {
  const { home } = await ordersOf()
  for (const argv of [
    ['order', 'status'],
    ['order', 'diff'],
    ['order', 'wait'],
    ['card', 'get'],
    ['order', 'cancel', '--yes'],
  ]) {
    const ended = await at(home, [...argv, '-p', 'hand', ...noArchive], [/Which order\?/, enter])
    expect(ended, ended.log).toMatchObject({ code: 2, error: { moneyMoved: 'yes', uniqueId: handOrder } })
  }
})

test('subscription revoke, typed at its question after a lost answer, archive not writable: usage (2), moneyMoved unknown', async () => {
  const { home, run } = await ordersOf()
  expect((await run('subscription', 'revoke', foreignOrder, '--yes')).code).toBe(9)
  const line = ['subscription', 'revoke', '-p', 'hand', '--yes', ...noArchive]
  const ended = await at(home, line, [/subscription/i, `${foreignOrder}${enter}`])
  expect(ended, ended.log).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
})

test('batch resume, a plan with unknown rows chosen at its question, archive not writable: usage (2), moneyMoved unknown', async () => {
  const payroll = await plannedPayroll(employees(2), ({ path }) =>
    path === '/api/distributor' ? { status: 502, body: '<html>' } : undefined,
  )
  const ran = await payroll.batch('run', '--confirm', 'GEL 3.50')
  expect(ran.code, ran.stderr).toBe(9)
  const line = ['batch', 'resume', '--confirm', 'GEL 3.50', ...noArchive]
  const ended = await at(payroll.home, line, [/Which plan\?/, enter])
  expect(ended, ended.log).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
})
