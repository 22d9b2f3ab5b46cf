/** Actions of keys. In a field, keys are letters: only Escape means something else there. */
import { elementOf, find, searchField } from './page.ts'

/** To the next or the previous entry; where one lies open, the other is opened. */
function step(by: number): void {
  const entries = [...document.querySelectorAll<HTMLElement>('#list a.entry')]
  const { activeElement: active } = document
  const isEntry = active instanceof HTMLElement && active.matches('a.entry')
  const here = isEntry ? active : find('#list [aria-current] a')
  const at = here ? entries.indexOf(here) : -1
  const next = entries[Math.min(Math.max(at + by, 0), entries.length - 1)]
  next?.focus()
  if (find('#detail article')) next?.click()
}

function leaveSearch(): void {
  if (!searchField) return
  if (searchField.value === '') searchField.blur()
  searchField.value = ''
  document.querySelector<HTMLFormElement>('[role=search]')?.requestSubmit()
}

/** The filters in turn. */
function nextFilter(): void {
  const filters = [...document.querySelectorAll<HTMLElement>('.filters a')]
  const at = filters.findIndex((each) => each.hasAttribute('aria-current'))
  filters[(at + 1) % filters.length]?.click()
}

export function showKeys(): void {
  document.querySelector<HTMLDialogElement>('#keys')?.showModal()
}

/** The action of a key here; null where it is left to the browser. */
function meaningOf(key: string, target: HTMLElement | null): (() => void) | null {
  if (key === 'Escape') return target === searchField ? leaveSearch : () => find('a.close')?.click()
  if (target?.matches('input, select, textarea')) return null
  if (key === '/') return () => searchField?.select()
  if (key === '?') return showKeys
  if (/^[1-9]$/.test(key)) return () => find(`nav a[data-key="${key}"]`)?.click()
  if (key === 'f') return nextFilter
  if (key === 'c') return () => find('#detail [data-copy]')?.click()
  // In the details the arrows scroll.
  const scrolls = target?.closest('#detail') !== null
  if (key === 'j' || (key === 'ArrowDown' && !scrolls)) return () => step(1)
  if (key === 'k' || (key === 'ArrowUp' && !scrolls)) return () => step(-1)
  return null
}

export function pressKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || find('dialog[open]')) return
  const act = meaningOf(event.key, elementOf(event))
  if (!act) return
  event.preventDefault()
  act()
}
