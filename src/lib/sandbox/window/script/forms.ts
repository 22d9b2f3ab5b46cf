/** Sends the forms of the page, and says what came of it. */
import { sayForAWhile } from './signs.ts'
import { refresh } from './visits.ts'

function filledIn(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) body.append(name, String(value))
  return body
}

export async function sendForm(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  try {
    const answer = await fetch(form.action, { method: 'POST', body: filledIn(form, submitter) })
    sayForAWhile(await answer.text(), answer.ok)
  } catch {
    sayForAWhile('The sandbox does not answer.', false)
  }
  await refresh()
}
