/**
 * An argument that a person answers at its question counts for the last words of a command as one that was typed: whatever ends it
 * then, it denies nothing that earlier runs have sent.
 */
import { describe, expect, test } from 'vitest'
import { answers, type Step } from '../kit/answers.ts'
import { employees, handPayroll } from '../kit/batch/payroll.ts'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'

const enter = '\r'
const interrupt = '\u0003'
/** Ends a command when it opens its desk. */
const noArchive = ['--har', '/nonexistent/directory/archive.har']

async function at(home: string, argv: readonly string[], ...steps: readonly Step[]) {
  const line = [...argv, '--json']
  const { code, log } = await paydesk(line, { home, terminal: true, columns: 120, dialogue: answers(...steps) })
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
  const made = await paydesk([...create({ profile: 'hand', key: 'k-1' }), '--json'], { home })
  expect(made.code, made.stderr).toBe(0)
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
    const made = await desk.run(...argv)
    expect(made.code, made.stderr).toBe(0)
  }
  return desk
}

describe('a payout', () => {
  test.each([['get'], ['wait'], ['diff']])('that payout %s was told to take', async (verb) => {
    const { home, journalId } = await payoutOf()
    const line = ['payout', verb, '-p', 'hand', ...noArchive]
    const ended = await at(home, line, [/Which payout\?/, enter])
    expect(ended, ended.log).toMatchObject({ code: 2, error: { journalId } })
    expect(ended.error.moneyMoved, ended.log).not.toBe('no')
  })
})

describe('an order', () => {
  test('that is to be cancelled, stopped at its consent', async () => {
    const { home } = await ordersOf()
    const steps: readonly Step[] = [
      [/Which order\?/, enter],
      [/Send it\?/, interrupt],
    ]
    const ended = await at(home, ['order', 'cancel', '-p', 'hand'], ...steps)
    expect(ended, ended.log).toMatchObject({ code: 130, error: { moneyMoved: 'yes', uniqueId: handOrder } })
    expect(ended.error.message).not.toContain('before anything was sent')
  })

  test.each([
    ['order', 'status'],
    ['order', 'diff'],
    ['order', 'wait'],
    ['card', 'get'],
    ['order', 'cancel', '--yes'],
  ])('of %s %s', async (topic, verb, ...more) => {
    const { home } = await ordersOf()
    const line = [topic, verb, '-p', 'hand', ...more.filter(Boolean), ...noArchive]
    const ended = await at(home, line, [/Which order\?/, enter])
    expect(ended, ended.log).toMatchObject({ code: 2, error: { moneyMoved: 'yes', uniqueId: handOrder } })
  })
})

test.each([['details'], ['cancel', '--yes']])('a wallet order of wallet %s', async (verb, ...more) => {
  const { home } = await ordersOf()
  const line = ['wallet', verb, '-p', 'hand', ...more.filter(Boolean), ...noArchive]
  const ended = await at(home, line, [/Which wallet order\?/, enter])
  expect(ended, ended.log).toMatchObject({ code: 2, error: { uniqueId: handOrder } })
  expect(ended.error.moneyMoved, ended.log).not.toBe('no')
})

test('a subscription whose revocation has no answer', async () => {
  const { home, run } = await ordersOf()
  expect((await run('subscription', 'revoke', foreignOrder, '--yes')).code).toBe(9)
  const line = ['subscription', 'revoke', '-p', 'hand', '--yes', ...noArchive]
  const ended = await at(home, line, [/subscription/i, `${foreignOrder}${enter}`])
  expect(ended, ended.log).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
})

test('a payment of journal show, whose journal cannot be shown as asked', async () => {
  const { home, journalId } = await payoutOf()
  const ended = await at(home, ['journal', 'show', '--fields', 'nosuch'], [/Which payment\?/, enter])
  expect(ended, ended.log).toMatchObject({ code: 2, error: { journalId } })
  expect(ended.error.moneyMoved, ended.log).not.toBe('no')
})

test('a plan whose rows are unknown', async () => {
  const payroll = await handPayroll(employees(2), ({ path }) =>
    path === '/api/distributor' ? { status: 502, body: '<html>' } : undefined,
  )
  await payroll.plan()
  const ran = await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 3.50', '--timeout', '2s'])
  expect(ran.code, ran.stderr).toBe(9)
  const line = ['batch', 'resume', '--confirm', 'GEL 3.50', ...noArchive]
  const ended = await at(payroll.home, line, [/Which plan\?/, enter])
  expect(ended, ended.log).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
})
