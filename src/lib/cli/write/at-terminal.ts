/** A write before a person at the terminal: what is known before, what they may edit. Loaded for a person only. */

import { minorUnits } from '../../contract/core/decimal.ts'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import { type RequestOf, violationInWords, type WriteOperation } from '../../contract/operation.ts'
import { createPayout, payoutBalance } from '../../contract/payout/payout.ts'
import { tidy, validate } from '../../contract/validate.ts'
import type { Desk } from '../../desk/desk.ts'
import { scopeOf } from '../../desk/new-intent.ts'
import { preflightDryRun } from '../../desk/preflight.ts'
import { call } from '../../desk/read.ts'
import { Failure } from '../../failure.ts'
import { hintInWords } from '../../hint.ts'
import { duplicateWarning } from '../../journal/duplicates.ts'
import type { Intent } from '../../journal/intent.ts'
import { visible } from '../../text.ts'
import { journalOf } from '../desk/journal.ts'
import type { Invocation } from '../invocation.ts'
import { type Asker, askField, fieldInWords, ruleOf, withWayBack } from '../prompts/ask.ts'
import type { RequestFields, Write } from './request.ts'

/**
 * Fields that a person may change: those with one value, but for the id, what the program fills in, and what is `known` to the command:
 * an argument has named it, and all that was looked up belongs to it.
 */
export function editableFields({ request, idField }: WriteOperation, known: Members): readonly Field[] {
  const isPlain = ({ json = 'text' }: Field) => json === 'text' || json === 'number' || json === 'boolean'
  const isFixed = ({ name, filled, secret }: Field) =>
    name === idField || filled || secret || Object.hasOwn(known, name)
  return fieldsOf(request).filter((field) => isPlain(field) && !isFixed(field))
}

/**
 * The request with another value for one of its fields, or without it; all others stay. Asked again until `complaints` has none; as it
 * was where the person goes back.
 */
export function editFields(
  asker: Asker,
  operation: WriteOperation,
  {
    fields,
    request,
    isPayeeFixed = false,
  }: { readonly fields: readonly Field[]; readonly request: Members; readonly isPayeeFixed?: boolean },
  complaints: (members: Members) => readonly string[] | Promise<readonly string[]>,
): Promise<Members> {
  const dialog = async (within: Asker) => {
    let members: Members = request
    for (let said: readonly string[] = []; ; ) {
      const choices = fields.map(({ name, help }) => ({
        value: name,
        name: `${fieldInWords(name)}: ${members[name] ?? '(none)'}`,
        description: help,
      }))
      const fixed = isPayeeFixed ? 'The payee stays: for another one cancel, and start again.\n' : ''
      const question = `${said.map((each) => `${visible(each)}\n`).join('')}${fixed}What is to be edited?`
      const chosen = await within.choice(question, choices)
      const field = fields.find(({ name }) => name === chosen)
      if (!field) continue
      const { [field.name]: before, ...others } = members
      const usual = before === undefined ? undefined : String(before)
      const typed = await askField(within, field, ruleOf(operation.request, field), { usual })
      members = typed === undefined ? others : { ...others, [field.name]: typed }
      said = await complaints(members)
      if (said.length === 0) return members
    }
  }
  return withWayBack(asker, dialog, () => request)
}

/** The way to a beneficiary; `--payee` names it. */
const payeeFields = ['toIban', 'receiverId']

/** What lets a person edit the request; null where there is nothing to edit. */
export function editorOf<Op extends WriteOperation>(
  { edge }: Invocation,
  operation: Op,
  { profile, known = {}, check = async () => undefined }: Write,
): ((asker: Asker, request: RequestOf<Op>) => Promise<RequestOf<Op>>) | null {
  const fields = editableFields(operation, known)
  if (fields.length === 0) return null
  const isPayeeFixed = payeeFields.some((name) => Object.hasOwn(known, name))
  const { permits, orderType } = profile
  const checked = (members: RequestFields) =>
    validate(operation, tidy(operation, members), { permits, orderType, now: edge.clock.now() })
  const complaints = async (members: RequestFields) => {
    const found = checked(members)
    return found.ok ? await complaintOf(() => check(found.request, null)) : found.violations.map(violationInWords)
  }
  return async (asker, request) => {
    const found = checked(await editFields(asker, operation, { fields, request, isPayeeFixed }, complaints))
    return found.ok ? found.request : request
  }
}

export async function complaintOf(work: () => Promise<void>): Promise<readonly string[]> {
  try {
    await work()
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [error.message]
  }
}

/** Milliseconds of a day: payments of one sum to one payee within it are suspected to be the same. */
const day = 24 * 60 * 60 * 1000
/** Milliseconds that a person waits for the balance. */
const timeForBalance = 5_000
const mostDuplicates = 5

/** The words for a payout without a name. The name is not required, but a bank may want it (assumed). */
const nameless = 'some banks reject a payout when they cannot compare the name'

/** `desk`: opened as the profile that pays. */
export async function remarksOnPayout(desk: Desk, request: Members, isNamedByKey: boolean): Promise<readonly string[]> {
  const [alike, balance] = await Promise.all([
    isNamedByKey ? [] : paymentsAlike(desk, request),
    balanceOf(desk, request),
  ])
  const isNameless = request.toIban !== undefined && request.beneficiaryName === undefined
  return [
    ...(balance === null ? [] : [`from a balance of ${balance}`]),
    ...(isNameless ? [`CAUTION: no beneficiary name: ${nameless}`] : []),
    ...alike.slice(0, mostDuplicates).map((each) => `CAUTION: ${duplicateWarning(each)}`),
    ...(alike.length > mostDuplicates ? [`CAUTION: and ${alike.length - mostDuplicates} more like it`] : []),
  ]
}

async function paymentsAlike({ journal, profile, clock }: Desk, request: Members): Promise<readonly Intent[]> {
  const { payee, amount, currency } = createPayout.moves(request)
  if (profile.duplicateGuard === 'off' || amount === null) return []
  const since = new Date(clock.now() - day).toISOString()
  const found = await journal.list({ scope: scopeOf(profile), operations: [createPayout], payees: [payee], since })
  const units = minorUnits(amount)
  const isAlike = (each: Intent) =>
    each.amountMinor !== null &&
    BigInt(each.amountMinor) === units &&
    each.currency === currency &&
    (mayRun.has(each.state) || each.isTaken)
  return found.filter((each) => isAlike(each) && each.uniqueId !== request.uniqueId)
}

const mayRun: ReadonlySet<string> = new Set(['accepted', 'exists', 'turned-away', 'unknown', 'held'])

/** Null where the service does not tell it: then it says so when the payout is sent. */
async function balanceOf(desk: Desk, { currency }: Members): Promise<string | null> {
  const asked = payoutBalance.request.safeParse({ currency })
  if (!asked.success) return null
  const told = await call(desk, payoutBalance, asked.data, desk.clock.now() + timeForBalance).catch(() => null)
  return told && `${told.currency} ${told.amount}`
}

/** Everything by which the journal would stop this write, or warn of it, in lines for the person who is asked; and whether it would be held. */
export async function obstaclesOf(
  invocation: Invocation,
  operation: WriteOperation,
  request: RequestFields,
  { flags, profile }: Write,
): Promise<{ readonly lines: readonly string[]; readonly isHeld: boolean }> {
  const { key: idempotencyKey = null, 'allow-duplicate': allowDuplicate = null } = flags
  const desk = { journal: await journalOf(invocation), profile, random: invocation.edge.random }
  try {
    const remarks = await preflightDryRun(desk, operation, request, { idempotencyKey, allowDuplicate })
    return { lines: remarks.map((each) => `CAUTION: ${each}`), isHeld: false }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const hints = (error.facts.hints ?? []).map((each) => `  ${hintInWords(each, invocation.naming)}`)
    const isHeld = error.kind === 'held'
    const line = isHeld ? `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}` : `STOP: ${error.message}`
    return { lines: [line, ...hints], isHeld }
  }
}
