/** A guided tour: questions that hang together, each with the rule of its answer. An answer can be taken back at the next one. */
import { type Asker, back, backInWords, type MenuChoice } from '../prompts/ask.ts'

/** The answers so far by the name of their question; one that was left out is empty. */
export type Answers = Readonly<Record<string, string>>

interface Text {
  readonly kind: 'text' | 'hidden'
  readonly message: string
  /** The complaint about an answer, a whole sentence; null for none. */
  readonly wrong: (typed: string) => string | null
  /** The answer that Enter alone takes; an empty one leaves it out. */
  readonly usual?: string
}

interface Choice {
  readonly kind: 'choice'
  readonly message: string
  readonly options: readonly MenuChoice[]
}

/** A question of the tour. */
export interface TourStep {
  readonly name: string
  /** True if it is asked at all, as far as the tour has come. */
  readonly when: (said: Answers) => boolean
  readonly question: (said: Answers) => Text | Choice
}

function remarks(usual: string | undefined, mayGoBack: boolean): string {
  const enter = usual === undefined ? [] : [usual === '' ? 'Enter to leave out' : `Enter for ${usual}`]
  const all = [...enter, ...(mayGoBack ? [`${back} goes back`] : [])]
  return all.length === 0 ? '' : ` (${all.join(', ')})`
}

async function answerTo(asker: Asker, question: Text | Choice, mayGoBack: boolean): Promise<string> {
  if (question.kind === 'choice') {
    const backward = { value: back, name: `${back} ${backInWords}`, description: '' }
    const answer = await asker.choice(question.message, [...question.options, ...(mayGoBack ? [backward] : [])])
    return answer
  }
  const { kind, message, wrong, usual } = question
  const answer = await asker[kind]({
    message: `${message}${remarks(usual, mayGoBack)}`,
    validate: (typed) => {
      if (mayGoBack && typed.trim() === back) return true
      if (typed.trim() === '') return usual === undefined ? 'It cannot be left out.' : true
      return wrong(kind === 'hidden' ? typed : typed.trim()) ?? true
    },
  })
  const said = kind === 'hidden' && answer.trim() !== back ? answer : answer.trim()
  return said === '' ? (usual ?? '') : said
}

/** The answers of a person; those in `before` are not asked for. */
export async function guided(asker: Asker, steps: readonly TourStep[], before: Answers): Promise<Answers> {
  const answers: (readonly [name: string, answer: string])[] = []
  for (;;) {
    const said = { ...before, ...Object.fromEntries(answers) }
    const step = steps.find(({ name, when }) => said[name] === undefined && when(said))
    if (!step) return said
    const mayGoBack = answers.length > 0
    const answer = await answerTo(asker, step.question(said), mayGoBack)
    if (mayGoBack && answer === back) answers.pop()
    else answers.push([step.name, answer])
  }
}
