/**
 * Questions to a person at a terminal, drawn on stderr so that stdout stays clean. Never used off a terminal: an empty line
 * on a piped stdin would confirm a default, and a pipe that stays open would hang. Questions about money have no default:
 * Enter alone means nothing.
 */
import { z } from 'zod'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Edge } from '../../edge.ts'

/** A question with its rule, which answers with the complaint, or true. */
interface Question {
  readonly message: string
  readonly validate: (typed: string) => string | true
}

/** Something to choose, with words that explain it while it is pointed at. */
export interface MenuChoice {
  readonly value: string
  readonly description: string
}

export interface Asker {
  text(question: Question): Promise<string>
  choice(message: string, options: readonly (string | MenuChoice)[]): Promise<string>
}

/** The lines of a long list that are seen at once. */
const pageSize = 14

/** inquirer is loaded at the first question: most commands ask none. */
export function terminalAsker(edge: Edge, signal?: AbortSignal): Asker {
  const module = async () => {
    const { default: inquirer } = await import('inquirer')
    return inquirer.createPromptModule({
      input: edge.stdin as NodeJS.ReadStream,
      output: edge.stderr as NodeJS.WriteStream,
      ...(signal ? { signal } : {}),
    })
  }
  return {
    async text({ message, validate }) {
      const prompt = await module()
      const { answer } = await prompt([{ type: 'input', name: 'answer', message, validate }])
      return String(answer)
    },
    async choice(message, options) {
      const prompt = await module()
      const { answer } = await prompt([{ type: 'select', name: 'answer', message, pageSize, choices: [...options] }])
      return String(answer)
    },
  }
}

function title({ name, help, question }: Field): string {
  return question ?? `${name}: ${help}`
}

const another = 'another one'

export function ruleOf(request: z.ZodObject, { name }: Field): z.ZodType {
  return request.shape[name] as z.ZodType
}

/** Asks for one scalar field of a request, or of an object inside it; undefined where it was left out. */
export async function askField(asker: Asker, field: Field, rule: z.ZodType): Promise<string | undefined> {
  if (field.json === 'boolean') return (await asker.choice(title(field), ['yes', 'no'])) === 'yes' ? 'true' : 'false'
  const [only, ...others] = field.options ?? []
  // There is nothing to choose.
  if (only !== undefined && others.length === 0 && field.required) return only
  if (field.options) return asker.choice(title(field), field.options)
  if (field.suggestions) {
    const chosen = await asker.choice(title(field), [...field.suggestions, another])
    if (chosen !== another) return chosen
  }
  const tidy = field.tidy ?? ((typed: string) => typed)
  const typed = await asker.text({
    message: `${title(field)}${field.required ? '' : ' (Enter to leave out)'}`,
    validate: (typed) => {
      if (typed === '') return field.required ? 'It cannot be left out.' : true
      const checked = z.safeParse(rule, tidy(typed))
      return checked.success ? true : `It ${checked.error.issues[0]?.message ?? 'is wrong'}.`
    },
  })
  return typed === '' ? undefined : typed
}

/** Asks for the fields that are missing and that a person should be asked for, in the order of the specification. */
export async function askForMissing(
  asker: Asker,
  operation: Operation,
  given: Members,
): Promise<Record<string, unknown>> {
  const complete: Record<string, unknown> = { ...given }
  for (const field of fieldsOf(operation.request)) {
    const wanted = (field.required && !field.made) || field.asked?.(complete)
    if (complete[field.name] !== undefined || !wanted) continue
    const typed = await askField(asker, field, ruleOf(operation.request, field))
    if (typed !== undefined) complete[field.name] = typed
  }
  return complete
}

/** Yes or no, spelled out. */
export async function askYesOrNo(asker: Asker, message: string): Promise<boolean> {
  const answer = await asker.text({
    message: `${message} (yes or no)`,
    validate: (typed) => (/^\s*(yes|no)\s*$/i.test(typed) ? true : 'Type yes or no.'),
  })
  return /^\s*yes\s*$/i.test(answer)
}
