/** Sections of the console: payouts, bank-wallet orders, balances. */
import { payoutEnd } from '../../contract/payout/status.ts'
import { walletEnd } from '../../contract/wallet/status.ts'
import { receivedByAll } from '../../store/sandbox/orders.ts'
import { newestOf, rowNamed } from '../../store/sandbox/search.ts'
import type { ExecutedWalletOrder } from '../../store/sandbox/wallet.ts'
import { listAccounts, listClients, listReceivers } from '../../store/sandbox/world.ts'
import { receivers } from '../accounts/fixtures.ts'
import { statusDescription } from '../areas/payouts.ts'
import { describeWalletOrder } from '../areas/wallet.ts'
import { localMoment, localTime } from '../clock.ts'
import { money, payoutRequest } from '../ledger.ts'
import { type Looking, moment, mostRows, type Row, type Section, shortMoment, toneOf } from './section.ts'

export const payoutsSection: Section = {
  name: 'payouts',
  title: 'Payouts',
  table: 'payouts',
  columns: [
    { name: 'created', kind: 'id', zoned: true },
    { name: 'amount', kind: 'amount' },
    { name: 'status', kind: 'status' },
    { name: 'to', kind: 'words' },
    { name: 'transaction', kind: 'id', minor: true },
    { name: 'client', minor: true },
  ],
  empty: 'Nothing was paid out in this world.',
  rows: async ({ db, now, words, names }) =>
    (await newestOf(db, 'payouts', words, mostRows)).map((payout) => {
      const { beneficiaryName, toIban, receiverId } = payoutRequest(payout)
      return {
        id: payout.transaction_id,
        tone: toneOf(payoutEnd(payout.status)),
        cells: [
          shortMoment(payout.created, now),
          `${payout.currency} ${money(payout.amount)}`,
          payout.status,
          beneficiaryName ?? toIban ?? receiverId ?? null,
          payout.transaction_id,
          names.get(payout.client_id) ?? payout.client_id,
        ],
      }
    }),
  detail: async ({ db, names }, id) => {
    const payout = await rowNamed(db, 'payouts', id)
    if (!payout) return null
    const request = payoutRequest(payout)
    const { transaction_id, client_id, amount, commission, currency, status, executions, iban } = payout
    return {
      title: `Payout of ${currency} ${money(amount)}`,
      tone: toneOf(payoutEnd(status)),
      status,
      about: request.uniqueId,
      facts: [
        {
          title: 'State',
          rows: [
            ['status', `${status}: ${statusDescription(status, 'documented')}`],
            ['executions', executions],
            ['transaction', transaction_id],
            ['uniqueId', request.uniqueId],
            ['created', moment(localTime(payout, 6))],
          ],
        },
        {
          title: 'Money',
          rows: [
            ['amount', `${currency} ${money(amount)}`],
            ['commission', `${currency} ${money(commission)}`],
            ['client', names.get(client_id) ?? client_id],
            ['debited account', iban],
          ],
        },
        {
          title: 'Beneficiary',
          rows: [
            ['name', request.beneficiaryName ?? null],
            ['IBAN', request.toIban ?? null],
            ['receiver', request.receiverId === undefined ? null : `${request.receiverType} ${request.receiverId}`],
            ['identity', request.beneficiaryIdentityNumber ?? null],
            ['address', request.beneficiaryAddress ?? null],
            ['description', request.description],
          ],
        },
      ],
      texts: [],
    }
  },
}

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
    (await newestOf(db, 'wallet_orders', words, mostRows)).map((order) => {
      const { status } = describeWalletOrder(order, now)
      return {
        id: `${order.identifier}/${order.unique_id}`,
        tone: toneOf(walletEnd(status)),
        cells: [shortMoment(order.created, now), amountOf(order), status, receiverOf(order), order.unique_id],
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

// Balances: the accounts that payouts leave, and what orders and wallet payments brought each receiver.

type Cells = readonly [whose: string, what: string, currency: string, opening: string, now: string]

async function accountBalances({ db }: Looking): Promise<Cells[]> {
  const cells: Cells[] = []
  for (const { client_id, name } of await listClients(db)) {
    for (const { iban, currency, opening, balance } of await listAccounts(db, client_id)) {
      cells.push([name, iban, currency, String(money(opening)), String(money(balance))])
    }
  }
  return cells
}

async function receiverBalances({ db }: Looking): Promise<Cells[]> {
  const fixed = receivers.map(({ receiverId, name }) => [receiverId, name] as const)
  const paid = (await listReceivers(db)).map(({ receiver_id, name }) => [receiver_id, name] as const)
  const names = new Map([...fixed, ...paid])
  return (await receivedByAll(db)).map(({ receiver, currency, units }) => {
    return [names.get(receiver) ?? 'an account outside', receiver, currency, '', String(money(units))]
  })
}

function isMeant(cells: Cells, { words }: Looking): boolean {
  const text = cells.join(' ').toLowerCase()
  return words.every((spellings) => spellings.some((spelling) => text.includes(spelling.toLowerCase())))
}

export const balancesSection: Section = {
  name: 'balances',
  title: 'Balances',
  table: null,
  columns: [
    { name: 'whose', kind: 'words' },
    { name: 'account or receiver', kind: 'id', minor: true },
    { name: 'currency' },
    { name: 'at first', kind: 'amount', minor: true },
    { name: 'now', kind: 'amount' },
  ],
  empty: 'Nobody has anything.',
  rows: async (looking) => {
    const all = [...(await accountBalances(looking)), ...(await receiverBalances(looking))]
    return all.filter((cells) => isMeant(cells, looking)).map((cells): Row => ({ id: null, tone: 'plain', cells }))
  },
}
