/** The question for a required word of a command line, and the kind of thing that answers it. */
import { argumentKind, type LiveKind } from '../../completion/tree.ts'

/** A flag or an argument as it is declared to oclif. */
export interface Declared {
  readonly name: string
  readonly description?: string | undefined
  readonly options?: readonly string[] | undefined
  readonly helpValue?: string | readonly string[] | undefined
  readonly parse?: (typed: string, context: unknown, declared: unknown) => Promise<unknown>
}

/** Stands in the place of an argument that its command asks for among its own questions. */
export const placeholder = '-'

/** Kinds that this machine or the team's store may know, besides those that a shell completes. */
type MoreKinds = 'approval' | 'callback' | 'payee' | 'new file'

export type AnswerKind = LiveKind | MoreKinds | null

export interface Questioned {
  /** In few words, above a list. */
  readonly title: string
  /** With what belongs there. */
  readonly message: string
  readonly kind: AnswerKind
}

const titles: Readonly<Record<Exclude<AnswerKind, null>, string>> = {
  profile: 'Which profile?',
  payout: 'Which payout?',
  order: 'Which order?',
  wallet: 'Which wallet order?',
  write: 'Which payment?',
  plan: 'Which plan?',
  file: 'Which file?',
  'new file': 'Which new file?',
  approval: 'Which approval?',
  callback: 'Which callback?',
  payee: 'Which payee?',
}

/** Arguments that no shell completes. */
const kinds: Readonly<Record<string, AnswerKind>> = {
  'approval:show id': 'approval',
  'approval:approve id': 'approval',
  'approval:reject id': 'approval',
  'callback:show id': 'callback',
  'callback:replay id': 'callback',
  'callback:verify id': 'callback',
  'payee:edit payee': 'payee',
  'payee:remove payee': 'payee',
  'payout:receipt id': 'payout',
}

/** True for a word that the command asks for among its own questions. */
export function isAskedByCommand(command: string, name: string): boolean {
  return command === 'profile:add' && name === 'name'
}

/** A form such as yyyy-MM-dd stays as it is written. */
function capital(text: string): string {
  return /^[a-z]+(?:[ ,;:]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
}

function kindOf(command: string, { name, description = '', helpValue, options }: Declared): AnswerKind {
  const own = kinds[`${command} ${name}`]
  if (own !== undefined) return own
  if (/\bnew file\b/.test(description)) return 'new file'
  if (name.startsWith('--')) return [helpValue].flat().includes('<file>') ? 'file' : null
  return options ? null : argumentKind(command, name)
}

export function questionFor(command: string, declared: Declared): Questioned {
  const { name, description = name } = declared
  const kind = kindOf(command, declared)
  const words = capital(description)
  if (kind === null) return { title: `${words}:`, message: `${words}:`, kind }
  const title = titles[kind]
  return { title, message: `${title} ${words}.`, kind }
}
