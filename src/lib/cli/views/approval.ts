/** Persons, rules and approvals for people. */

import type { AskedApproval } from '../../approvals/approvals.ts'
import type { Person } from '../../approvals/persons/team.ts'
import type { approvalResult, approvalShownResult, ruleResult } from '../../approvals/result.ts'
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import { journalEntry } from '../../journal/entry.ts'
import { intentOf } from '../../journal/intent.ts'
import { isRecord, writeJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import type { Cell } from '../drawing/block.ts'
import type { View } from './view.ts'

export type ApprovalTold = ResultOf<typeof approvalResult>
export type ApprovalShown = ResultOf<typeof approvalShownResult>
export type RuleTold = ResultOf<typeof ruleResult>

/** A request as the result tells it. */
export function approvalTold({ approval, persons, needs }: AskedApproval): ApprovalTold {
  const { facts, state, approvers, votes } = approval
  const isApproved = state === 'open' && needs > 0 && approvers.length >= needs
  const counted = new Set(approvers)
  return {
    ...{ approvalId: facts.approval, state: isApproved ? 'approved' : state === 'open' ? 'waiting' : state },
    ...{ subject: facts.subject === 'plan' ? 'plan' : 'payment', id: facts.id, operation: facts.operation },
    ...{ sum: facts.sum, payee: facts.payee, rows: Number(facts.rows), digest: facts.digest },
    ...{ profile: facts.profile, environment: facts.environment, service: facts.service, clientId: facts.client },
    ...{ maker: persons.nameOf(facts.maker), makerId: facts.maker },
    ...{ requestedAt: facts.requestedAt, expiresAt: facts.expiresAt, needs },
    words: votes.map(({ person_id, decision, because, at }) => ({
      ...{ person: persons.nameOf(person_id), personId: person_id, because, at },
      decision: decision === 'approve' ? 'approve' : 'reject',
      counts: decision === 'reject' ? state === 'rejected' : counted.has(person_id),
    })),
  }
}

export function approvalShown(asked: AskedApproval): ApprovalShown {
  return { ...approvalTold(asked), request: asked.row === null ? null : journalEntry(intentOf(asked.row)).request }
}

/** The lines that an approver looks at: who asks for what, as whom, and what is sent. */
export function approvalRows({ words, request, ...told }: ApprovalShown): readonly (readonly [string, Cell])[] {
  const what = told.subject === 'plan' ? `${howMany(told.rows, 'row')} of ${told.payee}` : told.payee
  return [
    ['state', `${told.state}, ${words.filter(({ counts }) => counts).length} of ${told.needs}`],
    ['asked by', told.maker],
    ['sum', told.sum],
    [told.subject === 'plan' ? 'plan' : 'to', told.subject === 'plan' ? `${told.id}: ${what}` : what],
    ['as', `${told.profile} (${told.environment}), client ${told.clientId} of ${told.service}`],
    ['operation', told.operation],
    [told.subject === 'plan' ? 'hash' : 'payment', told.subject === 'plan' ? told.digest : told.id],
    ...requestRows(request),
    ['until', told.expiresAt],
    ...words.map(
      ({ person, decision, because, counts }) =>
        [person, `${decision}${because === '' ? '' : `: ${because}`}${counts ? '' : ' (does not count)'}`] as const,
    ),
  ]
}

/** The members of what is sent, each on a line of its own. */
function requestRows(request: unknown): readonly (readonly [string, Cell])[] {
  if (!isRecord(request)) return []
  return Object.entries(request).map(([name, value]) => [name, typeof value === 'string' ? value : writeJson(value)])
}

export function approvalView(shown: ApprovalShown): View {
  return [{ kind: 'facts', title: `Approval ${shown.approvalId}`, rows: approvalRows(shown) }]
}

export function personRows({ name, role, personId, publicKey, addedAt, revokedAt }: Person): [string, Cell][] {
  return [
    ['name', name],
    ['role', role],
    ['person id', personId],
    ['public key', publicKey],
    ['added', addedAt],
    ['revoked', revokedAt],
  ]
}

/** A rule of the store, with the names of its persons. */
export function ruleTold(
  rule: { readonly id: string; readonly currency: string; readonly from_units: string; readonly approvers: number } & {
    readonly added_at: string
    readonly added_by: string
  },
  persons: readonly Person[],
): RuleTold {
  const by = persons.find(({ personId }) => personId === rule.added_by)
  return {
    ...{ ruleId: rule.id, currency: rule.currency, from: new JsonNumber(fromMinorUnits(BigInt(rule.from_units))) },
    ...{ approvers: rule.approvers, addedAt: rule.added_at, addedBy: by?.name ?? rule.added_by },
  }
}

export function ruleRows({ ruleId, currency, from, approvers, addedBy, addedAt }: RuleTold): [string, Cell][] {
  return [
    ['from', `${currency} ${from}`],
    ['approvers', approvers],
    ['rule id', ruleId],
    ['added by', addedBy],
    ['added', addedAt],
  ]
}
