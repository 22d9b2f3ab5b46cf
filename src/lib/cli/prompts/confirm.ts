/**
 * The confirmation before money moves: the payee, the amount, the profile. On live profiles the amount is typed, by hand or
 * with `--confirm "GEL 12.50"`; elsewhere a plain yes or `--yes` does. No person to ask and no flag: 2, nothing sent.
 */
import { fromMinorUnits, minorUnits } from '../../contract/core/decimal.ts'
import { Failure } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import { type Asker, askYesOrNo } from './ask.ts'

export interface ToConfirm {
  readonly live: boolean
  /** The kind of profile that a plain yes is not enough for, where it is not only live ones. */
  readonly strict?: string
  /** The write in lines for a person. */
  readonly lines: readonly string[]
  /** The text that `--confirm` must hold: "<CURRENCY> <amount>", of a plan how often too, or the id where a write has no amount. */
  readonly phrase: string
  /** A verb for what is agreed to: to send it, if not given. */
  readonly verb?: 'approve'
}

export interface Consent {
  readonly yes?: boolean | undefined
  readonly confirm?: string | undefined
}

/** The same sum or the same words: amounts are compared in minor units, "GEL 12.5" is "GEL 12.50". */
export function sameConsent(typed: string, phrase: string): boolean {
  return normal(typed) === normal(phrase)
}

/** True for "GEL 12.50": an id may have a plus, too, and its parts in another order are another id. */
function isSum(text: string): boolean {
  const [currency = '', amount = '', ...more] = text.trim().split(/\s+/)
  return /^[A-Za-z]{3}$/.test(currency) && minorUnits(amount) !== null && more.length === 0
}

function normal(text: string): string {
  // The sums of a plan, one for each currency.
  const sums = text.split('+')
  if (sums.length > 1 && sums.every(isSum)) return sums.map(normal).toSorted().join(' + ')
  // A sum without its currency, where that is unknown.
  const alone = minorUnits(text.trim())
  if (alone !== null) return fromMinorUnits(alone)
  const [currency = '', amount = '', ...often] = text.trim().split(/\s+/)
  const units = minorUnits(amount)
  // "every 2 months" follows the sum of a plan; more words than that are no sum.
  if (units === null || (often.length > 0 && often[0]?.toLowerCase() !== 'every')) return text.trim()
  return [currency.toUpperCase(), fromMinorUnits(units), ...often.map((word) => word.toLowerCase())].join(' ')
}

function declined(message: string): Failure {
  return new FailureBeforeSending('declined', message)
}

/** Resolves if the person agrees. Throws a Failure: declined (3), usage (2). `asker` is null where no person can be asked. */
export async function confirmed(what: ToConfirm, consent: Consent, asker: Asker | null): Promise<void> {
  if (consent.confirm !== undefined) {
    if (sameConsent(consent.confirm, what.phrase)) return
    throw declined(`--confirm says "${consent.confirm}", but this is "${what.phrase}"`)
  }
  if (consent.yes && what.live) {
    throw new Failure(
      'usage',
      `--yes is not enough on ${what.strict ?? 'a live profile'}; confirm with --confirm "${what.phrase}"`,
    )
  }
  if (consent.yes) return
  if (!asker) {
    const flag = what.live ? `--confirm "${what.phrase}"` : '--yes'
    throw new Failure('usage', `a confirmation is needed and there is nobody to ask; add ${flag}`)
  }
  await ask(what, asker)
}

async function ask(what: ToConfirm, asker: Asker): Promise<void> {
  const lines = `${what.lines.join('\n')}\n`
  const { verb = 'send' } = what
  if (!what.live) {
    if (await askYesOrNo(asker, `${lines}${verb === 'send' ? 'Send' : 'Approve'} it?`)) return
    throw declined('you said no')
  }
  const typed = await asker.text({
    message: `${lines}Type "${what.phrase}" to ${verb} it:`,
    validate: (text) => (text.trim() === '' ? 'Type it, or ^C to stop.' : true),
  })
  if (!sameConsent(typed, what.phrase)) throw declined(`you typed "${typed}", not "${what.phrase}"`)
}
