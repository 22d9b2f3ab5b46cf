/** A question that is answered with yes or no, spelled out. */
import type { Asker } from './ask.ts'

/** True for yes. Neither is taken for granted. */
export async function askYesOrNo(
  asker: Asker,
  message: string,
  draw = (question: string) => question,
): Promise<boolean> {
  const answer = await asker.text({
    message: `${message} (yes or no)`,
    draw,
    validate: (typed) => (/^\s*(yes|no)\s*$/i.test(typed) ? true : 'Type yes or no.'),
  })
  return /^\s*yes\s*$/i.test(answer)
}
