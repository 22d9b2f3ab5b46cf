/** Outputs of the commands of orders, subscriptions, users and cards as JSON, for the test of their schemas. */
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { listening, payment, post } from '../kit/callback.ts'
import { paydesk, type Surroundings } from '../kit/program.ts'
import { ordersByHand } from '../kit/service.ts'
import {
  addFault,
  cardSaved,
  done,
  onSandbox,
  order,
  ordered,
  place,
  play,
  recordedSandbox,
  subscribed,
} from '../kit/world.ts'

type Print<Printed> = (
  argv: readonly string[],
  around: Surroundings,
  expected?: { readonly code?: number; readonly keeps?: readonly string[] },
) => Promise<Printed>

const sum = { keeps: ['"amount":12.50'] }

/** The command for real, for show, and as curl. */
async function written<Printed>(
  print: Print<Printed>,
  argv: readonly string[],
  around: Surroundings,
  expected: { readonly keeps?: readonly string[] } = {},
): Promise<Printed[]> {
  return [
    await print([...argv, '--dry-run'], around),
    await print([...argv, '--curl'], around),
    await print(argv, around, expected),
  ]
}

/** Callbacks that a listener of the sandbox receives. */
async function heard(around: Surroundings, ...bodies: readonly unknown[]): Promise<void> {
  const { url, stop } = await listening(around, ...onSandbox)
  for (const body of bodies) await post(url, body)
  await stop()
}

export function orderScenarios<Printed>(
  print: Print<Printed>,
): Readonly<Record<string, () => Promise<readonly Printed[]>>> {
  return {
    'order-create.json': async () => {
      const around = place()
      const withPlan = order({ amount: '0', 'save-card': true, 'direct-link-provider': 'BOG', plan: 'weekly:1:9.90' })
      const lost = async () => {
        await addFault(around.home, { op: 'order.create', at: 'after', kind: 'reset' })
        return print(order(), around)
      }
      return [
        ...(await written(print, order({ key: 'shop-4711' }), around, sum)),
        await print(order({ key: 'shop-4711' }), around, sum),
        await lost(),
        await print(order({ wait: true, timeout: '2s' }), around, { code: 8, ...sum }),
        await print(withPlan, around, { keeps: ['"amount":9.90'] }),
      ]
    },

    'order-status.json': async () => {
      const around = place()
      await recordedSandbox(around)
      const id = await ordered(around)
      const early = await print(['order', 'status', id, ...onSandbox], around)
      await play(around, id)
      await ordersByHand(around.home, () => ({ value: { integratorOrderId: shopOrder, status: 'LATER', more: [1] } }))
      const back = await ordered(around)
      await play(around, back)
      await done(['order', 'refund', back, '--amount', '2.50', '--yes', ...onSandbox], around)
      await heard(around, { ...payment, integratorOrderId: back, status: 'PARTIALLY_REFUNDED' })
      return [
        early,
        await print(['order', 'status', back, ...onSandbox], around, { keeps: ['"amount":2.50'] }),
        await print(['order', 'wait', id, ...onSandbox], around, { keeps: ['"acquiringAmount":12.50'] }),
        await print(['order', 'status', shopOrder, '-p', 'hand'], around),
      ]
    },

    'order-cancel.json': async () => {
      const around = place()
      return written(print, ['order', 'cancel', await ordered(around), '--yes', ...onSandbox], around)
    },

    'order-complete.json': async () => {
      const around = place()
      const id = await ordered(around, { 'pay-with-pre-auth': true })
      await play(around, id)
      const complete = ['order', 'complete', id, '--amount', '12.50', '--yes', ...onSandbox]
      return written(print, complete, around, sum)
    },

    'order-refund.json': async () => {
      const around = place()
      const id = await ordered(around)
      await play(around, id)
      return written(print, ['order', 'refund', id, '--amount', '12.50', '--yes', ...onSandbox], around, sum)
    },

    'order-diff.json': async () => {
      const around = place()
      const id = await ordered(around)
      const unseen = await print(['order', 'diff', id, ...onSandbox], around)
      await done(['order', 'status', id, ...onSandbox], around)
      await play(around, id)
      await addFault(around.home, { op: 'order.create', at: 'after', kind: 'reset' })
      await addFault(around.home, { op: 'order.status', at: 'before', kind: 'html502', times: 5 })
      await paydesk(order({ key: 'lost' }), around)
      return [
        unseen,
        await print(['order', 'diff', id, ...onSandbox], around),
        await print(['order', 'diff', 'lost', ...onSandbox], around),
      ]
    },

    'card-get.json': async () => {
      const around = place()
      return [await print(['card', 'get', await cardSaved(around), ...onSandbox], around)]
    },

    'card-list.json': async () => {
      const around = place()
      const saving = { 'save-card': true, 'direct-link-provider': 'BOG', key: 'shop-4711' } as const
      const saved = { ...payment, integratorOrderId: await ordered(around, saving) }
      await heard(around, saved, { ...payment, integratorOrderId: shopOrder })
      return [await print(['card', 'list'], around)]
    },

    'subscription-list.json': async () => {
      const around = place()
      const plan = { 'save-card': true, 'direct-link-provider': 'BOG', plan: 'weekly:1:9.90', amount: '0' } as const
      await done(['order', 'status', await ordered(around, { ...plan, key: 'shop-4711' }), ...onSandbox], around)
      await heard(around, { subscriptionId: 'sub-1', historyId: 'h-1', status: 'COMPLETED', amount: 5 })
      return [await print(['subscription', 'list'], around)]
    },

    'subscription-history.json': async () => {
      const around = place()
      const history = ['subscription', 'history', await subscribed(around), ...onSandbox]
      // The sandbox refunds no single payment of a plan.
      const refunded = {
        time: '2026-11-20T10:00:00',
        status: 'PARTIALLY_REFUNDED',
        refundTime: '2026-11-21T10:00:00',
        refundedAmount: new JsonNumber('2.50'),
        failReason: 'asked for',
        more: true,
      }
      await ordersByHand(around.home, () => ({ value: [refunded] }))
      return [
        await print(history, around),
        await print(['subscription', 'history', 'any', '-p', 'hand'], around, { keeps: ['"refundedAmount":2.50'] }),
      ]
    },

    'subscription-revoke.json': async () => {
      const around = place()
      return written(print, ['subscription', 'revoke', await subscribed(around), '--yes', ...onSandbox], around)
    },

    'user-register.json': async () => {
      const around = { ...place(), stdin: '{"name":"Nino Beridze"}' }
      return written(print, ['user', 'register', '--file', '-', '--yes', ...onSandbox], around)
    },
  }
}

const shopOrder = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
