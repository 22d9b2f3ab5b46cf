/** The payees of a command's profile, and the one that its flags name. No service is asked. */
import { z } from 'zod'
import { field, fieldsOf } from '../../contract/core/field.ts'
import { accountInWords } from '../../contract/core/iban.ts'
import type { Members } from '../../contract/core/members.ts'
import type { Permission } from '../../contract/core/permission.ts'
import { membersOf, type NamedAccount, payeeAlone, payeeIn } from '../../contract/payout/payee.ts'
import { newPayout } from '../../contract/payout/request.ts'
import { tidy, validate } from '../../contract/validate.ts'
import { Failure } from '../../failure.ts'
import { nearestWord, type Payee } from '../../journal/payees.ts'
import type { Profile } from '../../profile/profile.ts'
import { givenFields, refuse } from '../flags/fields.ts'
import { named, type SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { type Labels, tableOf, type View } from '../output/view.ts'
import { type Asker, askForMissing, payeeQuestions, terminalAsker, withWayBack } from '../prompts/ask.ts'
import { isNewJournal, journalOf } from './journal.ts'
import { consultSandbox, profileName } from './profile.ts'

export const payeeArgs = { payee: named('its payee id, account, or name') }

/** A payee whose fields may all be left out: those of a payee that is changed. */
export const changesOfPayee = {
  ...payeeAlone,
  request: payeeAlone.request.extend({ beneficiaryName: newPayout.shape.beneficiaryName }),
}

const waysToAccount = ['toIban', 'receiverId', 'receiverType']

/** The payee as a question for each of its fields; a currency is chosen, and so asked for only where there is one to leave out. */
function questioned(own: Members) {
  const { shape } = payeeAlone.request
  const asked = fieldsOf(payeeAlone.request).map((each) => {
    const isOwn = () => each.options === null || own[each.name] !== undefined
    return [each.name, field(shape[each.name as keyof typeof shape], { ...each, asked: each.asked ?? isOwn })] as const
  })
  return { ...payeeAlone, request: z.strictObject(Object.fromEntries(asked)) }
}

/** Payees that a person chooses from: those that are listed, and in the sandbox its own. */
export async function payeesToChoose(
  invocation: Invocation,
  { name, environment }: Profile,
): Promise<readonly NamedAccount[]> {
  const listed = await (await journalOf(invocation)).payees.list(name)
  if (environment !== 'sandbox') return listed
  const there = await (await consultSandbox(invocation)).payees(name)
  return [...listed, ...there.filter(({ account }) => listed.every((each) => each.account !== account))]
}

/** The listed payee that `--payee` means. A dry run makes no journal where there is none. */
export async function listedPayee(
  invocation: Invocation,
  typed: string,
  { name }: Profile,
  isDry: boolean,
): Promise<Payee> {
  if (isDry && isNewJournal(invocation.places)) return nearestWord([], typed, name)
  return (await journalOf(invocation)).payees.find(name, typed)
}

/** Throws credentials (4) where there is no such profile. */
export async function openPayees(invocation: Invocation, flags: Pick<SharedFlags, 'profile'>) {
  const profile = await profileName(invocation, flags)
  const { payees } = await journalOf(invocation)
  return { profile, payees }
}

type Typed = Readonly<Record<string, unknown>>

/** The beneficiary of the flags, asked for at a terminal where it is not whole. Throws usage (2). */
export async function namedPayee(invocation: Invocation, flags: Typed): Promise<NamedAccount> {
  const { canAsk, edge, signal } = invocation
  const typed = tidy(payeeAlone, givenFields(payeeAlone, flags))
  if (!canAsk) return checkedPayee(invocation, typed)
  const ask = (asker: Asker) => askForMissing(asker, payeeAlone, typed, payeeQuestions)
  return checkedPayee(invocation, tidy(payeeAlone, await withWayBack(terminalAsker(edge, signal), ask)))
}

/** The payee with the values of the flags, or of a person, instead of its own. Throws usage (2). */
export async function changedPayee(invocation: Invocation, payee: NamedAccount, flags: Typed): Promise<NamedAccount> {
  const { canAsk, edge, signal } = invocation
  const own = membersOf(payee)
  const typed = tidy(payeeAlone, givenFields(payeeAlone, flags))
  if (Object.keys(typed).length > 0) {
    const isMoved = waysToAccount.some((name) => typed[name] !== undefined)
    const kept = Object.entries(own).filter(([name]) => !isMoved || !waysToAccount.includes(name))
    const members = Object.entries({ ...Object.fromEntries(kept), ...typed })
    return checkedPayee(invocation, Object.fromEntries(members.filter(([, value]) => value !== '')))
  }
  if (!canAsk) throw new Failure('usage', 'no flag says what to change')
  const asking = Object.fromEntries(
    Object.entries(own).map(([name, usual]) => [name, { ...payeeQuestions[name], usual }]),
  )
  const ask = (asker: Asker) => askForMissing(asker, questioned(own), {}, asking)
  return checkedPayee(invocation, tidy(payeeAlone, await withWayBack(terminalAsker(edge, signal), ask)))
}

/** Throws usage (2), naming every violation by its flag. */
function checkedPayee({ edge }: Invocation, members: Members): NamedAccount {
  const circumstances = { permits: new Set<Permission>(), orderType: null, now: edge.clock.now() }
  const checked = validate(payeeAlone, members, circumstances)
  if (!checked.ok) throw refuse(payeeAlone, checked.violations)
  return payeeIn(checked.request)
}

const detailLabels = {
  'identity number': 'beneficiaryIdentityNumber',
  address: 'beneficiaryAddress',
  born: 'birthDate',
  currency: 'currency',
} as const satisfies Labels<Payee>

export const payeeLabels: Labels<Payee> = {
  name: 'name',
  account: ({ account }) => accountInWords(account),
  ...detailLabels,
  'payee id': 'payeeId',
  since: 'addedAt',
  profile: 'profile',
}

export function payeesView(payees: readonly Payee[]): View {
  // A column that all leave empty takes room from the others.
  const details = Object.entries(detailLabels).filter(([, name]) => payees.some((each) => each[name] !== null))
  const { name, account, since, 'payee id': payeeId } = payeeLabels
  const columns = { name, account, ...Object.fromEntries(details), since, 'payee id': payeeId } as Labels<Payee>
  return [tableOf(payees, columns, 'No payees.')]
}
