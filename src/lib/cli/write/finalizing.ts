/** A wallet order that is to be finalized: its id, and the time that is left, told before a person is asked for more. */
import { tidy } from '../../contract/validate.ts'
import { createWalletOrder, finalizeWalletOrder } from '../../contract/wallet/wallet.ts'
import { idForKey } from '../../desk/new-intent.ts'
import type { Done } from '../../desk/receipts.ts'
import {
  amountDue,
  describeDue,
  type Finalizing,
  finalizableNow,
  finalizeWallet,
  finalizing,
  hasLapsed,
  readFinalizing,
  remarksOnUnchecked,
  requireFinalizable,
  walletIdOf,
  wrongAmount,
} from '../../desk/wallet.ts'
import { Failure } from '../../failure.ts'
import type { Profile } from '../../profile/profile.ts'
import { openDeskAs } from '../desk/desk.ts'
import { journalOf, typedSubjectOf } from '../desk/journal.ts'
import { profileOf } from '../desk/profile.ts'
import { givenFields } from '../flags/fields.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { type Asker, another, anotherChoice, askForMissing } from '../prompts/ask.ts'
import type { DryRun } from '../unsent.ts'
import { consentOf } from './consent.ts'
import { dryRunOf } from './dry-run.ts'
import { requireIdempotencyKey, type WriteFlags, wantsDryRun } from './flags.ts'
import { type RequestFields, requestOf, type Write } from './request.ts'

/** The id alone, so that the time that is left can be told before anything else is asked. */
const idAlone = { ...finalizeWalletOrder, request: finalizeWalletOrder.request.pick({ uniqueId: true }) }

type FinalizingFlags = WriteFlags & SharedFlags & { readonly 'no-local-check'?: boolean | undefined }

/** `word`: names the order. Throws a Failure: usage (2) for what cannot be finalized, unknown (9) where that cannot be told. */
export async function finalizeOrder(
  invocation: Invocation,
  word: string | undefined,
  flags: FinalizingFlags,
): Promise<Done | DryRun> {
  const { key, 'no-local-check': isUnchecked = false, ...own } = flags
  const profile = await profileOf(invocation, flags, 'wallet')
  const known = await idOf(invocation, profile, {
    word,
    key,
    uniqueId: givenFields(finalizeWalletOrder, { ...own }).uniqueId,
  })
  const ask = (asker: Asker, _: unknown, typed: RequestFields) =>
    askToFinalize(invocation, asker, typed, profile, flags)
  const typed = await requestOf(invocation, finalizeWalletOrder, { flags: own, profile, known, ask })
  const isDry = wantsDryRun(flags)
  const desk = () => openDeskAs(invocation, profile, flags)
  /** With its details read anew where its end came by time. */
  const checkedOrder = async (before: Finalizing, amount: unknown) => {
    if (isUnchecked || (isDry && hasLapsed(before))) return before
    const order = hasLapsed(before) ? await readFinalizing(await desk(), before) : before
    requireFinalizable(order, String(amount))
    return order
  }
  const order = await checkedOrder(await orderOf(invocation, profile, typed.uniqueId), typed.amount)
  const write: Write = {
    ...{ flags, profile, known, currency: order.known?.currency ?? null },
    remarksOn: async () => due(order),
    check: async ({ amount }) => {
      if (!isUnchecked && !hasLapsed(order)) requireFinalizable(order, String(amount))
    },
  }
  if (isDry) {
    const dry = await dryRunOf(invocation, finalizeWalletOrder, typed, write)
    return { ...dry, warnings: [...dry.warnings, ...remarksOnUnchecked(order)] }
  }
  const { request, wasSeen } = await consentOf(invocation, finalizeWalletOrder, typed, write, desk)
  // The question has taken time.
  await checkedOrder(order, request.amount)
  if (!wasSeen) sayWhatIsDue(invocation, order)
  return finalizeWallet(await desk(), request, order, { idempotencyKey: key ?? null, checked: !isUnchecked })
}

async function orderOf(invocation: Invocation, profile: Profile, uniqueId: unknown): Promise<Finalizing> {
  return finalizing({ profile, journal: await journalOf(invocation) }, String(uniqueId))
}

interface Naming {
  readonly word: string | undefined
  readonly key: string | undefined
  readonly uniqueId: unknown
}

/** The id that a word or a key names; nothing where neither is given. Throws Failure('usage'). */
async function idOf(invocation: Invocation, profile: Profile, { word, key, uniqueId }: Naming): Promise<RequestFields> {
  const ways = { 'the word <uniqueId>': word, '--key': key, '--unique-id': uniqueId }
  const [one, other] = Object.entries(ways).flatMap(([way, value]) => (value === undefined ? [] : [way]))
  if (other !== undefined) {
    throw new Failure('usage', `give ${one} or ${other}, not both: each names the order`)
  }
  if (key !== undefined) requireIdempotencyKey(key)
  if (word === undefined && key === undefined) return {}
  const at = { journal: await journalOf(invocation), profile }
  return { uniqueId: key === undefined ? await walletIdOf(at, word ?? '') : await idForKey(at, createWalletOrder, key) }
}

async function askToFinalize(
  invocation: Invocation,
  asker: Asker,
  typed: RequestFields,
  profile: Profile,
  flags: FinalizingFlags,
): Promise<RequestFields> {
  const uniqueId = typed.uniqueId ?? (await chosen(invocation, asker, profile))
  const known = uniqueId === undefined ? typed : { ...typed, uniqueId }
  const named = tidy(finalizeWalletOrder, await askForMissing(asker, idAlone, known))
  typedSubjectOf(invocation).id = String(named.uniqueId)
  const order = await orderOf(invocation, profile, named.uniqueId)
  const isChecked = !flags['no-local-check']
  if (isChecked && !hasLapsed(order)) requireFinalizable(order, null)
  const wrong = (amount: string) => (isChecked ? wrongAmount(order, amount) : null)
  const { amount, ...others } = named
  // With these flags a person wants no question.
  const isFirm = flags.yes || flags.confirm !== undefined || wantsDryRun(flags)
  const complaint = amount === undefined || isFirm ? null : wrong(String(amount))
  if (complaint !== null) invocation.output.say(`--amount ${complaint}. Nothing was sent.`)
  if (complaint !== null || amount === undefined) sayWhatIsDue(invocation, order)
  return askForMissing(asker, finalizeWalletOrder, complaint === null ? named : others, {
    amount: {
      usual: amountDue(order) ?? undefined,
      wrong: (value) => {
        const said = wrong(value)
        return said && `It ${said}.`
      },
    },
  })
}

/** One of the orders that can be finalized now; undefined where there is none, or another one is meant. */
async function chosen(invocation: Invocation, asker: Asker, profile: Profile): Promise<string | undefined> {
  const open = await finalizableNow({ profile, journal: await journalOf(invocation) })
  if (open.length === 0) return undefined
  const choices = open.map((order) => ({
    value: order.uniqueId,
    name: describeDue(order) ?? order.uniqueId,
    description: order.uniqueId,
  }))
  const typed = { ...anotherChoice, description: 'type its uniqueId' }
  const choice = await asker.choice('Which wallet order?', [...choices, typed])
  return choice === another ? undefined : choice
}

const due = (order: Finalizing): readonly string[] => [describeDue(order)].filter((each) => each !== null)

function sayWhatIsDue(invocation: Invocation, order: Finalizing): void {
  for (const line of due(order)) invocation.output.say(line)
}
