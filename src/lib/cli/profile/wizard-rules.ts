/**
 * A wizard: questions that hang together, each with the rule of its answer. An answer can be taken back at the next one.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readPrivateKey, readPublicKey } from '../../envelope/key.ts'
import { Failure } from '../../failure.ts'
import { type Part, parts } from '../../profile/parts.ts'
import { secretOf } from '../../profile/secret.ts'
import { contents, mustBeOwn, othersMayRead } from '../../readable-file.ts'
import { expandHome } from '../input.ts'
import { type Asker, type MenuChoice, withWayBack } from '../prompts/ask.ts'

/** The answers so far by the name of their question; one that was left out is empty. */
export type Answers = Readonly<Record<string, string>>

/** A question of the wizard: a choice where it has options, else a text. */
export interface WizardStep {
  readonly name: string
  /** True if it is asked at all, as far as the wizard has come; always asked without it. */
  readonly when?: (said: Answers) => boolean
  readonly message: string | ((said: Answers) => string)
  readonly options?: readonly MenuChoice[]
  /** True for a text that is typed unseen. */
  readonly isHidden?: true
  /** The complaint about a text, a whole sentence; null for none. */
  readonly wrong?: (typed: string, said: Answers) => string | null
  /** The answer that Enter alone takes; an empty one leaves it out. */
  readonly usual?: (said: Answers) => string | undefined
}

async function answerTo(asker: Asker, step: WizardStep, said: Answers): Promise<string> {
  const message = typeof step.message === 'string' ? step.message : step.message(said)
  if (step.options) return asker.choice(message, step.options)
  const { isHidden = false, wrong } = step
  const usual = step.usual?.(said)
  const answer = await asker[isHidden ? 'hidden' : 'text']({
    message,
    remarks: usual === undefined ? [] : [usual === '' ? 'Enter to skip' : `Enter for ${usual}`],
    validate: (typed) => {
      if (typed.trim() === '') return usual === undefined ? 'It is required.' : true
      return wrong?.(isHidden ? typed : typed.trim(), said) ?? true
    },
  })
  const text = isHidden ? answer : answer.trim()
  return text.trim() === '' ? (usual ?? '') : text
}

/** The answers of a person; those in `before` are not asked for. */
export function runWizard(asker: Asker, steps: readonly WizardStep[], before: Answers): Promise<Answers> {
  return withWayBack(asker, async (within) => {
    const said: Record<string, string> = { ...before }
    for (;;) {
      const step = steps.find(({ name, when }) => said[name] === undefined && (when?.(said) ?? true))
      if (!step) return said
      said[step.name] = await answerTo(within, step, said)
    }
  })
}

/** The parts of the service that a new profile is for. */
export const uses = (said: Answers, ...any: readonly Part[]) =>
  any.some((part) => (choices.find(({ value }) => value === said.use)?.parts ?? parts).includes(part))

interface UseChoice {
  readonly value: string
  readonly description: string
  readonly parts: readonly Part[]
}

const choices: readonly UseChoice[] = [
  { value: 'payouts', description: 'money from your account to beneficiaries', parts: ['payouts'] },
  { value: 'orders', description: 'money that payers pay you', parts: ['orders'] },
  { value: 'payouts and orders', description: '', parts: ['payouts', 'orders'] },
  { value: 'payouts, orders and the wallet', description: '', parts: ['payouts', 'orders', 'wallet'] },
  { value: 'orders and the wallet', description: '', parts: ['orders', 'wallet'] },
  { value: 'the wallet', description: 'orders by the QR code of a receiver', parts: ['wallet'] },
]

export const useChoices = choices.map(({ value, description }) => ({ value, description }))

/** The choice for what the flags have said already; null where they say nothing. */
export function useGiven(given: readonly Part[]): string | null {
  const same = (each: UseChoice) => parts.every((part) => each.parts.includes(part) === given.includes(part))
  return choices.find(same)?.value ?? null
}

/** Files that are named in a wizard: looked at while one types, by the rules of `profile add`. */
export function typedPath(typed: string): string {
  return resolve(expandHome(typed, undefined))
}

type Kind = 'secret' | 'private key' | 'public key'

function complaintAbout(kind: Kind, path: string): string | null {
  const file = contents(path)
  if ('why' in file) return `${path} cannot be read: ${file.why}.`
  if (kind === 'secret') {
    const read = secretOf(file.bytes)
    return read.ok ? null : `${path} ${read.complaint}.`
  }
  const read = kind === 'private key' ? readPrivateKey : readPublicKey
  read(file.bytes, path)
  return null
}

/** The rule of a file's name. One that others may read is taken when Enter is pressed once more. */
export function fileRule(kind: Kind): (typed: string) => string | null {
  let warned = ''
  return (typed) => {
    const path = typedPath(typed)
    try {
      mustBeOwn(path, 'the file')
      const complaint = complaintAbout(kind, path)
      if (complaint !== null) return complaint
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return `${error.message}.`
    }
    if (kind === 'public key' || !othersMayRead(path) || warned === path) return null
    warned = path
    return `Others can read ${path}: run chmod 600, or press Enter again to use it as it is.`
  }
}

/** The rule of the name of a file that is to be made, with the ones that are made beside it. */
export function newFileRule(endings: readonly string[] = ['']) {
  return (typed: string): string | null => {
    const taken = endings.map((ending) => `${typedPath(typed)}${ending}`).find((path) => existsSync(path))
    return taken === undefined ? null : `${taken} already exists and is never overwritten.`
  }
}
