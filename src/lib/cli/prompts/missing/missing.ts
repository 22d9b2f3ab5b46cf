/** The required words that a line lacks, asked for one after the other, with what this machine knows to choose from. */
import { existsSync } from 'node:fs'
import type { Invocation } from '../../invocation.ts'
import type { CommandTerms } from '../../misuse/command-terms.ts'
import { missingNames } from '../../misuse/misused.ts'
import { type Asker, another, type MenuChoice, terminalAsker, withWayBack } from '../ask.ts'
import { madeOut, unreadablePath } from '../typed-path.ts'
import { knownThings } from './known.ts'
import { type Declared, isAskedByCommand, placeholder, type Questioned, questionFor } from './question-for.ts'

type Complaint = Error & { readonly parse?: unknown }

/** The flags that the parser's complaint says are missing. */
function missingFlags({ message }: Error): readonly string[] {
  return [...message.matchAll(/Missing required flag (\S+)/g)].map(([, name = '']) => name)
}

function fileWrong(kind: Questioned['kind'], path: string): string | null {
  if (kind !== 'new file') return unreadablePath(path)
  return existsSync(path) ? `${path} exists already, and nothing is ever written over it.` : null
}

/** The complaint about a word that was typed; null for none. The rest is judged by the command. */
async function wrong(typed: string, declared: Declared, kind: Questioned['kind'], invocation: Invocation) {
  if (typed === '') return 'It cannot be left out.'
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
  const meant = (typed: string) => (isPath ? madeOut(typed.trim(), invocation.edge.env.HOME) : typed.trim())
  const answer = await asker.text({
    message,
    validate: async (typed) => (await wrong(meant(typed), declared, kind, invocation)) ?? true,
  })
  return meant(answer)
}

async function answerFor(asker: Asker, declared: Declared, invocation: Invocation): Promise<string> {
  const asked = questionFor(invocation.id ?? '', declared)
  if (declared.options) return asker.choice(asked.title, declared.options)
  const choices: readonly MenuChoice[] = await knownThings(asked.kind, invocation)
  if (choices.length > 0) {
    const chosen = await asker.choice(asked.title, [...choices, { value: another, description: asked.message }])
    if (chosen !== another) return chosen
  }
  return typedAnswer(asker, declared, asked, invocation)
}

/** An optional argument that a command needs this time. */
export function askedArgument(invocation: Invocation, name: string, description: string): Promise<string> {
  const asker = terminalAsker(invocation.edge, invocation.signal)
  return withWayBack(asker, (within) => answerFor(within, { name, description }, invocation))
}

/**
 * The words of the line with the answers of a person: arguments behind the others, flags before them. Null where the complaint
 * is about something else. `heard`: is told the words so far after each answer.
 */
export async function withAnswers(
  error: Complaint,
  invocation: Invocation,
  terms: CommandTerms,
  heard: (words: string[]) => void,
): Promise<string[] | null> {
  const [args, flags] = [missingNames(error), missingFlags(error)]
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
