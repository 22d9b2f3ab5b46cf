/** Orders, their cards and subscriptions, and the payer of the sandbox. */
import { until } from '../../../kit/tools.ts'
import { inTopics, type Play, type Scene } from '../scene.ts'
import type { Stage } from '../stage.ts'

const shop = '5a9db0c0-0301-4a11-8c11-000000000301'
const example = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const create = `paydesk order create -p sandbox --receiver-id ${shop} --yes --json`

let made = 0

/** A new order, with these flags; its id. */
async function ordered(stage: Stage, flags: string): Promise<string> {
  made += 1
  const { integratorOrderId } = await stage.done(`${create} --key order-${made} ${flags}`)
  return String(integratorOrderId)
}

async function paid(stage: Stage, flags: string): Promise<string> {
  const id = await ordered(stage, flags)
  await stage.done(`paydesk sandbox trigger paid --order ${id} --json`)
  return id
}

/** An order of its own in the place of the one that the line names. */
const onNew = (make: (stage: Stage) => Promise<string>, named = example): Play => ({
  before: async (stage) => ({ [named]: await make(stage) }),
})
const fresh = onNew((stage) => ordered(stage, '--amount 20'))
const whenPaid = (named = example) => onNew((stage) => paid(stage, '--amount 20'), named)
const reserved = (named = example) => onNew((stage) => paid(stage, '--amount 20 --pay-with-pre-auth'), named)
const savedCard = '--amount 20 --save-card --direct-link-provider BOG'

/** The card that was saved with an order, in the file that holds its token. */
async function cardToken(stage: Stage): Promise<undefined> {
  const id = await paid(stage, savedCard)
  await stage.type(`umask 077; paydesk card get ${id} --output csv --fields token | tail -1 > card.token`)
}

async function subscribed(stage: Stage): Promise<Record<string, string>> {
  const id = await paid(stage, '--amount 0 --save-card --direct-link-provider BOG --plan monthly:1:9.90')
  const { subscriptions } = await stage.done<{
    readonly subscriptions: readonly { readonly subscriptionId: string; readonly integratorOrderId: string }[]
  }>('paydesk sandbox ledger --json')
  const own = subscriptions.at(-1)
  if (!own) throw new Error(`${id} made no subscription`)
  return { '8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11': own.subscriptionId }
}

export const ordersScene: Scene = {
  name: 'orders',
  of: inTopics('order', 'card', 'subscription', 'user'),
  set: async (stage) => {
    const id = await paid(stage, savedCard)
    await stage.done(`${create} --key shop-4711 --amount 20`)
    await stage.done('paydesk sandbox trigger paid --order shop-4711 --json')
    const [order] = await stage.done<readonly { readonly journalId: string }[]>('paydesk journal list --json')
    stage.put('order.yaml', JSON.stringify({ amount: 12.5, currency: 'GEL', receiverId: shop }))
    stage.put('user.json', '{"name":"Nino"}')
    // A program that keeps passwords, as far as the example asks it.
    stage.functions = `pass() { echo '{"name":"Nino"}'; }\n`
    return { [example]: id, 'j-3f9a1c2b7d10': String(order?.journalId), ...(await subscribed(stage)) }
  },
  lines: {
    [`paydesk order cancel ${example} --yes`]: fresh,
    [`paydesk order cancel ${example} --confirm ${example}`]: fresh,
    [`paydesk order complete ${example} --amount 12.50 --yes`]: reserved(),
    'paydesk order complete shop-4711 --amount 12.50 --confirm "GEL 12.50"': reserved('shop-4711'),
    [`paydesk order refund ${example} --amount 12.50 --key refund-4711 --yes`]: whenPaid(),
    'paydesk order refund shop-4711 --amount 5 --refund-detail IBAN:GE29NB0000000101904917=5.00 --confirm "GEL 5.00"':
      onNew(
        (stage) =>
          paid(
            stage,
            '--amount 20 --split IBAN:GE29NB0000000101904917=10.00 --split BRANCH:5a9db0c0-0301-4a11-8c11-000000000301=10.00',
          ),
        'shop-4711',
      ),
    [`paydesk order create -p sandbox --amount 12.50 --receiver-id ${shop} --card-token-file card.token --wait --yes`]:
      { before: cardToken },
    'paydesk subscription revoke 8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11 --confirm 8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11': {
      before: subscribed,
    },
  },
}

export const payerScene: Scene = {
  name: 'the payer',
  of: (id) => ['sandbox:trigger', 'sandbox:requests', 'sandbox:callbacks'].includes(id),
  set: async (stage) => {
    await stage.start('paydesk sandbox start --port 0')
    const id = await paid(stage, '--amount 20')
    for (let read = 0; read < 20; read += 1) await stage.done(`paydesk order status ${id} --json`)
    // The log is written in groups, a moment after the requests.
    await until(
      'request 17 is in the log',
      async () => (await stage.type('paydesk sandbox requests --id 17')).code === 0,
    )
    return { [example]: id }
  },
  lines: {
    [`paydesk sandbox trigger paid --order ${example}`]: fresh,
    [`paydesk sandbox trigger paid --order ${example} --card second-step --tip 1.00`]: onNew((stage) =>
      ordered(stage, `--amount 20 --tip-receiver-type BRANCH --tip-receiver-id ${shop}`),
    ),
    'paydesk sandbox requests --follow --output ndjson': { stays: 143 },
  },
}
