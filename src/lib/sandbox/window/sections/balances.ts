/** Balances: the accounts that payouts leave, and what orders and wallet payments brought each receiver. */

import { receivedByAll } from '../../../store/sandbox/orders.ts'
import { listAccounts, listClients, listReceivers } from '../../../store/sandbox/world.ts'
import { money } from '../../world/money.ts'
import { receivers } from '../../world/receiver.ts'
import type { Looking, Row, Section } from './section.ts'

type Cells = readonly [whose: string, what: string, currency: string, opening: string, now: string]

async function accounts({ db }: Looking): Promise<Cells[]> {
  const cells: Cells[] = []
  for (const { client_id, name } of await listClients(db)) {
    for (const { iban, currency, opening, balance } of await listAccounts(db, client_id)) {
      cells.push([name, iban, currency, String(money(opening)), String(money(balance))])
    }
  }
  return cells
}

async function received({ db }: Looking): Promise<Cells[]> {
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
    const all = [...(await accounts(looking)), ...(await received(looking))]
    return all.filter((cells) => isMeant(cells, looking)).map((cells): Row => ({ id: null, tone: 'plain', cells }))
  },
}
