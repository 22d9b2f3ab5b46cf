/** A write from the command line on: the checked request, then a dry run of it, or consent and the work. */
import type { RequestOf, WriteOperation } from '../../contract/operation.ts'
import type { Desk } from '../../desk/desk.ts'
import { isBuiltIn } from '../../profile/built-in.ts'
import type { Profile } from '../../profile/profile.ts'
import { openDeskAs } from '../desk/desk.ts'
import { journalOf } from '../desk/journal.ts'
import { hintingAtOwner } from '../desk/order-owner.ts'
import { profileName, profileOf } from '../desk/profile.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { askForMissing } from '../prompts/ask.ts'
import type { DryRun } from '../unsent.ts'
import { consentOf } from './consent.ts'
import { dryRunOf } from './dry-run.ts'
import { type WriteFlags, wantsDryRun } from './flags.ts'
import { refuseFlags, requestOf, type Write } from './request.ts'

/** The profile of a payout; flags that are wrong for every profile are refused before the sandbox is opened. */
export async function payoutProfile(
  invocation: Invocation,
  operation: WriteOperation,
  flags: SharedFlags & WriteFlags,
): Promise<Profile> {
  if (isBuiltIn(await profileName(invocation, flags))) refuseFlags(invocation, operation, flags)
  return profileOf(invocation, flags, 'payouts')
}

/** The order that a word names, and the profile that it is the order of. Throws a Failure as `orderOfId`. */
export async function orderToChange(invocation: Invocation, flags: SharedFlags, id: string) {
  const profile = await hintingAtOwner(invocation, flags, id, () => profileOf(invocation, flags, 'orders'))
  const journal = await journalOf(invocation)
  const { orderOfId } = await import('../../desk/orders.ts')
  return { profile, journal, found: await orderOfId({ profile, journal }, id) }
}

/** The complaint of a check about an answer, which names no flag; null where it passes. */
async function complaintAbout(check: () => Promise<void>): Promise<string | null> {
  const { complaintOf } = await import('./at-terminal.ts')
  const [said] = await complaintOf(check)
  return said === undefined ? null : `${said.replace(/^--amount /, '')}.`
}

/** The whole way of a write: the work begins when the request is agreed to; a dry run ends before that. */
export async function runWrite<Op extends WriteOperation, Result>(
  invocation: Invocation,
  operation: Op,
  write: Write,
  work: (desk: Desk, request: RequestOf<Op>, wasSeen: boolean) => Promise<Result>,
): Promise<Result | DryRun> {
  const { flags, profile, check = async () => undefined } = write
  let opened: Promise<Desk> | null = null
  const desk = () => {
    opened ??= openDeskAs(invocation, profile, flags)
    return opened
  }
  const isDry = wantsDryRun(flags)
  const checking = isDry ? null : desk
  // A sum that can only fail is asked for again.
  const ask: Write['ask'] = (asker, asked, members) =>
    askForMissing(asker, asked, members, {
      amount: { wrong: (amount) => complaintAbout(() => check({ ...members, amount }, checking)) },
    })
  const typed = await requestOf(invocation, operation, { ask, ...write })
  await check(typed, checking)
  if (isDry) return dryRunOf(invocation, operation, typed, write)
  const { request, wasSeen } = await consentOf(invocation, operation, typed, write, desk)
  return work(await desk(), request, wasSeen)
}
