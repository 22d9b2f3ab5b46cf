/** Bank-wallet orders, with their payees. */
import { walletEnd } from '../../../contract/wallet/status.ts'
import { newestOf, rowNamed } from '../../../store/sandbox/search.ts'
import type { ExecutedWalletOrder } from '../../../store/sandbox/wallet.ts'
import { localMoment } from '../../clock/clock.ts'
import { describeWalletOrder } from '../../wallet/ledger.ts'
import { money } from '../../world/money.ts'
import { receivers } from '../../world/receiver.ts'
import { moment, most, type Section, shortly, toneOf } from './section.ts'

function amountOf({ paid, amount, minimum, maximum }: ExecutedWalletOrder): string {
  const fixed = paid ?? amount
  if (fixed !== null) return `GEL ${money(fixed)}`
  return minimum === null || maximum === null ? '' : `GEL ${money(minimum)} to ${money(maximum)}`
}

function receiverOf({ receiver_id }: ExecutedWalletOrder): string | null {
  return receivers.find(({ receiverId }) => receiverId === receiver_id)?.name ?? receiver_id
}

export const walletSection: Section = {
  name: 'wallet',
  title: 'Wallet orders',
  table: 'wallet_orders',
  columns: [
    { name: 'created', kind: 'id', zoned: true },
    { name: 'amount', kind: 'amount' },
    { name: 'status', kind: 'status' },
    { name: 'receiver', kind: 'words' },
    { name: 'uniqueId', kind: 'id', minor: true },
  ],
  empty: 'No wallet order was created in this world.',
  rows: async ({ db, now, words }) =>
    (await newestOf(db, 'wallet_orders', words, most)).map((order) => {
      const { status } = describeWalletOrder(order, now)
      return {
        id: `${order.identifier}/${order.unique_id}`,
        tone: toneOf(walletEnd(status)),
        cells: [shortly(order.created, now), amountOf(order), status, receiverOf(order), order.unique_id],
      }
    }),
  detail: async ({ db, now, names }, id) => {
    const order = await rowNamed(db, 'wallet_orders', id)
    if (!order) return null
    const { status, executions, createdAt, finalisedAt, rejectReason } = describeWalletOrder(order, now)
    return {
      title: `Wallet order ${amountOf(order)}`.trim(),
      tone: toneOf(walletEnd(status)),
      status,
      about: order.unique_id,
      facts: [
        {
          title: 'State',
          rows: [
            ['status', order.status === status ? status : `${status} in the details, ${order.status} inside`],
            ['reason', rejectReason],
            ['executions', executions],
            ['uniqueId', order.unique_id],
            ['identifier', names.get(order.identifier) ?? order.identifier],
            ['receiver', receiverOf(order)],
            ['created', moment(createdAt)],
            ['ends', moment(localMoment(order.expires))],
            ['finalised', moment(finalisedAt)],
            ['QR address', order.uri],
          ],
        },
      ],
      texts: [],
    }
  },
}
