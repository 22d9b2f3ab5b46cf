/**
 * Approvals on the command line: the person who speaks, what a typed name asks an approval for, and persons, rules and
 * approvals as people see them.
 */
import { Args, Flags } from '@oclif/core'
import type { Approvals, AskedApproval } from '../../approvals/approvals.ts'
import type { approvalResult, approvalShownResult, ruleResult } from '../../approvals/result.ts'
import type { PersonKey } from '../../approvals/signatures.ts'
import type { Person } from '../../approvals/team.ts'
import type { Plans } from '../../batch/plans.ts'
import { fromMinorUnits, JsonNumber, minorUnits } from '../../contract/core/decimal.ts'
import { accountInWords } from '../../contract/core/iban.ts'
import { howMany } from '../../contract/core/text.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import { journalEntry } from '../../journal/entry.ts'
import { findByName } from '../../journal/find.ts'
import { intentOf } from '../../journal/intent.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import { isRecord, writeJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import { isNewJournal, JournalAccess, journalPlace, personKeyVariable } from '../desk/journal.ts'
import type { Invocation } from '../invocation.ts'
import type { Cell, View } from '../output/view.ts'
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

/** A refund names no currency: it has that of its order. */
export const approvedSum = ({ sum }: Pick<ApprovalTold, 'sum'>) =>
  /^\d/.test(sum) ? `${sum} (currency of the order)` : sum

/** The lines that an approver looks at: who asks for what, as whom, and what is sent. */
export function approvalRows({ words, request, ...told }: ApprovalShown): readonly (readonly [string, Cell])[] {
  const what = told.subject === 'plan' ? `${howMany(told.rows, 'row')} of ${told.payee}` : accountInWords(told.payee)
  return [
    ['state', `${told.state}, ${words.filter(({ counts }) => counts).length} of ${told.needs}`],
    ['asked by', told.maker],
    ['sum', approvedSum(told)],
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
  const { currency, amount, ...others } = request
  const units = amount === undefined ? null : minorUnits(String(amount))
  const sum = units === null ? amount : fromMinorUnits(units)
  const rows = Object.entries(others).map(
    ([name, value]) =>
      [fieldInWords(name), typeof value === 'string' ? accountInWords(value) : writeJson(value)] as const,
  )
  return amount === undefined ? rows : [['amount', [currency, sum].filter(Boolean).join(' ')], ...rows]
}

/** `isBrief`: for the person who has just read it. */
export function approvalView(shown: ApprovalShown, isBrief = false): View {
  const rows = approvalRows(isBrief ? { ...shown, request: null } : shown)
  const known = new Set(['as', 'operation', 'hash', 'payment'])
  return [
    {
      kind: 'facts',
      title: `Approval ${shown.approvalId}`,
      rows: isBrief ? rows.filter(([name]) => !known.has(name)) : rows,
    },
  ]
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

/** The approvals of a command, and what a typed name asks one for: a payment of the journal, or a plan. */
export class ApprovalAccess {
  readonly #invocation: Invocation
  readonly #journal: JournalAccess

  #plans: Promise<Plans> | undefined

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#journal = new JournalAccess(invocation)
    invocation.attach(this)
  }

  async open(): Promise<Approvals> {
    return (await (await this.#journal.open()).fourEyes()).approvals
  }

  /** As it stands, held against what is left of its plan. Throws not-found (6). */
  async show(id: string): Promise<AskedApproval> {
    const approvals = await this.open()
    const shown = await approvals.show(id)
    const { subject, subject_id: planId } = shown.approval.row
    return subject === 'plan' ? approvals.show(id, await this.#leftOf(planId)) : shown
  }

  /** Null where the plan does not lie here. */
  async #leftOf(planId: string): Promise<ReadonlyMap<string, bigint> | null> {
    const { openPlan } = await import('../../batch/plans.ts')
    const { sumNewRows } = await import('../../batch/limits.ts')
    const { ownerOf } = await import('../../batch/rows.ts')
    try {
      const { store, plan } = await openPlan(await this.#placeOfPlans(), planId)
      this.#invocation.closeAtEnd(() => store.close())
      const { sums } = await sumNewRows(ownerOf(plan, await this.#journal.open()), await this.#holding(), store)
      return sums
    } catch (error) {
      if (error instanceof Failure && error.kind === 'not-found') return null
      throw error
    }
  }

  /** Asks for an approval of what is named, which stands for `validFor` milliseconds; gives its id. Throws not-found (6), usage (2). */
  async request(typed: string, validFor: number, key: PersonKey): Promise<string> {
    const approvals = await this.open()
    const { isPlanId } = await import('../../batch/plans.ts')
    if (isPlanId(typed.trim().toLowerCase())) {
      return approvals.requestPlan(await this.#plan(typed), validFor, key)
    }
    const { intents } = await findByName(await this.#journal.open(), typed)
    const intent = intents.find(({ state }) => state === 'held') ?? intents[0]
    if (intent) return approvals.requestPayment(intent.journalId, validFor, key)
    throw new Failure('not-found', `the journal has no payment ${typed}`, {
      hints: [hint`\`${paste('journal list', '--state', 'held')}\` lists payments that wait for an approval.`],
    })
  }

  /** A plan is asked for as it lies there now, to its last row. */
  async #plan(planId: string) {
    const { openPlan } = await import('../../batch/plans.ts')
    const { approvablePlan } = await import('../../batch/plan.ts')
    const { verifyPlan } = await import('../../batch/make-plan.ts')
    const { store, plan } = await openPlan(await this.#placeOfPlans(), planId)
    this.#invocation.closeAtEnd(() => store.close())
    if (plan.discardedAt !== null)
      throw new Failure('locked', `the plan ${plan.planId} was discarded`, { moneyMoved: 'no' })
    await verifyPlan(await this.#journal.open(), store, plan)
    return approvablePlan(plan)
  }
  /** A word about a plan denies nothing that its runs have sent. */
  readonly placed = async (failure: Failure): Promise<Failure> => {
    const { withMoneyOfPlans } = await import('../batch/plans.ts')
    return withMoneyOfPlans(failure, this.#invocation, () => ({
      plans: () => this.#placeOfPlans(),
      journal: async () => ({ journal: await this.#journal.open(), holding: await this.#holding() }),
      planOf: (word) => this.#planOf(word),
    }))
  }

  async #planOf(word: string): Promise<string | null> {
    if (!/^a-/i.test(word.trim()) || isNewJournal(this.#invocation.places)) return null
    try {
      const { approval } = await (await this.open()).show(word)
      return approval.row.subject === 'plan' ? approval.row.subject_id : null
    } catch (error) {
      if (error instanceof Failure && error.kind === 'not-found') return null
      throw error
    }
  }

  async #holding(): Promise<ThisProcess> {
    const { thisProcess } = await import('../../journal/lease.ts')
    return thisProcess(journalPlace(this.#invocation).team === null ? 'this-machine' : 'any-machine')
  }

  #placeOfPlans(): Promise<Plans> {
    this.#plans ??= import('../batch/plans.ts').then(({ plansOf }) => plansOf(this.#invocation))
    return this.#plans
  }
}
