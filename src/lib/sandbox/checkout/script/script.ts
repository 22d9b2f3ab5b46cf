/**
 * The script of the checkout page: card fields take the form of the card while one types. Everything else works without it,
 * and so does paying.
 */
import { addSlash, groupDigits } from '../groups.ts'

/** Writes a field anew, with the cursor behind the same digit. */
function tidy(field: HTMLInputElement, form: (typed: string) => string): void {
  const { value, selectionStart } = field
  const fresh = form(value)
  if (fresh === value) return
  const atEnd = selectionStart === null || selectionStart >= value.length
  const digits = value.slice(0, selectionStart ?? 0).replace(/\D/g, '').length
  field.value = fresh
  if (atEnd) return
  let at = 0
  for (let seen = 0; at < fresh.length && seen < digits; at += 1) seen += /\d/.test(fresh.charAt(at)) ? 1 : 0
  field.setSelectionRange(at, at)
}

const forms = { number: groupDigits, expiry: addSlash }

for (const [id, form] of Object.entries(forms)) {
  const field = document.querySelector<HTMLInputElement>(`#${id}`)
  field?.addEventListener('input', () => tidy(field, form))
}
