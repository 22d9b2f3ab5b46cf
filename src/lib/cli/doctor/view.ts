/** The report of `doctor` for people. */

import type { Block } from '../drawing/block.ts'
import { momentInWords, type Zone } from '../time/zoned-time.ts'
import type { View } from '../views/view.ts'
import type { Finding, Report } from './finding.ts'

const words: Readonly<Record<Finding['verdict'], string>> = {
  good: 'good',
  notice: 'notice',
  bad: 'BAD',
  unseen: 'not looked at',
}

export function reportView(report: Report, zone: Zone): View {
  const { healthy, at, version, node, system, profile, environment, variables, findings, payments } = report
  const head: Block = {
    kind: 'facts',
    title: healthy ? 'Nothing is wrong' : 'Something is wrong',
    rows: [
      ['at', momentInWords(at, zone)],
      ['paydesk', `${version}, Node ${node.replace(/^v/, '')}, ${system}`],
      ['profile', profile === null ? 'none' : `${profile} (${environment})`],
      ['variables', variables.length === 0 ? null : variables.join(', ')],
    ],
  }
  const told: Block = {
    kind: 'facts',
    rows: findings.flatMap(({ about, verdict, says, next }) => {
      return [[about, `${words[verdict]}: ${says}`] as const, ...next.map((each) => ['', `→ ${each}`] as const)]
    }),
  }
  const open: Block = {
    kind: 'table',
    head: ['open', 'state', 'operation', 'profile', 'since'],
    rows: (payments ?? []).map((each) => {
      return [each.journalId, each.state, each.operation, each.profile, momentInWords(each.openedAt, zone)]
    }),
    empty: '',
  }
  return [head, told, ...(open.rows.length > 0 ? [open] : [])]
}
