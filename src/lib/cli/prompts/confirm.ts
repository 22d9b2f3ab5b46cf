/**
 * The confirmation before money moves: the payee, the amount, the profile. On live profiles the amount is typed, by hand or
 * with `--confirm "GEL 12.50"`; elsewhere a plain yes or `--yes` does. No person to ask and no flag: 2, nothing sent.
 */
import { fromMinorUnits, minorUnits } from '../../contract/core/decimal.ts'
import { Failure } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import { clean } from '../output/clean.ts'
import type { Asker } from './ask.ts'
import { askYesOrNo } from './yes-or-no.ts'

export interface ToConfirm {
  readonly live: boolean
  /** The kind of profile that a plain yes is not enough for, where it is not only live ones. */
  readonly strict?: string
  /** The write in lines for a person, with texts of others in them as they came. */
  readonly lines: readonly string[]
  /** Draws what is to be seen first in the question. */
  readonly draw?: (message: string) => string
  /** The text that `--confirm` must hold: "<CURRENCY> <amount>", of a plan how often too, or the id where a write has no amount. */
  readonly phrase: string
  /** A verb for what is agreed to: to send it, if not given. */
  readonly verb?: 'approve'
  /** True where the person may ask to change something first. */
  readonly mayMend?: boolean
}

/** The end of a confirmation: agreed to, or to be changed first. */
export type Agreed = 'agreed' | 'mend'

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
export async function confirmed(what: ToConfirm, consent: Consent, asker: Asker | null): Promise<Agreed> {
  if (consent.confirm !== undefined) {
    if (sameConsent(consent.confirm, what.phrase)) return 'agreed'
    throw declined(`--confirm says "${consent.confirm}", but this is "${what.phrase}"`)
  }
  if (consent.yes && what.live) {
    throw new Failure(
      'usage',
      `--yes is not enough on ${what.strict ?? 'a live profile'}; confirm with --confirm "${what.phrase}"`,
    )
  }
  if (consent.yes) return 'agreed'
  if (!asker) {
    const flag = what.live ? `--confirm "${what.phrase}"` : '--yes'
    throw new Failure('usage', `a confirmation is needed and there is nobody to ask; add ${flag}`)
  }
  return ask(what, asker)
}

/** One word, in any capitals. */
function word(typed: string): string {
  return typed.trim().toLowerCase()
}

async function ask(what: ToConfirm, asker: Asker): Promise<Agreed> {
  // A break within a line of others would begin a line of its own.
  const lines = `${what.lines.map(clean).join('\n')}\n`
  const { verb = 'send', mayMend = false, draw = (text) => text } = what
  if (what.live) return askForPhrase(what, asker, lines, verb)
  const question = `${lines}${verb === 'send' ? 'Send' : 'Approve'} it?`
  if (!mayMend) {
    if (await askYesOrNo(asker, question, draw)) return 'agreed'
    throw declined('you said no')
  }
  const typed = await asker.text({
    message: `${question} (send, mend or cancel)`,
    draw,
    validate: (text) =>
      ['send', 'yes', 'mend', 'cancel', 'no'].includes(word(text)) ? true : 'Type send, mend or cancel.',
  })
  return endOf(word(typed))
}

/** The phrase may be typed again: a slip of the finger is no refusal. */
async function askForPhrase(
  { phrase, draw = (text) => text, mayMend = false }: ToConfirm,
  asker: Asker,
  lines: string,
  verb: string,
) {
  const words = mayMend ? ['mend', 'cancel', 'no'] : ['cancel', 'no']
  const others = mayMend ? 'mend or cancel' : 'cancel'
  const typed = await asker.text({
    message: `${lines}Type "${clean(phrase)}" to ${verb} it, or ${others}:`,
    draw,
    validate: (text) => {
      if (text.trim() === '') return 'Type it, or ^C to stop.'
      const isTaken = sameConsent(text, phrase) || words.includes(word(text))
      return isTaken ? true : `That is not "${phrase}". Type it again, or ${others}.`
    },
  })
  return sameConsent(typed, phrase) ? 'agreed' : endOf(word(typed))
}

function endOf(typed: string): Agreed {
  if (typed === 'mend') return 'mend'
  if (typed === 'send' || typed === 'yes') return 'agreed'
  throw declined('you said no')
}
