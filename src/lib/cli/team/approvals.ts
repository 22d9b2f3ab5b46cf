/**
 * Approvals on the command line: the person who speaks, what a typed name asks an approval for, and persons, rules and
 * approvals as people see them.
 */
import { Args, Flags } from '@oclif/core'
import type { Approvals, AskedApproval } from '../../approvals/approvals.ts'
import type { approvalResult, approvalShownResult, ruleResult } from '../../approvals/result.ts'
import type { PersonKey } from '../../approvals/signatures.ts'
import type { Person } from '../../approvals/team.ts'
import { fromMinorUnits, JsonNumber, minorUnits } from '../../contract/core/decimal.ts'
import { accountInWords } from '../../contract/core/iban.ts'
import { howMany } from '../../contract/core/text.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import { journalEntry } from '../../journal/entry.ts'
import { findByName } from '../../journal/find.ts'
import { intentOf } from '../../journal/intent.ts'
import { requestIn } from '../../journal/payment-end.ts'
import { isRecord, writeJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import { isNewJournal, journalOf, journalPlace, personKeyVariable } from '../desk/journal.ts'
import type { Invocation } from '../invocation.ts'
import { type Cell, type Labels, labelled, type View } from '../output/view.ts'
import { fieldInWords } from '../prompts/ask.ts'
import { requireConsent } from '../prompts/confirm.ts'

/** Consent to what is signed; a script that gives neither has consented, except to an approval. */
export const signingFlags = {
  // First, because it has a letter: see consentFlags.
  yes: Flags.boolean({ char: 'y', description: 'do not ask' }),
  confirm: Flags.string({ description: 'the words of what is signed, compared before it is', helpValue: '<words>' }),
}

/** Throws declined (3) if `--confirm` says something else than what is signed. */
export async function mustBeMeant(
  { confirm }: { readonly confirm?: string | undefined },
  phrase: string,
): Promise<void> {
  await requireConsent({ live: false, lines: [], phrase }, { yes: true, confirm }, null)
}

export const approvalArgs = {
  id: Args.string({ ignoreStdin: true, required: true, description: 'an approval id' }),
}

export const personFlags = {
  'person-key': Flags.string({
    description: `file of your personal key; like ${personKeyVariable}`,
    helpValue: '<file>',
  }),
}

/** Throws credentials (4): no key is named, or it cannot be used. */
export async function personKeyOf(
  { edge }: Invocation,
  { 'person-key': typed }: { readonly 'person-key'?: string | undefined },
): Promise<PersonKey> {
  const path = typed ?? edge.env[personKeyVariable]
  if (!path) {
    throw new Failure('credentials', 'this must be signed with your personal key', {
      moneyMoved: 'no',
      hints: [
        hint`--person-key <file>, or ${personKeyVariable}=<file>.`,
        hint`\`${paste('team key generate', blank('<file>'))}\` generates one.`,
      ],
    })
  }
  const { readPersonKey } = await import('../../approvals/signatures.ts')
  return readPersonKey(path)
}

/** Persons, rules and approvals for people. */
export type DescribedApproval = ResultOf<typeof approvalResult>
export type WholeApproval = ResultOf<typeof approvalShownResult>
export type DescribedRule = ResultOf<typeof ruleResult>

/** A request as the result tells it. */
export function describeApproval({ approval, persons, needs }: AskedApproval): DescribedApproval {
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

export function showWholeApproval(asked: AskedApproval): WholeApproval {
  return { ...describeApproval(asked), request: asked.row === null ? null : journalEntry(intentOf(asked.row)).request }
}

/** The beneficiary of the payout that is asked for; null where it has no name, and for a plan. */
export function nameAsked({ row }: AskedApproval): string | null {
  const { beneficiaryName } = row === null ? {} : requestIn(intentOf(row).body)
  return typeof beneficiaryName === 'string' ? beneficiaryName : null
}

/** "1 of 2". */
export const approvedInWords = ({ words, needs }: DescribedApproval) =>
  `${words.filter(({ counts }) => counts).length} of ${needs}`

/** The payee; of a plan its rows and its file. */
export const payeeInWords = ({ subject, rows, payee }: DescribedApproval) =>
  subject === 'plan' ? `${howMany(rows, 'row')} of ${payee}` : accountInWords(payee)

/** A refund names no currency: it has that of its order. */
export const approvedSum = ({ sum }: Pick<DescribedApproval, 'sum'>) =>
  /^\d/.test(sum) ? `${sum} (currency of the order)` : sum

/** The lines that an approver looks at: who asks for what, as whom, and what is sent. */
export function approvalRows(shown: WholeApproval): readonly (readonly [string, Cell])[] {
  const isPlan = shown.subject === 'plan'
  const labels: Labels<WholeApproval> = {
    state: (told) => `${told.state}, ${approvedInWords(told)}`,
    'asked by': 'maker',
    sum: 'sum',
    ...(isPlan
      ? { plan: (told) => `${told.id}: ${payeeInWords(told)}` }
      : { to: ({ payee }) => accountInWords(payee) }),
    as: ({ profile, environment, clientId, service }) =>
      `${profile} (${environment}), client ${clientId} of ${service}`,
    operation: 'operation',
    ...(isPlan ? { hash: 'digest' } : { payment: 'id' }),
  }
  return [
    ...labelled(shown, labels),
    ...requestRows(shown.request),
    ['until', shown.expiresAt],
    ...shown.words.map(({ person, decision, because, counts }) => {
      return [person, `${decision}${because === '' ? '' : `: ${because}`}${counts ? '' : ' (does not count)'}`] as const
    }),
  ]
}

/** The members of what is sent, each on a line of its own. */
function requestRows(request: unknown): readonly (readonly [string, Cell])[] {
  if (!isRecord(request)) return []
  const { currency, amount, ...others } = request
  const units = amount === undefined ? null : minorUnits(String(amount))
  const sum = units === null ? amount : fromMinorUnits(units)
  const rows = Object.entries(others).map(
    ([name, value]) =>
      [fieldInWords(name), typeof value === 'string' ? accountInWords(value) : writeJson(value)] as const,
  )
  return amount === undefined ? rows : [['amount', [currency, sum].filter(Boolean).join(' ')], ...rows]
}

const readAbove = new Set(['as', 'operation', 'hash', 'payment'])

export const approvalView = (shown: WholeApproval): View => [
  { kind: 'facts', title: `Approval ${shown.approvalId}`, rows: approvalRows(shown) },
]

/** For the person who has just read it. */
export function briefApprovalView(shown: WholeApproval): View {
  const rows = approvalRows({ ...shown, request: null }).filter(([name]) => !readAbove.has(name))
  return [{ kind: 'facts', title: `Approval ${shown.approvalId}`, rows }]
}

export const personLabels: Labels<Person> = {
  name: 'name',
  role: 'role',
  'person id': 'personId',
  'public key': 'publicKey',
  added: 'addedAt',
  revoked: 'revokedAt',
}

/** A rule of the store, with the names of its persons. */
export function describeRule(
  rule: { readonly id: string; readonly currency: string; readonly from_units: string; readonly approvers: number } & {
    readonly added_at: string
    readonly added_by: string
  },
  persons: readonly Person[],
): DescribedRule {
  const by = persons.find(({ personId }) => personId === rule.added_by)
  return {
    ...{ ruleId: rule.id, currency: rule.currency, from: new JsonNumber(fromMinorUnits(BigInt(rule.from_units))) },
    ...{ approvers: rule.approvers, addedAt: rule.added_at, addedBy: by?.name ?? rule.added_by },
  }
}

export const ruleFrom = ({ currency, from }: DescribedRule) => `${currency} ${from}`

export const ruleLabels: Labels<DescribedRule> = {
  from: ruleFrom,
  approvers: 'approvers',
  'rule id': 'ruleId',
  'added by': 'addedBy',
  added: 'addedAt',
}

export async function approvalsOf(invocation: Invocation): Promise<Approvals> {
  return (await (await journalOf(invocation)).fourEyes()).approvals
}

/** The journal of this run, and its view of who is at work. */
export async function journalAndHolding(invocation: Invocation) {
  const { thisProcess } = await import('../../journal/lease.ts')
  const leaseHolder = thisProcess(journalPlace(invocation).team === null ? 'this-machine' : 'any-machine')
  return { journal: await journalOf(invocation), leaseHolder }
}

/** As it stands, held against what is left of its plan. Throws not-found (6). */
export async function showApproval(invocation: Invocation, id: string): Promise<AskedApproval> {
  const approvals = await approvalsOf(invocation)
  const shown = await approvals.show(id)
  const { subject, subject_id: planId } = shown.approval.row
  return subject === 'plan' ? approvals.show(id, await leftOfPlan(invocation, planId).catch(nullIfNotFound)) : shown
}

async function leftOfPlan(invocation: Invocation, planId: string): Promise<ReadonlyMap<string, bigint>> {
  const { planOf } = await import('../batch/plans.ts')
  const { sumNewRows } = await import('../../batch/limits.ts')
  const { ownerOf } = await import('../../batch/rows.ts')
  const { store, plan } = await planOf(invocation, planId)
  const { journal, leaseHolder } = await journalAndHolding(invocation)
  return (await sumNewRows(ownerOf(plan, journal), leaseHolder, store)).sums
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof Failure && error.kind === 'not-found') return null
  throw error
}

/**
 * Asks for an approval of what a typed name means, a payment of the journal or a plan, which stands for `validFor`
 * milliseconds; gives its id. Throws not-found (6), usage (2).
 */
export async function requestApproval(
  invocation: Invocation,
  typed: string,
  validFor: number,
  key: PersonKey,
): Promise<string> {
  const approvals = await approvalsOf(invocation)
  const { isPlanId } = await import('../../batch/plans.ts')
  if (isPlanId(typed.trim().toLowerCase())) {
    return approvals.requestPlan(await planToApprove(invocation, typed), validFor, key)
  }
  const { intents } = await findByName(await journalOf(invocation), typed)
  const intent = intents.find(({ state }) => state === 'held') ?? intents[0]
  if (intent) return approvals.requestPayment(intent.journalId, validFor, key)
  throw new Failure('not-found', `the journal has no payment ${typed}`, {
    hints: [hint`\`${paste('journal list', '--state', 'held')}\` lists payments that wait for an approval.`],
  })
}

/** A plan is asked for as it lies there now, to its last row. */
async function planToApprove(invocation: Invocation, planId: string) {
  const { planOf } = await import('../batch/plans.ts')
  const { approvablePlan } = await import('../../batch/plan.ts')
  const { verifyPlan } = await import('../../batch/make-plan.ts')
  const { store, plan } = await planOf(invocation, planId)
  if (plan.discardedAt !== null)
    throw new Failure('locked', `the plan ${plan.planId} was discarded`, { moneyMoved: 'no' })
  await verifyPlan(await journalOf(invocation), store, plan)
  return approvablePlan(plan)
}

/** The plan that an approval id is about; null for any other word. */
export async function approvedPlanOf(invocation: Invocation, word: string): Promise<string | null> {
  if (!/^a-/i.test(word.trim()) || isNewJournal(invocation.places)) return null
  const shown = await (await approvalsOf(invocation)).show(word).catch(nullIfNotFound)
  return shown?.approval.row.subject === 'plan' ? shown.approval.row.subject_id : null
}
