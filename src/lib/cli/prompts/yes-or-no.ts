/** Questions that are answered with one word, or its first letter. Nothing is taken for granted: Enter alone answers none. */
import type { Asker } from './ask.ts'

/** One word, in any capitals. */
export function word(typed: string): string {
  return typed.trim().toLowerCase()
}

/** The answer among these, by its words or a short form; null where it is none. */
export function answerIn<Answer extends string>(
  typed: string,
  answers: Readonly<Record<Answer, readonly string[]>>,
): Answer | null {
  const own = Object.entries<readonly string[]>(answers).find(([, forms]) => forms.includes(word(typed)))
  return own ? (own[0] as Answer) : null
}

/** "send, edit or cancel". */
export function inOneLine(words: readonly string[]): string {
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
