/** Goes from one view of the page to another without loading it anew. */
import { find, searchField } from './page.ts'
import { replaceParts } from './parts.ts'
import { showConnection } from './signs.ts'

/** Visits are numbered: an answer that comes late is thrown away. */
let visits = 0

/** Shows what the address means now. */
export async function refresh(): Promise<void> {
  visits += 1
  const mine = visits
  try {
    const answer = await fetch(location.href, { headers: { 'x-parts': '1' } })
    const text = await answer.text()
    if (mine !== visits) return
    if (answer.ok) replaceParts(text)
    else showConnection(false, 'closed')
  } catch {
    showConnection(false, 'not connected')
  }
}

/** From one entry of a list to the next, and while a search is typed, the way back leads past them all. */
function remember(to: URL): void {
  const from = new URL(location.href)
  const differs = (name: string) => to.searchParams.get(name) !== from.searchParams.get(name)
  const isNext = to.searchParams.has('id') && from.searchParams.has('id') && !differs('q')
  const isSearch = !from.searchParams.has('id') && differs('q')
  if (!differs('view') && (isNext || isSearch)) history.replaceState(null, '', to.href)
  else history.pushState(null, '', to.href)
}

/** A focus that was lost goes to the entry that was opened, or back to the one that was closed. */
function keepFocus(opened: HTMLElement | null): void {
  if (document.activeElement !== document.body) return
  const back = opened && document.getElementById(opened.id)
  const place = find('#detail a.close') ?? back
  place?.focus({ preventScroll: true })
}

export async function goTo(address: string): Promise<void> {
  const to = new URL(address, location.href)
  const opened = find('#list [aria-current] a')
  remember(to)
  if (searchField && document.activeElement !== searchField) searchField.value = to.searchParams.get('q') ?? ''
  await refresh()
  keepFocus(opened)
}

export async function searchNow(): Promise<void> {
  const to = new URL(location.href)
  to.searchParams.delete('id')
  to.searchParams.set('q', searchField?.value ?? '')
  await goTo(to.href)
}

const typingPause = 150

let typed = 0

/** Searches when nothing more was typed for a moment. */
export function searchSoon(): void {
  typed += 1
  const mine = typed
  setTimeout(() => {
    if (mine === typed) void searchNow()
  }, typingPause)
}

/** The way back and forth. */
export function followHistory(): void {
  if (searchField) searchField.value = new URL(location.href).searchParams.get('q') ?? ''
  void refresh()
}
