/**
 * Requests for an approval and the words about them, signed. Whether they are enough, the transaction that sends
 * decides.
 */
import { minorUnits } from '../contract/core/decimal.ts'
import type { ServicePlace } from '../contract/service.ts'
import type { Clock, Random } from '../edge.ts'
import { Failure, type FailureName } from '../failure.ts'
import { type Hint, hint, paste } from '../hint.ts'
import { writeJson } from '../json.ts'
import { tbilisiDay } from '../spending.ts'
import type { Store } from '../store/engine/store.ts'
import {
  addApproval,
  addVote,
  approvalOfId,
  approvalsAbout,
  type DaySum,
  daySumsSince,
} from '../store/journal/approvals.ts'
import { recordedIntent } from '../store/journal/intents.ts'
import type { ApprovalRow, IntentRow, JournalReader, JournalTables } from '../store/journal/schema.ts'
import { decideOnPlan, neededFor } from './decide.ts'
import { ActingStore, type ProvenPersons, plainWords, provenPersons, requirePerson } from './persons.ts'
import { type ApprovalState, decisionOn, type ProvenApproval, provenApproval } from './proof.ts'
import { rulingOn } from './ruling.ts'
import type { PersonKey } from './signatures.ts'
import {
  type ApprovablePlan,
  type ApprovalSubject,
  type MachineIdentity,
  paymentOf,
  paymentSubject,
  planSubject,
  type Ruling,
} from './subject.ts'
import { Team } from './team.ts'

/** `row`: the intent; null for a plan. */
export interface AskedApproval {
  readonly approval: ProvenApproval
  readonly row: IntentRow | null
  readonly persons: ProvenPersons
  /** How many have to approve, as it stands now. */
  readonly needs: number
  readonly left: NewSums
}

/** Minor units, by currency, of the new rows of a plan; null where nobody has looked: then it is taken as a new one. */
type NewSums = ReadonlyMap<string, bigint> | null

export class Approvals extends ActingStore {
  readonly #notHeld: (row: IntentRow) => Failure

  /** `notHeld`: the failure where nothing waits for an approval. */
  constructor(store: Store<JournalTables>, clock: Clock, random: Random, notHeld: (row: IntentRow) => Failure) {
    super(store, clock, random)
    this.#notHeld = notHeld
  }

  /** Throws usage (2), credentials (4), duplicate (7). */
  requestPayment(journalId: string, validFor: number, key: PersonKey): Promise<string> {
    return this.#request(journalId, validFor, key, async (db) => {
      const row = await recordedIntent(db, journalId)
      if (row.state !== 'held') throw this.#notHeld(row)
      return paymentSubject(paymentOf(row), journalId)
    })
  }

  requestPlan(plan: ApprovablePlan, validFor: number, key: PersonKey): Promise<string> {
    return this.#request(plan.planId, validFor, key, async () => planSubject(plan))
  }

  list(): Promise<AskedApproval[]> {
    return this.store.read(async (db) => {
      const persons = await provenPersons(db)
      const asked: AskedApproval[] = []
      for (const row of await approvalsAbout(db, null)) asked.push(await this.#asked(db, row, persons))
      return asked
    })
  }

  /** Throws not-found (6). */
  show(id: string, left: NewSums = null): Promise<AskedApproval> {
    return this.store.read(async (db) => this.#asked(db, await named(db, id), await provenPersons(db), left))
  }

  /** Throws what `decide` would throw, before a person is asked for a word that cannot count. */
  mustTake({ approval, persons }: AskedApproval, decision: 'approve' | 'reject', key: PersonKey): void {
    mayDecide(approval, persons, decision, key)
  }

  /**
   * The same word once more changes nothing. Throws credentials (4) for one's own request, held (13) for one that has
   * expired, locked (12) for one that is over or another by now, duplicate (7) after another word.
   */
  decide(
    shown: AskedApproval,
    decision: 'approve' | 'reject',
    because: string,
    key: PersonKey,
  ): Promise<AskedApproval> {
    const words = plainWords(because, '--because')
    return this.change(async (db) => {
      const persons = await provenPersons(db)
      const row = await named(db, shown.approval.row.id)
      const { approval } = await this.#asked(db, row, persons)
      if (row.facts !== shown.approval.row.facts) throw overFor(approval, 'outdated')
      const { person, said } = mayDecide(approval, persons, decision, key)
      if (said) return this.#asked(db, row, persons, shown.left)
      const vote = { approval_id: row.id, person_id: person.id, decision, because: words, at: this.iso }
      const signature = key.sign('decision', decisionOn(approval.facts, vote))
      await addVote(db, { ...vote, signature, salt: this.newName('v').salt })
      return this.#asked(db, row, persons, shown.left)
    })
  }

  #request(
    subjectId: string,
    validFor: number,
    key: PersonKey,
    subjectOf: (db: JournalReader) => Promise<ApprovalSubject>,
  ): Promise<string> {
    return this.change(async (db) => {
      const persons = await provenPersons(db)
      const maker = requirePerson(persons, key.publicKey)
      const subject = await subjectOf(db)
      for (const row of await approvalsAbout(db, subjectId)) {
        const { state } = await provenApproval(db, row, subject, persons, this.now)
        if (state === 'open') {
          const hints = [hint`\`${paste('approval show', row.id)}\` shows its state.`]
          throw refuse('duplicate', `approval of it was already requested (${row.id})`, hints)
        }
      }
      const { id, salt } = this.newName('a')
      const requestedAt = this.iso
      const expiresAt = new Date(this.now + validFor).toISOString()
      const facts = { approval: id, maker: maker.id, ...subject, requestedAt, expiresAt }
      await addApproval(db, {
        ...{ id, salt, subject: subject.subject, subject_id: subjectId, maker: maker.id, requested_at: requestedAt },
        ...{ facts: writeJson(facts), signature: key.sign('request', facts), used_at: null },
      })
      return id
    })
  }

  async #asked(
    db: JournalReader,
    row: ApprovalRow,
    persons: ProvenPersons,
    left: NewSums = null,
  ): Promise<AskedApproval> {
    const intent = row.subject === 'payment' ? await recordedIntent(db, row.subject_id) : null
    const subject = intent && paymentSubject(paymentOf(intent), intent.id)
    const approval = await provenApproval(db, row, subject, persons, this.now)
    return { approval, row: intent, persons, left, needs: await this.#needs(db, approval, intent, left) }
  }

  async #needs(db: JournalReader, { facts, row }: ProvenApproval, intent: IntentRow | null, left: NewSums) {
    if (intent) return (await rulingOn(db, paymentOf(intent), intent, {}, { now: this.now })).needs
    const [{ subject_id: planId, maker }, whole] = [row, sumsIn(facts.sum)]
    return neededFor(db, { planId, environment: facts.environment, maker, whole, left: left ?? whole }, this.now)
  }
}

/** The person of a key, and their word if said already. Throws as `decide`. */
function mayDecide(
  approval: ProvenApproval,
  persons: ProvenPersons,
  decision: 'approve' | 'reject',
  { publicKey }: PersonKey,
) {
  const { row, votes, state } = approval
  const person = requirePerson(persons, publicKey)
  const { id } = row
  if (person.id === row.maker) {
    const message = `you requested this approval (${id}) yourself; another person must approve or reject it`
    throw refuse('credentials', message, [hint`\`${paste('team key list')}\` lists the persons.`])
  }
  const said = votes.find(({ person_id }) => person_id === person.id)
  if (said && said.decision !== decision) {
    const message = `${person.name} has already answered ${id}: ${said.decision}`
    throw refuse('duplicate', message, [hint`\`${paste('approval show', id)}\` shows all answers.`])
  }
  if (!said && state !== 'open') throw overFor(approval, state)
  return { person, said }
}

function sumsIn(words: string): Map<string, bigint> {
  const sums = words.split(' + ').map((sum) => sum.split(' '))
  return new Map(sums.map(([currency = '', amount = '']) => [currency, minorUnits(amount) ?? 0n]))
}

async function named(db: JournalReader, id: string): Promise<ApprovalRow> {
  const row = await approvalOfId(db, id.trim().toLowerCase())
  if (row) return row
  throw new Failure('not-found', `this store has no approval request ${id}`, {
    hints: [hint`\`${paste('approval list')}\` lists them.`],
  })
}

function refuse(kind: FailureName, message: string, hints: readonly Hint[]): Failure {
  return new Failure(kind, message, { moneyMoved: 'no', hints })
}

/** Expired: held (13), as the payment itself; over in another way: locked (12). */
function overFor({ row, facts }: ProvenApproval, state: ApprovalState): Failure {
  const again = hint`The requester can ask again: \`${paste('approval request', facts.id)}\`.`
  if (state === 'expired') return refuse('held', `${row.id} has expired (${facts.expiresAt})`, [again])
  const words = {
    open: 'is open',
    used: 'was used: the payment was sent',
    rejected: 'was rejected',
    outdated: 'does not cover what it asked for as that is now',
    void: 'is void: its maker was revoked, or its signature is none',
  }
  return new Failure('locked', `${row.id} ${words[state]}`, {
    moneyMoved: state === 'used' ? 'unknown' : 'no',
    hints: [hint`\`${paste('approval show', row.id)}\` shows the details.`, ...(state === 'used' ? [] : [again])],
  })
}

export class FourEyes {
  readonly team: Team
  readonly approvals: Approvals
  readonly #store: Store<JournalTables>
  readonly #leaseHolder: MachineIdentity

  constructor(
    store: Store<JournalTables>,
    clock: Clock,
    random: Random,
    leaseHolder: MachineIdentity,
    notHeld: (row: IntentRow) => Failure,
  ) {
    this.#store = store
    this.#leaseHolder = leaseHolder
    this.team = new Team(store, clock, random)
    this.approvals = new Approvals(store, clock, random, notHeld)
  }

  daySums({ environment }: Pick<ServicePlace, 'environment'>): Promise<readonly DaySum[]> {
    return this.#store.read((db) => daySumsSince(db, environment, tbilisiDay(this.team.now)))
  }

  /**
   * The word of the rules about the new rows of a plan. `sums`: minor units by currency; `day`: the sums of the day, as
   * they stand now if not given.
   */
  planRuling(
    plan: ApprovablePlan,
    sender: ServicePlace,
    sums: ReadonlyMap<string, bigint>,
    day?: readonly DaySum[],
  ): Promise<Ruling> {
    const deciding = { now: this.team.now, leaseHolder: this.#leaseHolder }
    return this.#store.read((db) => decideOnPlan(db, plan, { sender, sums, ...(day ? { day } : {}) }, deciding))
  }
}
