/** Plans and their counts as people see them. */

import type { CountResult } from '../../batch/count.ts'
import type { PlanResult } from '../../batch/plan-file.ts'
import { howMany } from '../../contract/core/count.ts'
import type { View } from '../views/view.ts'

/** "GEL 120.00 + USD 5.00". */
export function sumsInWords(totals: PlanResult['totals']): string {
  return Object.entries(totals)
    .map(([currency, amount]) => `${currency} ${amount}`)
    .join(' + ')
}

/** "GEL 5000.00 (row 2), USD 12.00 (row 9)". */
function largestInWords(largest: PlanResult['largest']): string {
  return Object.entries(largest)
    .map(([currency, { row, amount }]) => `${currency} ${amount} (row ${row})`)
    .join(', ')
}

type PlanFactsTold = Pick<
  PlanResult,
  'file' | 'format' | 'rows' | 'totals' | 'profile' | 'environment' | 'expiresAt' | 'discardedAt'
>

export function discardedFact({ discardedAt }: Pick<PlanResult, 'discardedAt'>) {
  return ['discarded', discardedAt === null ? null : `${discardedAt}; it sends no new row`] as const
}

/** The facts of a plan. */
export function planFacts(plan: PlanFactsTold & { readonly largest?: PlanResult['largest'] }) {
  return [
    ['file', `${plan.file} (${plan.format})`],
    ['rows', plan.rows],
    ['total', sumsInWords(plan.totals)],
    ['largest row', plan.largest ? largestInWords(plan.largest) : null],
    ['profile', `${plan.profile} (${plan.environment})`],
    ['good until', plan.discardedAt === null ? plan.expiresAt : null],
    discardedFact(plan),
  ] as const
}

export function planView(planned: PlanResult): View {
  const { planId, replayed, firstTime, known, otherAccounts, renewed } = planned
  return [
    {
      kind: 'facts',
      title: renewed ? `Plan ${planId}, renewed` : `Plan ${planId}`,
      rows: [
        ...planFacts(planned),
        ['sent before', replayed === 0 ? null : `${howMany(replayed, 'row')}, not sent again`],
        [
          'CAUTION',
          otherAccounts === 0
            ? null
            : `${howMany(otherAccounts, 'row has', 'rows have')} a known payee and another account`,
        ],
        ['known payees', known === 0 ? null : known],
        ['first payment', firstTime === 0 ? null : `to ${howMany(firstTime, 'beneficiary', 'beneficiaries')}`],
        ...planned.balances.map(
          ({ currency, amount, covers }) =>
            ['balance', amount === null ? null : `${currency} ${amount}${covers ? '' : ', too little'}`] as const,
        ),
      ],
    },
    { kind: 'text', text: `Pay it: paydesk batch run ${planId} --confirm "${planned.consent}"` },
  ]
}

/** "… and 280 more rows; all of them: `paydesk batch show b-3f9a1c2b7d10 --limit 300`". */
export function moreRowsView(more: number, line: string): View {
  return more === 0 ? [] : [{ kind: 'text', text: `… and ${howMany(more, 'more row')}; all of them: \`${line}\`` }]
}

export function countView(told: CountResult): View {
  const among = (part: number, rows: Readonly<Record<string, number>>) => {
    const words = Object.entries(rows).flatMap(([word, count]) => (count === 0 ? [] : [word]))
    return part === 0 ? 0 : `${part} of the ${words.join(' and ')}`
  }
  const { notPaid, conflicts, accepted, exists, refused, unknown } = told
  const counts: readonly (readonly [string, number | string])[] = [
    ['accepted', accepted],
    ['exists', exists],
    ['ended unpaid', among(notPaid, { accepted, existing: exists })],
    ['refused', refused],
    ['turned away', told.turnedAway],
    ['unsent', told.unsent],
    ['unknown', unknown],
    ['held', told.held],
    ['sending', told.sending],
    ['planned', told.planned],
    ['conflicts', among(conflicts, { refused, unknown })],
  ]
  return [
    {
      kind: 'facts',
      title: `Plan ${told.planId}`,
      rows: [
        ['rows', told.rows],
        ['total', sumsInWords(told.totals)],
        ...counts.map(([name, count]) => [name, count === 0 ? null : count] as const),
        ['sent before', told.replayed === 0 ? null : told.replayed],
        ['stopped', told.stopped],
        ['journal head', told.journalHead],
      ],
    },
  ]
}
