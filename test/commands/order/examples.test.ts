/** The examples in the help of orders, cards, subscriptions and users are command lines that run. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import CardGet from '../../../src/commands/card/get.ts'
import OrderCancel from '../../../src/commands/order/cancel.ts'
import OrderComplete from '../../../src/commands/order/complete.ts'
import OrderCreate from '../../../src/commands/order/create.ts'
import OrderDiff from '../../../src/commands/order/diff.ts'
import OrderRefund from '../../../src/commands/order/refund.ts'
import OrderStatus from '../../../src/commands/order/status.ts'
import OrderWait from '../../../src/commands/order/wait.ts'
import SubscriptionHistory from '../../../src/commands/subscription/history.ts'
import SubscriptionRevoke from '../../../src/commands/subscription/revoke.ts'
import UserRegister from '../../../src/commands/user/register.ts'
import { orderExamples } from '../../../src/lib/contract/order/examples.ts'
import type { Flags } from '../../kit/payment.ts'
import { paydesk } from '../../kit/program.ts'
import { done, order, place, play, shellWords, shop, subscribed } from '../../kit/world.ts'

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const saves: Flags = { 'save-card': true, 'direct-link-provider': 'BOG' }

/** Every example with the order it is about: how it was made, and whether it was paid. */
const examples: readonly (readonly [line: string, made: Flags, paid: boolean])[] = [
  ...OrderStatus.examples.map((line) => [line, {}, false] as const),
  ...OrderWait.examples.map((line) => [line, {}, true] as const),
  ...OrderDiff.examples.map((line) => [line, {}, false] as const),
  ...OrderCancel.examples.map((line) => [line, {}, false] as const),
  ...OrderComplete.examples.map((line) => [line, { 'pay-with-pre-auth': true }, true] as const),
  ...OrderRefund.examples.map((line) => [line, {}, true] as const),
  ...CardGet.examples.map((line) => [line, saves, true] as const),
  ...SubscriptionHistory.examples.map((line) => [line, {}, false] as const),
  ...SubscriptionRevoke.examples.map((line) => [line, {}, false] as const),
  ...UserRegister.examples.map((line) => [line, {}, false] as const),
  // The smallest orders run in create.test.ts.
  ...OrderCreate.examples.slice(orderExamples.length).map(({ command }) => [command, saves, true] as const),
]

test.each(examples.map(([line, ...order]) => [line.replaceAll('<%= config.bin %>', 'paydesk'), ...order] as const))(
  'example of the help: `%s` runs and shows its result (0)',
  async (line, made, paid) => {
    const around = { ...place(), env: { PAYDESK_PROFILE: 'sandbox' }, stdin: '{"name":"Nino Beridze"}' }
    const [command = ''] = /paydesk[^|]*/.exec(line) ?? []
    const byKey = command.includes('shop-4711')
    const split = command.includes('IBAN:')
      ? ['--split', `BRANCH:${shop}=5`, '--split', 'IBAN:GE29NB0000000101904917=7.50']
      : []
    const { json } = await done(
      order({ ...made, ...(byKey ? { key: 'shop-4711' } : { 'integrator-order-id': id }) }, ...split),
      around,
    )
    if (paid) await play(around, json.integratorOrderId)
    writeFileSync(join(around.home, 'user.json'), '{"name":"Nino Beridze"}')
    writeFileSync(join(around.home, 'order.yaml'), `amount: 12.50\nreceiverId: ${shop}\n`)
    const inPlace: Readonly<Record<string, string>> = {
      'j-3f9a1c2b7d10': String(json.journalId),
      'user.json': join(around.home, 'user.json'),
      'order.yaml': join(around.home, 'order.yaml'),
      ...(command.includes('subscription') ? { '8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11': await subscribed(around) } : {}),
    }
    const words = shellWords(command.replace('paydesk', '')).map((word) => inPlace[word] ?? word)
    const ended = await paydesk(words, around)
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stdout).not.toBe('')
  },
)
