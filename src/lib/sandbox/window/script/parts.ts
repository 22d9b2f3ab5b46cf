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

/** Replaces what differs. Forms that are being filled in stay, and the focus stays where it was. */
export function replaceParts(text: string): void {
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  const focused = document.activeElement?.id
  for (const part of fresh.querySelectorAll<HTMLElement>('[data-part]')) {
    const old = find(`[data-part="${part.dataset.part}"]`)
    if (old && shell(old) !== shell(part)) old.innerHTML = part.innerHTML
  }
  if (focused && document.activeElement?.id !== focused) {
    document.getElementById(focused)?.focus({ preventScroll: true })
  }
  restartClock()
}
