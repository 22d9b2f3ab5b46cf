/** Payments of the journal that a profile cannot ask for: another profile sent them, or the same one to another service. */
import type { Failure, FailureName } from '../failure.ts'
import { blank, type Hint, hint, paste } from '../hint.ts'
import { sameServiceHint } from '../journal/duplicates.ts'
import { type Intent, intentFailure } from '../journal/intent.ts'
import type { Profile } from '../profile/profile.ts'

type Sender = Pick<Profile, 'name' | 'environment' | 'serviceId'>

/** True for a payment to a world of the sandbox that `sandbox reset` has deleted: nobody can be asked for it. */
export function isOfEarlierWorld(intent: Intent, { environment, serviceId }: Sender): boolean {
  return environment === 'sandbox' && intent.environment === 'sandbox' && intent.serviceId !== serviceId
}

/** In words that follow the id of the payment. */
function whyElsewhere(intent: Intent, profile: Sender): string {
  if (isOfEarlierWorld(intent, profile))
    return 'was sent to an earlier world of the sandbox, which `sandbox reset` has deleted'
  return intent.profile === profile.name
    ? `was sent to another service, or by another client, than profile ${profile.name} has now`
    : `belongs to profile ${intent.profile}, not to ${profile.name}`
}

function whatNow(intent: Intent, profile: Sender): Hint[] {
  const { journalId, state } = intent
  if (!isOfEarlierWorld(intent, profile))
    return [intent.profile === profile.name ? sameServiceHint(intent) : hint`Name its profile: -p ${intent.profile}.`]
  const settle = paste('resume', journalId, '--settle', blank('<executed|refused>'), '--because', blank('"<why>"'))
  return [
    hint`\`${paste('journal show', journalId)}\` shows what the journal knows of it.`,
    ...(state === 'unknown' ? [hint`\`${settle}\` closes it.`] : []),
  ]
}

/** `what`: the payment in words. */
export function elsewhere(kind: FailureName, intent: Intent, profile: Sender, what = intent.journalId): Failure {
  const message = `${what} ${whyElsewhere(intent, profile)}`
  return intentFailure(kind, message, intent, { hints: whatNow(intent, profile) })
}
