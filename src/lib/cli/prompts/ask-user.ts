/** A new user at a terminal: nothing of the payload is specified, so it is written in the person's own editor. */
import { Failure } from '../../failure.ts'
import { fieldsInText } from '../input/request-file.ts'
import type { Asker } from './ask.ts'

// The Georgian words are more than politeness: they show whoever guesses the encoding of the text that it is UTF-8.
const start = `# The user to register: YAML or JSON, one member in each line. Save and close to go on; leave nothing, and nothing is sent.
# Texts in any language (სახელი და გვარი), numbers, true, false, null; quote a personal number. For example:
# name: Nino Beridze
# personalNumber: "01001000001"
# Your agreement with the service says which members there are.
`

/** Throws a Failure: declined (3) where nothing was left. */
export async function askForUser(asker: Asker): Promise<Record<string, unknown>> {
  const isEmpty = (text: string) => text.split('\n').every((line) => line.trim() === '' || line.trim().startsWith('#'))
  const wrong = async (text: string) => {
    if (isEmpty(text)) return null
    const read = await fieldsInText(text, 'the text', 'kinds').catch((error: unknown) => error)
    return read instanceof Failure ? read.message.replace('--file: ', '') : null
  }
  const text = await asker.document({
    message: 'Who is the user?',
    start,
    ending: '.yaml',
    validate: async (typed) => (await wrong(typed)) ?? true,
  })
  if (isEmpty(text)) throw new Failure('declined', 'nothing was written; nothing was sent')
  return fieldsInText(text, 'the text', 'kinds')
}
