/** Payouts, with everything their request said. */
import { payoutEnd } from '../../../contract/payout/status.ts'
import { newestOf, rowNamed } from '../../../store/sandbox/search.ts'
import { localTime } from '../../clock/clock.ts'
import { payoutRequest } from '../../ledger/accepted.ts'
import { statusDescription } from '../../payouts/advance.ts'
import { money } from '../../world/money.ts'
import { moment, most, type Section, shortly, toneOf } from './section.ts'

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
    (await newestOf(db, 'payouts', words, most)).map((payout) => {
      const { beneficiaryName, toIban, receiverId } = payoutRequest(payout)
      return {
        id: payout.transaction_id,
        tone: toneOf(payoutEnd(payout.status)),
        cells: [
          shortly(payout.created, now),
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
