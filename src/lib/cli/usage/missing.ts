/** The required words that a line lacks, asked for one after the other, with what this machine knows to choose from. */
import { existsSync } from 'node:fs'
import { sumOf } from '../../contract/core/decimal.ts'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import { accountInWords } from '../../contract/core/iban.ts'
import type { Subject, WriteOperation } from '../../contract/operation.ts'
import { writesAbout } from '../../contract/operations.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import { requestIn } from '../../journal/payment-end.ts'
import { builtIn } from '../../profile/built-in.ts'
import { liveValues } from '../completion/complete.ts'
import { argumentKind, type LiveKind } from '../completion/tree.ts'
import { isNewJournal, journalPlace } from '../desk/journal.ts'
import { profileName } from '../desk/profile.ts'
import { expandHome, unreadablePath } from '../input.ts'
import type { Invocation } from '../invocation.ts'
import { showTimes, type Zone, zoneIn } from '../output/time.ts'
import { type Asker, another, anotherChoice, type MenuChoice, terminalAsker, withWayBack } from '../prompts/ask.ts'
import { type CommandTerms, missingFlags, missingNames } from './errors.ts'

/** A flag or an argument as it is declared to oclif. */
interface Declared {
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

type AnswerKind = LiveKind | MoreKinds | null

interface Questioned {
  /** In few words, above a list. */
  readonly title: string
  /** With what belongs there. */
  readonly message: string
  readonly kind: AnswerKind
}

const things: Readonly<Record<string, string>> = { wallet: 'wallet order', write: 'payment' }

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
function isAskedByCommand(command: string, name: string): boolean {
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

function questionFor(command: string, declared: Declared): Questioned {
  const { name, description = name } = declared
  const kind = kindOf(command, declared)
  const words = capital(description)
  if (kind === null) return { title: `${words}:`, message: `${words}:`, kind }
  const title = `Which ${things[kind] ?? kind}?`
  return { title, message: `${title} ${words}.`, kind }
}

/** More than one reads at a glance. */
const most = 30

const subjects: Readonly<Partial<Record<string, Subject>>> = {
  payout: 'payout',
  order: 'order',
  wallet: 'wallet order',
}

/** The write that makes a thing: others are done to one that is there. */
function makes({ idField, request }: WriteOperation): boolean {
  return fieldsOf(request).some(({ name, made }: Field) => name === idField && made)
}

function intentChoice(intent: Intent, zone: Zone): MenuChoice {
  const sum = sumOf(intent)
  const { beneficiaryName } = requestIn(intent.body)
  const about = [...(sum === null ? [] : [sum]), `to ${accountInWords(intent.payee)}`]
  return {
    value: intent.journalId,
    name: [intent.journalId, sum, beneficiaryName].filter(Boolean).join('  '),
    description: `${about.join(' ')}; ${intent.state}, ${showTimes(intent.openedAt, zone)}`,
  }
}

/** The profile of the run, where one is named or usual. */
function profileOf(invocation: Invocation): Promise<string | null> {
  const flag = invocation.line.value('--profile')
  return profileName(invocation, { profile: flag }).catch(() => null)
}

async function writes(journal: Journal, kind: string, invocation: Invocation): Promise<readonly MenuChoice[]> {
  const subject = subjects[kind]
  const profile = subject ? await profileOf(invocation) : null
  const states = invocation.id === 'approval:request' ? { states: ['held'] } : {}
  const found = await journal.list({
    ...(profile === null ? {} : { profile }),
    ...(subject ? { operations: writesAbout(subject).filter(makes) } : {}),
    ...states,
    limit: most,
  })
  return found.map((intent) => intentChoice(intent, zoneIn(invocation.edge.env)))
}

async function payees(journal: Journal, invocation: Invocation): Promise<readonly MenuChoice[]> {
  const profile = await profileOf(invocation)
  const found = profile === null ? [] : await journal.payees.list(profile)
  return found.map(({ payeeId, name, account }) => ({
    value: payeeId,
    name: `${payeeId}  ${name}`,
    description: accountInWords(account),
  }))
}

async function approvals(journal: Journal): Promise<readonly MenuChoice[]> {
  const asked = await (await journal.fourEyes()).approvals.list()
  return asked.map(({ approval: { facts, state } }) => ({
    value: facts.approval,
    name: `${facts.approval}  ${facts.sum}`,
    description: `${facts.sum} to ${facts.payee}; ${state}`,
  }))
}

async function inJournal(kind: string, invocation: Invocation): Promise<readonly MenuChoice[]> {
  const place = journalPlace(invocation)
  if (isNewJournal(place)) return []
  const { openJournal } = await import('../../journal/open.ts')
  const { journal, close } = await openJournal(place, invocation.edge.clock, invocation.edge.random)
  try {
    if (kind === 'payee') return await payees(journal, invocation)
    return kind === 'approval' ? await approvals(journal) : await writes(journal, kind, invocation)
  } finally {
    await close()
  }
}

async function callbacks({ places, edge, naming }: Invocation): Promise<readonly MenuChoice[]> {
  const { CallbackStore } = await import('../../callback/callbacks.ts')
  const store = await CallbackStore.open(places.callbacks, edge.clock, edge.random, naming)
  try {
    const found = await store.list({ limit: most })
    return found.map(({ callbackId, kind, receivedAt }) => ({
      value: callbackId,
      description: `${kind ?? 'unread'}, ${showTimes(receivedAt, zoneIn(edge.env))}`,
    }))
  } finally {
    await store.close()
  }
}

async function looked(kind: AnswerKind, invocation: Invocation): Promise<readonly MenuChoice[]> {
  if (kind === null || kind === 'file' || kind === 'new file') return []
  if (kind === 'callback') return callbacks(invocation)
  if (kind !== 'plan' && kind !== 'profile') return inJournal(kind, invocation)
  const inside = invocation.id === 'profile:remove' ? [] : builtIn
  return liveValues(kind, '', () => invocation.places, inside).map(({ word, said }) => ({
    value: word,
    description: said,
  }))
}

/** The things of a kind that are known here, the newest first. Where that cannot be looked at now there are none: one is typed. */
export async function listKnownThings(kind: AnswerKind, invocation: Invocation): Promise<readonly MenuChoice[]> {
  try {
    return (await looked(kind, invocation)).slice(0, most)
  } catch {
    return []
  }
}

function fileWrong(kind: Questioned['kind'], path: string): string | null {
  if (kind !== 'new file') return unreadablePath(path)
  return existsSync(path) ? `${path} already exists and is never overwritten.` : null
}

/** The complaint about a word that was typed; null for none. The rest is judged by the command. */
async function wrong(typed: string, declared: Declared, kind: Questioned['kind'], invocation: Invocation) {
  if (typed === '') return 'It is required.'
  if (typed.startsWith('-') && typed !== '-') return 'It must not begin with a dash.'
  if ((kind === 'file' && typed !== '-') || kind === 'new file') {
    const complaint = fileWrong(kind, typed)
    if (complaint !== null) return complaint
  }
  try {
    await declared.parse?.(typed, invocation, declared)
    return null
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? 'It is wrong.') : 'It is wrong.'
  }
}

async function typedAnswer(asker: Asker, declared: Declared, { message, kind }: Questioned, invocation: Invocation) {
  const isPath = kind === 'file' || kind === 'new file'
  const meant = (typed: string) => (isPath ? expandHome(typed.trim(), invocation.edge.env.HOME) : typed.trim())
  const answer = await asker.text({
    message,
    validate: async (typed) => (await wrong(meant(typed), declared, kind, invocation)) ?? true,
  })
  return meant(answer)
}

async function answerFor(asker: Asker, declared: Declared, invocation: Invocation): Promise<string> {
  const asked = questionFor(invocation.id ?? '', declared)
  if (declared.options) return asker.choice(asked.title, declared.options)
  const choices: readonly MenuChoice[] = await listKnownThings(asked.kind, invocation)
  if (choices.length > 0) {
    const chosen = await asker.choice(asked.title, [...choices, { ...anotherChoice, description: asked.message }])
    if (chosen !== another) return chosen
  }
  return typedAnswer(asker, declared, asked, invocation)
}

/** An optional argument that a command needs this time. */
export function askForArgument(invocation: Invocation, name: string, description: string): Promise<string> {
  const asker = terminalAsker(invocation.edge, invocation.signal)
  return withWayBack(asker, (within) => answerFor(within, { name, description }, invocation))
}

/**
 * The words of the line with the answers of a person: arguments behind the others, flags before them. Null where the complaint
 * is about something else. `heard`: is told the words so far after each answer.
 */
export async function withAnswers(
  error: Error,
  invocation: Invocation,
  terms: CommandTerms,
  heard: (words: string[]) => void,
): Promise<string[] | null> {
  const [args, flags] = [missingNames(error), missingFlags(error, terms)]
  if (args.length === 0 && flags.length === 0) return null
  return withWayBack(terminalAsker(invocation.edge, invocation.signal), async (asker) => {
    let words = [...terms.argv]
    for (const name of args) {
      if (isAskedByCommand(invocation.id ?? '', name)) {
        words = [...words, placeholder]
        continue
      }
      words = [...words, await answerFor(asker, { ...terms.args[name], name }, invocation)]
      heard(words)
    }
    for (const name of flags) {
      const answer = await answerFor(asker, { ...terms.flags[name], name: `--${name}` }, invocation)
      words = [`--${name}=${answer}`, ...words]
      heard(words)
    }
    return words
  })
}
