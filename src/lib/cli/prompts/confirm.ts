/**
 * The confirmation before money moves. On live profiles the amount is typed, by hand or with `--confirm "GEL 12.50"`;
 * elsewhere a plain yes or `--yes` does. No person to ask and no flag: 2, nothing sent. Enter alone answers nothing.
 */

import { fromMinorUnits, minorUnits } from '../../contract/core/decimal.ts'
import { Failure, FailureBeforeSending } from '../../failure.ts'
import { visible } from '../../text.ts'
import type { Invocation } from '../invocation.ts'
import { type Asker, back, terminalAsker } from './ask.ts'

/** One word, in any capitals. */
function word(typed: string): string {
  return typed.trim().toLowerCase()
}

/** The answer among these, by its words or a short form; null where it is none. */
function answerIn<Answer extends string>(
  typed: string,
  answers: Readonly<Record<Answer, readonly string[]>>,
): Answer | null {
  const own = Object.entries<readonly string[]>(answers).find(([, forms]) => forms.includes(word(typed)))
  return own ? (own[0] as Answer) : null
}

/** "send, edit or cancel". */
function inOneLine(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

const yesOrNo = { yes: ['yes', 'y'], no: ['no', 'n', 'cancel'] } as const

/** True for yes. */
export async function askYesOrNo(asker: Asker, message: string): Promise<boolean> {
  const answer = await asker.text({
    message: `${message} (yes or no)`,
    validate: (typed) => (answerIn(typed, yesOrNo) === null ? 'Type yes or no.' : true),
  })
  return answerIn(answer, yesOrNo) === 'yes'
}

interface Agreement {
  readonly question: string
  /** What is to be said yes to: "whether the profile may go". */
  readonly whether: string
  /** What is so after a no: "the profile stays". */
  readonly ifDeclined: string
}

/** Consent to something that moves no money. Throws usage (2) where nobody can be asked, declined (3). */
export async function mustAgree(invocation: Invocation, { question, whether, ifDeclined }: Agreement): Promise<void> {
  const { canAsk, edge, signal } = invocation
  if (!canAsk) throw new Failure('usage', `nobody can be asked ${whether}, because no terminal is attached; add --yes`)
  if (await askYesOrNo(terminalAsker(edge, signal), question)) return
  throw new Failure('declined', `you said no; ${ifDeclined}`)
}

/** What did not happen after a no, where it is more than that nothing was sent. */
const notDone = { send: null, store: 'nothing was stored', approve: 'nothing was approved' } as const

interface ToConfirm {
  readonly live: boolean
  /** The kind of profile that a plain yes is not enough for, where it is not only live ones. */
  readonly strict?: string
  /** The write in lines for a person, with texts of others in them as they came. */
  readonly lines: readonly string[]
  /** Draws what is to be seen first in the question. */
  readonly draw?: (message: string) => string
  /** The text that `--confirm` must hold: "<CURRENCY> <amount>", of a plan how often too, or the id where a write has no amount. */
  readonly phrase: string
  /** A verb for what is agreed to: to send it, if not given; to store it where the run would hold it. */
  readonly verb?: keyof typeof notDone
  /** True where it cannot be done as it is: nobody is asked to agree. */
  readonly isStopped?: boolean
  /** True where the person may ask to change something first. */
  readonly mayEdit?: boolean
}

/** The end of a confirmation: agreed to, or to be changed first. */
type Agreed = 'agreed' | 'edit'

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
export async function requireConsent(what: ToConfirm, consent: Consent, asker: Asker | null): Promise<Agreed> {
  if (consent.confirm !== undefined) {
    if (sameConsent(consent.confirm, what.phrase)) return 'agreed'
    throw declined(`--confirm is "${consent.confirm}", but this is "${what.phrase}"`)
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
    throw new Failure('usage', `a confirmation is needed, but no terminal is attached; add ${flag}`)
  }
  return ask(what, asker)
}

/** The words of an answer, with their short forms; `verb`: the one that agrees. */
function answersTo(verb: string, mayEdit: boolean) {
  return {
    agreed: [verb, 'yes', 'y'],
    edit: mayEdit ? ['edit', 'e', back] : [],
    cancel: ['cancel', 'no', 'n'],
  } as const
}

async function ask({ live, lines: all, ...what }: ToConfirm, asker: Asker): Promise<Agreed> {
  // A break within a line of others would begin a line of its own.
  const lines = `${all.map(visible).join('\n')}\n`
  const { verb = 'send', isStopped = false, mayEdit = false, draw = (text) => text, phrase } = what
  const answers = answersTo(verb, mayEdit)
  const others = [...(mayEdit ? ['edit'] : []), 'cancel']
  if (isStopped)
    return askWhatInstead(`${lines}It cannot be sent now.`, { ...answers, agreed: [] }, others, draw, asker)
  if (live) return askForPhrase({ phrase, lines, draw, verb }, { ...answers, agreed: [] }, others, asker)
  const words = inOneLine([verb, ...others])
  const typed = await asker.text({
    message: `${lines}${verb.charAt(0).toUpperCase()}${verb.slice(1)} it? (${words})`,
    draw,
    validate: (text) => (answerIn(text, answers) === null ? `Type ${words}.` : true),
  })
  return endOf(answerIn(typed, answers), verb)
}

async function askWhatInstead(
  message: string,
  answers: Parameters<typeof answerIn<'agreed' | 'edit' | 'cancel'>>[1],
  words: readonly string[],
  draw: (message: string) => string,
  asker: Asker,
): Promise<Agreed> {
  const said = words.join(' or ')
  const typed = await asker.text({
    message: `${message} (${said})`,
    draw,
    validate: (text) => (answerIn(text, answers) === null ? `Type ${said}.` : true),
  })
  return endOf(answerIn(typed, answers), 'send')
}

/** The phrase may be typed again: a slip of the finger is no refusal. */
async function askForPhrase(
  { phrase, lines, draw, verb }: Required<Pick<ToConfirm, 'phrase' | 'draw' | 'verb'>> & { readonly lines: string },
  answers: Parameters<typeof answerIn<'agreed' | 'edit' | 'cancel'>>[1],
  words: readonly string[],
  asker: Asker,
): Promise<Agreed> {
  const others = words.join(' or ')
  const typed = await asker.text({
    message: `${lines}Type "${visible(phrase)}" to ${verb} it, or ${others}:`,
    draw,
    validate: (text) => {
      if (text.trim() === '') return 'Type it, or ^C to stop.'
      const isTaken = sameConsent(text, phrase) || answerIn(text, answers) !== null
      return isTaken ? true : `That is not "${phrase}". Type it again, or ${others}.`
    },
  })
  return sameConsent(typed, phrase) ? 'agreed' : endOf(answerIn(typed, answers), verb)
}

function endOf(answer: 'agreed' | 'edit' | 'cancel' | null, verb: keyof typeof notDone): Agreed {
  if (answer === 'edit' || answer === 'agreed') return answer
  const none = notDone[verb]
  throw new FailureBeforeSending(
    'declined',
    'you cancelled',
    {},
    (nothingSent) => `you cancelled; ${none ?? nothingSent}`,
  )
}
