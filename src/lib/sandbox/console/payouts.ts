/** Sections of the console: payouts, bank-wallet orders, balances. */
import { payoutEnd } from '../../contract/payout/status.ts'
import { walletEnd } from '../../contract/wallet/status.ts'
import { receivedByAll } from '../../store/sandbox/orders.ts'
import type { Row } from '../../store/sandbox/schema.ts'
import { clients, nameOf, names } from '../accounts/fixtures.ts'
import { balancesOf } from '../accounts/world.ts'
import { statusDescription } from '../areas/payouts.ts'
import { describeWalletOrder } from '../areas/wallet.ts'
import { localMoment, localTime } from '../clock.ts'
import { money, payoutRequest } from '../ledger.ts'
import { type Looking, moment, type Section, shortMoment, tableSection, toneOf } from './section.ts'

export const payoutsSection = tableSection({
  name: 'payouts',
  title: 'Payouts',
  table: 'payouts',
  empty: 'Nothing was paid out in this world.',
  id: ({ transaction_id }) => transaction_id,
  tone: ({ status }) => toneOf(payoutEnd(status)),
  columns: [
    { name: 'created', kind: 'id', zoned: true, cell: ({ created }, { now }) => shortMoment(created, now) },
    { name: 'amount', kind: 'amount', cell: ({ currency, amount }) => `${currency} ${money(amount)}` },
    { name: 'status', kind: 'status', cell: ({ status }) => status },
    {
      name: 'to',
      kind: 'words',
      cell: (payout) => {
        const { beneficiaryName, toIban, receiverId } = payoutRequest(payout)
        return beneficiaryName ?? toIban ?? receiverId ?? null
      },
    },
    { name: 'transaction', kind: 'id', minor: true, cell: ({ transaction_id }) => transaction_id },
    { name: 'client', minor: true, cell: ({ client_id }) => nameOf(client_id) },
  ],
  detail: (payout) => {
    const request = payoutRequest(payout)
    const { transaction_id, client_id, amount, commission, currency, status, executions, iban } = payout
    return {
      title: `Payout of ${currency} ${money(amount)}`,
      tone: toneOf(payoutEnd(status)),
      status,
      about: request.uniqueId,
      facts: {
        State: [
          ['status', `${status}: ${statusDescription(status, 'documented')}`],
          ['executions', executions],
          ['transaction', transaction_id],
          ['uniqueId', request.uniqueId],
          ['created', moment(localTime(payout, 6))],
        ],
        Money: [
          ['amount', `${currency} ${money(amount)}`],
          ['commission', `${currency} ${money(commission)}`],
          ['client', nameOf(client_id)],
          ['debited account', iban],
        ],
        Beneficiary: [
          ['name', request.beneficiaryName ?? null],
          ['IBAN', request.toIban ?? null],
          ['receiver', request.receiverId === undefined ? null : `${request.receiverType} ${request.receiverId}`],
          ['identity', request.beneficiaryIdentityNumber ?? null],
          ['address', request.beneficiaryAddress ?? null],
          ['description', request.description],
        ],
      },
    }
  },
})

function amountOf({ paid, amount, minimum, maximum }: Row<'wallet_orders'>): string {
  const fixed = paid ?? amount
  if (fixed !== null) return `GEL ${money(fixed)}`
  return minimum === null || maximum === null ? '' : `GEL ${money(minimum)} to ${money(maximum)}`
}

export const walletSection = tableSection({
  name: 'wallet',
  title: 'Wallet orders',
  table: 'wallet_orders',
  empty: 'No wallet order was created in this world.',
  id: ({ identifier, unique_id }) => `${identifier}/${unique_id}`,
  tone: (order, { now }) => toneOf(walletEnd(describeWalletOrder(order, now).status)),
  columns: [
    { name: 'created', kind: 'id', zoned: true, cell: ({ created }, { now }) => shortMoment(created, now) },
    { name: 'amount', kind: 'amount', cell: amountOf },
    { name: 'status', kind: 'status', cell: (order, { now }) => describeWalletOrder(order, now).status },
    { name: 'receiver', kind: 'words', cell: ({ receiver_id }) => (receiver_id === null ? null : nameOf(receiver_id)) },
    { name: 'uniqueId', kind: 'id', minor: true, cell: ({ unique_id }) => unique_id },
  ],
  detail: (order, { now }) => {
    const { status, executions, createdAt, finalisedAt, rejectReason } = describeWalletOrder(order, now)
    return {
      title: `Wallet order ${amountOf(order)}`.trim(),
      tone: toneOf(walletEnd(status)),
      status,
      about: order.unique_id,
      facts: {
        State: [
          ['status', order.status === status ? status : `${status} in the details, ${order.status} inside`],
          ['reason', rejectReason],
          ['executions', executions],
          ['uniqueId', order.unique_id],
          ['identifier', nameOf(order.identifier)],
          ['receiver', order.receiver_id === null ? null : nameOf(order.receiver_id)],
          ['created', moment(createdAt)],
          ['ends', moment(localMoment(order.expires))],
          ['finalised', moment(finalisedAt)],
          ['QR address', order.uri],
        ],
      },
    }
  },
})

// Balances: the accounts that payouts leave, and what orders and wallet payments brought each receiver.

type Cells = readonly [whose: string, what: string, currency: string, opening: string, now: string]

async function accountBalances({ db }: Looking): Promise<Cells[]> {
  const cells = clients.map(async (client) =>
    (await balancesOf(db, client)).map(
      ({ iban, currency, opening, balance }): Cells => [
        client.name,
        iban,
        currency,
        `${money(opening)}`,
        `${money(balance)}`,
      ],
    ),
  )
  return (await Promise.all(cells)).flat()
}

async function receiverBalances({ db }: Looking): Promise<Cells[]> {
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
    return all.filter((cells) => isMeant(cells, looking)).map((cells) => ({ id: null, tone: 'plain', cells }))
  },
}
