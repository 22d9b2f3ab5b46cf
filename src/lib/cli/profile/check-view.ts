/** A checked profile for people. */
import type { Check } from '../../desk/check.ts'
import type { Block } from '../drawing/block.ts'
import type { View } from '../views/view.ts'

export function checkView(check: Check): View {
  const payouts = check.parts.some(({ part }) => part === 'payouts')
  const balances: Block = {
    kind: 'table',
    head: ['currency', 'balance', ''],
    rows: check.balances.map(({ currency, amount, note }) => [currency, amount, note]),
    empty: 'No account.',
  }
  return [
    {
      kind: 'facts',
      title: `Profile ${check.profile} works`,
      rows: [
        ['environment', check.environment],
        ['address', check.address],
        ['client id', check.clientId],
      ],
    },
    ...check.parts.map(
      ({ part, address, identity, scheme, says }): Block => ({
        kind: 'facts',
        title: part,
        rows: [
          ['address', address === check.address ? null : address],
          ['identity', identity === check.clientId ? null : identity],
          ['scheme', scheme],
          ['says', says],
        ],
      }),
    ),
    ...(payouts ? [balances] : []),
  ]
}
