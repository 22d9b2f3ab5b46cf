/** Parts of the page, each rendered by the server: newer ones are put in the place of older ones. */
import { restartClock } from './clock.ts'
import { find } from './page.ts'

/** A part without the parts that stand in it. */
function shell(part: HTMLElement): string {
  const copy = document.createElement('div')
  copy.innerHTML = part.innerHTML
  for (const inner of copy.querySelectorAll('[data-part]')) inner.innerHTML = ''
  return copy.innerHTML
}

type Field = HTMLInputElement | HTMLSelectElement

const isField = (element: Element | null): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement

function isChanged(field: Field): boolean {
  if (field instanceof HTMLInputElement) return field.value !== field.defaultValue
  return field.selectedOptions[0]?.defaultSelected === false
}

/** What was typed into fields and chosen in lists, by the id of the field. */
function typedIn(part: HTMLElement): ReadonlyMap<string, string> {
  const fields = [...part.querySelectorAll('input[id], select[id]')].filter(isField)
  return new Map(fields.filter(isChanged).map(({ id, value }) => [id, value]))
}

/** The place of the cursor in the field that has the focus. */
function cursorIn(field: Element | null): number | null {
  return field instanceof HTMLInputElement && field.type === 'text' ? field.selectionStart : null
}

function renew(old: HTMLElement, fresh: HTMLElement): void {
  const typed = typedIn(old)
  old.innerHTML = fresh.innerHTML
  for (const [id, value] of typed) {
    const field = document.getElementById(id)
    if (isField(field)) field.value = value
  }
}

/** Replaces what differs. Forms that are being filled in stay, and the focus stays where it was. */
export function replaceParts(text: string): void {
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  const focused = document.activeElement?.id
  const cursor = cursorIn(document.activeElement)
  for (const part of fresh.querySelectorAll<HTMLElement>('[data-part]')) {
    const old = find(`[data-part="${part.dataset.part}"]`)
    if (old && shell(old) !== shell(part)) renew(old, part)
  }
  if (focused && document.activeElement?.id !== focused) {
    const field = document.getElementById(focused)
    field?.focus({ preventScroll: true })
    if (cursor !== null && field instanceof HTMLInputElement) field.setSelectionRange(cursor, cursor)
  }
  restartClock()
}
