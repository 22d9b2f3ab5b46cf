/**
 * Advice that may hold command lines to paste. A line stays data until it is told, so that one place quotes it for the shell
 * and names its profile: pasted without it, the line would ask another service.
 */
import { shellWord } from './text.ts'

/** A place in a hint: a fact fills it once that is known; else the reader sees it as it is, `<n>`, and fills it in. */
export interface Blank {
  readonly blank: string
  /** The name of the fact; null where only the reader knows what belongs there. */
  readonly fact: string | null
}

export interface PastedLine {
  /** The words of the command, such as "payout wait". */
  readonly command: string
  readonly args: readonly (string | Blank)[]
  /** Null: the profile of the run that prints it. */
  readonly profile: string | null
}

/** Text, the lines in it, and places in it that are filled in later. */
export type Hint = readonly (string | Blank | PastedLine)[]

/** Gives the profile that a line must name to run as this one (null: as the run that prints it); null where it need not. */
export type Naming = (profile: string | null) => string | null

/** A hint from a template: hint`Later again: ${paste('resume', journalId)}.` */
export function hint(
  texts: TemplateStringsArray,
  ...parts: readonly (string | number | Blank | PastedLine | Hint)[]
): Hint {
  const all = texts.flatMap((text, at): Hint => {
    const part = parts[at] ?? ''
    return [text, ...(typeof part === 'number' ? [String(part)] : isHint(part) ? part : [part])]
  })
  return joined(all)
}

function isHint(part: string | Blank | PastedLine | Hint): part is Hint {
  return Array.isArray(part)
}

function isLine(part: string | Blank | PastedLine): part is PastedLine {
  return typeof part === 'object' && 'command' in part
}

/** Neighbouring texts as one, so that a secret that is redacted later stands in one piece. */
function joined(parts: Hint): Hint {
  const all: (string | Blank | PastedLine)[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (typeof part === 'string' && typeof last === 'string') all[all.length - 1] = last + part
    else if (part !== '') all.push(part)
  }
  return all
}

/** A line of paydesk, with its arguments as the program gets them: they are quoted when the line is told. */
export function paste(command: string, ...args: readonly (string | Blank)[]): PastedLine {
  return { command, args, profile: null }
}

/** A place for the reader alone. */
export function blank(text: string): Blank {
  return { blank: text, fact: null }
}

/** A place for a fact: a field of the request, as a rule. */
export function fact(name: string): Blank {
  return { blank: `<${name}>`, fact: name }
}

/** The same advice, its lines run as this profile where they name none yet. */
export function ofProfile(advice: Hint, profile: string): Hint {
  return advice.map((part) => (isLine(part) ? { ...part, profile: part.profile ?? profile } : part))
}

/** The same advice, with what is known put into its blanks. */
export function filledIn(advice: Hint, known: Readonly<Record<string, unknown>>): Hint {
  const filled = (arg: string | Blank) => {
    const value = typeof arg === 'string' || arg.fact === null ? undefined : known[arg.fact]
    return value === undefined || value === null ? arg : String(value)
  }
  return joined(advice.map((part) => (isLine(part) ? { ...part, args: part.args.map(filled) } : filled(part))))
}

/** Commands that act as a profile. The others ask the journal or the sandbox, or are told the profile by its name. */
const asProfile = [
  'payout',
  'payee',
  'order',
  'wallet',
  'card',
  'subscription',
  'user',
  'envelope',
  'token',
  'api',
  'doctor',
  'profile check',
  'profile show',
]

function actsAsProfile(command: string): boolean {
  return asProfile.some((each) => command === each || command.startsWith(`${each} `))
}

function wordsOf(part: string | Blank, quoted: (text: string) => string): string {
  return typeof part === 'string' ? quoted(part) : part.blank
}

function lineInWords({ command, args, profile }: PastedLine, naming: Naming): string {
  const named = actsAsProfile(command) && !args.includes('--help') ? naming(profile) : null
  const words = args.map((arg) => wordsOf(arg, shellWord))
  return ['paydesk', command, ...words, ...(named === null ? [] : ['-p', shellWord(named)])].join(' ')
}

/** The advice in words. A line names the profile it was made for, unless more is known of how the program is run. */
export function hintInWords(advice: Hint, naming: Naming = (profile) => profile): string {
  return advice.map((part) => (isLine(part) ? lineInWords(part, naming) : wordsOf(part, String))).join('')
}
