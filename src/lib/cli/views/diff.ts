/** The journal against the service, field by field, as people see it. */
import type { OrderDiff, PayoutDiff } from '../../desk/diff.ts'
import type { View } from './view.ts'

const verdicts = { true: 'yes', false: 'NO', null: '–' } as const

function diffView(
  { compared, equal, journalId }: Pick<OrderDiff, 'compared' | 'equal' | 'journalId'>,
  id: string,
): View {
  const differing = compared.filter((row) => row.equal === false).map(({ field }) => field)
  return [
    {
      kind: 'table',
      head: ['field', 'journal', 'service', 'equal', ''],
      rows: compared.map((row) => [row.field, row.journal, row.service, verdicts[`${row.equal}`], row.note]),
      empty: '',
    },
    {
      kind: 'text',
      text: equal
        ? `${id} and ${journalId} agree in all that can be compared.`
        : `${id} differs from ${journalId} in ${differing.join(', ')}.`,
    },
  ]
}

export function orderDiffView(diff: OrderDiff): View {
  return diffView(diff, diff.integratorOrderId)
}

export function payoutDiffView(diff: PayoutDiff): View {
  return diffView(diff, diff.transactionId)
}
