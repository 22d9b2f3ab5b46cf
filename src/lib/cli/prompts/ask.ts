/**
 * Questions to a person at a terminal, drawn on stderr so that stdout stays clean. Never used off a terminal: an empty
 * line on a piped stdin would confirm a default, and a pipe that stays open would hang. Questions about money have no
 * default: Enter alone means nothing. Texts of others are made harmless here.
 */
import { z } from 'zod'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import { tidyIban } from '../../contract/core/iban.ts'
import type { Members } from '../../contract/core/members.ts'
import { type Permission, permissions } from '../../contract/core/permission.ts'
import { type Operation, violationInWords } from '../../contract/operation.ts'
import type { Edge } from '../../edge.ts'
import { visible, visibleLines } from '../../text.ts'
import { brokenBetweenWords, terminalColumns } from '../output/terminal.ts'
import { showTimes, zoneIn } from '../output/time.ts'

/** Columns of the mark in front of a question, and of the sign in front of a complaint. */
const mark = 2

/** The text broken between its words, which inquirer does not do. `columns`: undefined where nobody knows them. */
export function fittingWords(text: string, columns: number | undefined): string {
  if (columns === undefined) return text
  return text
    .split('\n')
    .flatMap((line) => brokenBetweenWords(line, columns - mark))
    .join('\n')
}

/** A question with its rule, which answers with the complaint, or true. */
interface Question {
  readonly message: string
  readonly validate: (typed: string) => string | true | Promise<string | true>
  /** Ways to answer besides, told in brackets behind the message. */
  readonly remarks?: readonly string[]
  /** Draws the message, in which nothing is left by now that could draw by itself. */
  readonly draw?: (message: string) => string
}

/** Something to choose, with words that explain it while it is pointed at. */
export interface MenuChoice {
  readonly value: string
  /** Its words in the list, where the value alone says little. */
  readonly name?: string
  readonly description: string
  /** True where it stays in the list, behind the others, whatever was typed. */
  readonly stays?: boolean
}

/** Letters that are compared: neither their case nor blanks matter, so that an IBAN is found in either form. */
const folded = (text: string) => text.normalize('NFKC').toLocaleLowerCase('en').replaceAll(/\s/g, '')

/** True for a list of what is known here, which leads to what is not in it, too: letters look for one of them. */
const isOfKnown = (options: readonly (string | MenuChoice)[]) =>
  options.some((each) => typeof each !== 'string' && each.stays)

/** The choices that hold what was typed, and those that stay. */
function optionsWith(options: readonly (string | MenuChoice)[], typed: string): readonly (string | MenuChoice)[] {
  const matching = options.filter((each) => {
    if (typeof each === 'string') return folded(each).includes(folded(typed))
    const { value, name = '', description, stays } = each
    return !stays && [value, name, description].some((text) => folded(text).includes(folded(typed)))
  })
  return [...matching, ...options.filter((each) => typeof each !== 'string' && each.stays)]
}

/** Once it is chosen, its value stands behind the question. */
function inList(option: string | MenuChoice, columns: number | undefined) {
  const { value, name = value, description } = typeof option === 'string' ? { value: option, description: '' } : option
  return { value, name: visible(name), short: visible(value), description: fittingWords(visible(description), columns) }
}

/** A question that is answered with a whole text. */
interface Document {
  readonly message: string
  /** The text that stands there before. */
  readonly start: string
  /** The ending of its file's name, which tells an editor the language. */
  readonly ending: string
  readonly validate: (typed: string) => Promise<string | true>
}

export interface Asker {
  text(question: Question): Promise<string>
  /** A text that is not to be read over a shoulder: each letter is drawn as a star. */
  hidden(question: Question): Promise<string>
  /** `usual`: the one that is pointed at first. `isSearched`: letters that no choice holds choose none. */
  choice(
    message: string,
    options: readonly (string | MenuChoice)[],
    usual?: string,
    isSearched?: boolean,
  ): Promise<string>
  /** A text of many lines, in the editor that VISUAL or EDITOR names. */
  document(question: Document): Promise<string>
}

/** The lines of a long list that are seen at once. */
const pageSize = 14

/** inquirer is loaded at the first question: most commands ask none. */
export function terminalAsker(edge: Edge, signal?: AbortSignal): Asker {
  const ask = async (question: Readonly<Record<string, unknown>> & { readonly message: string }) => {
    const { default: inquirer } = await import('inquirer')
    const prompt = inquirer.createPromptModule({
      input: edge.stdin as NodeJS.ReadStream,
      output: edge.stderr as NodeJS.WriteStream,
      ...(signal ? { signal } : {}),
    })
    const { answer } = await prompt([
      { ...question, name: 'answer' } as { type: 'input'; name: 'answer'; message: string },
    ])
    return String(answer)
  }
  const columns = terminalColumns(edge.stderr)
  const shown = (text: string) => showTimes(visibleLines(text), zoneIn(edge.env))
  const fitted = ({ message, remarks = [], validate, draw = (text) => text }: Question) => ({
    message: fittingWords(draw(shown(remarks.length === 0 ? message : `${message} (${remarks.join(', ')})`)), columns),
    validate: async (typed: string) => {
      const complaint = await validate(typed)
      return complaint === true ? true : fittingWords(visibleLines(complaint), columns)
    },
  })
  return {
    text: (question) => ask({ type: 'input', ...fitted(question) }),
    hidden: (question) => ask({ type: 'password', mask: '*', ...fitted(question) }),
    choice: (asked, options, usual, isSearched = isOfKnown(options)) => {
      const choices = (some: readonly (string | MenuChoice)[]) => some.map((each) => inList(each, columns))
      const source = (typed: string | undefined) => choices(typed ? optionsWith(options, typed) : options)
      return ask({
        message: fittingWords(shown(asked), columns),
        pageSize,
        ...(isSearched ? { type: 'search', source } : { type: 'select', choices: choices(options) }),
        ...(usual === undefined ? {} : { default: usual }),
      })
    },
    document: ({ message, validate, start, ending }) =>
      ask({ type: 'editor', message, validate, default: start, postfix: ending, waitForUserInput: true }),
  }
}

/** "beneficiary name" for `beneficiaryName`. */
export const fieldInWords = (name: string) =>
  name.replaceAll(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`).replace(/\biban\b/, 'IBAN')

const title = ({ name, help, question }: Field) => visible(question ?? `${name}: ${help}`)

/** The choice of a list that leads to typing what is not in it. */
export const another = 'another one'
export const anotherChoice: MenuChoice = { value: another, description: '', stays: true }

/** The answer that goes back to the question before; typed, or chosen by its words. */
export const back = '<'
const backward: MenuChoice = {
  ...{ value: back, name: `${back} back to the previous question`, description: '' },
}
const wentBack = new Error('a person went back to the question before')

function withBack(question: Question): Question {
  return {
    ...question,
    remarks: [...(question.remarks ?? []), `${back} goes back`],
    validate: (typed) => (typed.trim() === back ? true : question.validate(typed)),
  }
}

/**
 * A dialog in which `<` takes the last answer back, however its questions are nested: it is played again with the answers before
 * that one. `left`: what comes of going back from the first question, which has no way back without it.
 */
export async function withWayBack<Result>(
  asker: Asker,
  dialog: (asker: Asker) => Promise<Result>,
  left?: () => Result,
): Promise<Result> {
  const answers: string[] = []
  for (;;) {
    let asked = 0
    const answered = async (ask: (mayGoBack: boolean) => Promise<string>) => {
      const before = answers[asked]
      asked += 1
      if (before !== undefined) return before
      const mayGoBack = asked > 1 || left !== undefined
      const answer = await ask(mayGoBack)
      if (mayGoBack && answer.trim() === back) throw wentBack
      answers.push(answer)
      return answer
    }
    const kinds = (kind: 'text' | 'hidden') => (question: Question) =>
      answered((mayGoBack) => asker[kind](mayGoBack ? withBack(question) : question))
    try {
      return await dialog({
        text: kinds('text'),
        hidden: kinds('hidden'),
        choice: (message, options, ...more) =>
          answered((mayGoBack) => asker.choice(message, mayGoBack ? [...options, backward] : options, ...more)),
        document: (question) => answered(() => asker.document(question)),
      })
    } catch (error) {
      if (error !== wentBack) throw error
      if (answers.length === 0 && left) return left()
      answers.pop()
    }
  }
}

export function ruleOf(request: z.ZodObject, { name }: Field): z.ZodType {
  return request.shape[name] as z.ZodType
}

/** Circumstances of one question. */
export interface Asking {
  /** The value that Enter alone takes. */
  readonly usual?: string | undefined
  /** What speaks against leaving it out, in words before "Enter to skip". */
  readonly without?: string | undefined
  /** The complaint about leaving it out; null where it can be. */
  readonly missing?: (() => string | null) | undefined
  /** The complaint about a value that keeps the rule of its field; null for none. */
  readonly wrong?: ((value: string) => string | null | Promise<string | null>) | undefined
  /** Values that are known, to choose from instead of typing one. */
  readonly offers?: readonly MenuChoice[] | undefined
}

/** An account in the place of a name is a slip: the account is asked for next. */
export const payeeQuestions: Readonly<Record<string, Asking>> = {
  beneficiaryName: {
    without: 'without it some banks reject the payout',
    wrong: (typed) =>
      /^[A-Z]{2}\d{2}[A-Z0-9]{11,}$/.test(tidyIban(typed))
        ? 'This is an account. Type the name; the IBAN is asked for next.'
        : null,
  },
}

/** Takes a value away that Enter alone would keep. */
const none = '-'
const leaveOut = 'omit it'

/** The ways of Enter and of leaving it out. */
function remarksOf({ required }: Field, { usual, without }: Asking): readonly string[] {
  if (usual === undefined) return required ? [] : [...(without ? [without] : []), 'Enter to skip']
  return [`Enter for ${usual}`, ...(required ? [] : [`${none} to skip`])]
}

async function chosen(
  asker: Asker,
  field: Field,
  options: readonly (string | MenuChoice)[],
  { usual }: Asking,
): Promise<string | undefined> {
  const out = usual === undefined || field.required ? [] : [leaveOut]
  const all = [...options, ...out]
  const answer = await asker.choice(title(field), all, usual, field.json === 'boolean' ? undefined : true)
  return answer === leaveOut ? undefined : answer
}

async function typed(asker: Asker, field: Field, rule: z.ZodType, asking: Asking): Promise<string | undefined> {
  const { tidy = (text: string) => text } = field
  const mayClear = asking.usual !== undefined && !field.required
  const answer = await asker.text({
    message: title(field),
    remarks: remarksOf(field, asking),
    validate: async (text) => {
      if (text === '' && asking.usual !== undefined) return true
      if (text === '') return field.required ? 'It is required.' : (asking.missing?.() ?? true)
      if (text === none && mayClear) return true
      const checked = z.safeParse(rule, tidy(text))
      if (!checked.success) return `It ${checked.error.issues[0]?.message ?? 'is wrong'}.`
      return (await asking.wrong?.(tidy(text))) ?? true
    },
  })
  if (mayClear && answer === none) return undefined
  return answer === '' ? asking.usual : answer
}

/** Asks for one scalar field of a request, or of an object inside it; undefined where it was left out. */
export async function askField(
  asker: Asker,
  field: Field,
  rule: z.ZodType,
  asking: Asking = {},
): Promise<string | undefined> {
  if (field.json === 'boolean') {
    const usual = asking.usual === undefined ? undefined : asking.usual === 'true' ? 'yes' : 'no'
    const answer = await chosen(asker, field, ['yes', 'no'], { ...asking, usual })
    return answer === 'yes' ? 'true' : answer === 'no' ? 'false' : answer
  }
  const [only, ...others] = field.options ?? []
  // There is nothing to choose.
  if (only !== undefined && others.length === 0 && field.required) return only
  if (field.options) return chosen(asker, field, field.options, asking)
  if (field.suggestions) {
    const answer = await chosen(asker, field, [...field.suggestions, anotherChoice], asking)
    if (answer !== another) return answer
  }
  if (asking.offers?.length) {
    const [question = ''] = title(field).split(/(?<=\?) /)
    const answer = await asker.choice(question, [...asking.offers, anotherChoice])
    if (answer !== another) return answer
  }
  return typed(asker, field, rule, asking)
}

/** The complaint about a request that is complete but for what was left out, where no permission and no type of orders matters. */
function withoutIt({ rules }: Operation, known: Members): string | null {
  const circumstances = { permits: new Set(Object.keys(permissions) as Permission[]), orderType: null, now: 0 }
  const [broken] = rules.flatMap((rule) => rule(known, circumstances))
  return broken ? `It is required: ${violationInWords(broken)}.` : null
}

/**
 * Asks for the fields that are missing and that a person should be asked for: those named in `first`, then the others in the
 * order of the specification. `asking`: more about the question of a field, by its name.
 */
export async function askForMissing(
  asker: Asker,
  operation: Operation,
  given: Members,
  asking: Readonly<Record<string, Asking>> = {},
  first: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const known: Record<string, unknown> = { ...given }
  const fields = fieldsOf(operation.request)
  const inOrder = [...fields.filter(({ name }) => first.includes(name)), ...fields]
  const asked = new Set<string>()
  const next = (members: Members, meanwhile?: string) =>
    inOrder.find((field) => {
      const isDone = members[field.name] !== undefined || field.name === meanwhile || asked.has(field.name)
      return !isDone && ((field.required && !field.made) || field.asked?.(members))
    })
  for (let field = next(known); field; field = next(known)) {
    const { name } = field
    // Behind the last question nothing can be made good any more.
    const missing = () => (next({ ...known, [name]: undefined }, name) ? null : withoutIt(operation, known))
    const answer = await askField(asker, field, ruleOf(operation.request, field), { missing, ...asking[name] })
    if (answer !== undefined) known[name] = answer
    asked.add(name)
  }
  return known
}
