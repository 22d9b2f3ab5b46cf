/** A guided tour: questions that hang together, each with the rule of its answer. An answer can be taken back at the next one. */
import { type Asker, type MenuChoice, withWayBack } from '../prompts/ask.ts'

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

async function answerTo(asker: Asker, question: Text | Choice): Promise<string> {
  if (question.kind === 'choice') return asker.choice(question.message, question.options)
  const { kind, message, wrong, usual } = question
  const answer = await asker[kind]({
    message,
    remarks: usual === undefined ? [] : [usual === '' ? 'Enter to leave out' : `Enter for ${usual}`],
    validate: (typed) => {
      if (typed.trim() === '') return usual === undefined ? 'It cannot be left out.' : true
      return wrong(kind === 'hidden' ? typed : typed.trim()) ?? true
    },
  })
  const said = kind === 'hidden' ? answer : answer.trim()
  return said.trim() === '' ? (usual ?? '') : said
}

/** The answers of a person; those in `before` are not asked for. */
export function guided(asker: Asker, steps: readonly TourStep[], before: Answers): Promise<Answers> {
  return withWayBack(asker, async (within) => {
    const said: Record<string, string> = { ...before }
    for (;;) {
      const step = steps.find(({ name, when }) => said[name] === undefined && when(said))
      if (!step) return said
      said[step.name] = await answerTo(within, step.question(said))
    }
  })
}
