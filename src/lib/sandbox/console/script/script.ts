/**
 * The script of the console: keeps the page up to date, follows its links without loading anew, sends its forms. Every
 * part of the page is rendered by the server.
 */
import { serviceZoneHours } from '../../../contract/assumed.ts'

function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}

const searchField = document.querySelector<HTMLInputElement>('#q')

/** The element from which an event comes. */
function elementOf({ target }: Event): HTMLElement | null {
  return target instanceof HTMLElement ? target : null
}

// The sandbox's clock at the top of the page: it runs on by itself between two answers of the server.

const zone = serviceZoneHours * 3_600_000

let read = performance.now()

function tickClock(): void {
  const clock = find('#clock')
  if (!clock) return
  const now = Number(clock.dataset.now) + performance.now() - read
  clock.textContent = new Date(now + zone).toISOString().slice(0, 19).replace('T', ' ')
}

/** After the server has told the time anew. */
function restartClock(): void {
  read = performance.now()
  tickClock()
}

// Signs of the page itself: the live connection, and for a while the answer to a form.

function showConnection(live: boolean, words: string): void {
  const sign = find('#live')
  // Said anew, it would be read out anew.
  if (!sign || sign.textContent === words) return
  sign.textContent = words
  sign.className = live ? 'live' : 'lost'
}

const readingTime = 8000

let said = 0

function sayForAWhile(words: string, good: boolean): void {
  const place = find('#said')
  if (!place) return
  said += 1
  const mine = said
  place.textContent = words
  place.className = good ? 'good' : 'bad'
  setTimeout(() => {
    if (mine === said) place.textContent = ''
  }, readingTime)
}

/** Copies what a button bears. */
async function copy({ dataset, textContent }: HTMLElement): Promise<void> {
  const what = textContent?.replace('Copy ', '') ?? ''
  try {
    await navigator.clipboard.writeText(dataset.copy ?? '')
    sayForAWhile(`Copied as ${what}.`, true)
  } catch {
    sayForAWhile('The browser does not let this page copy.', false)
  }
}

// Parts of the page, each rendered by the server: newer ones are put in the place of older ones.

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
function replaceParts(text: string): void {
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

// Goes from one view of the page to another without loading it anew.

/** Visits are numbered: an answer that comes late is thrown away. */
let visits = 0

/** Shows what the address means now. */
async function refresh(): Promise<void> {
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

async function goTo(address: string): Promise<void> {
  const to = new URL(address, location.href)
  const opened = find('#list [aria-current] a')
  remember(to)
  if (searchField && document.activeElement !== searchField) searchField.value = to.searchParams.get('q') ?? ''
  await refresh()
  keepFocus(opened)
}

async function searchNow(): Promise<void> {
  const to = new URL(location.href)
  to.searchParams.delete('id')
  to.searchParams.set('q', searchField?.value ?? '')
  await goTo(to.href)
}

const typingPause = 150

let typed = 0

/** Searches when nothing more was typed for a moment. */
function searchSoon(): void {
  typed += 1
  const mine = typed
  setTimeout(() => {
    if (mine === typed) void searchNow()
  }, typingPause)
}

/** The way back and forth. */
function followHistory(): void {
  if (searchField) searchField.value = new URL(location.href).searchParams.get('q') ?? ''
  void refresh()
}

function filledIn(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) body.append(name, String(value))
  return body
}

async function sendForm(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  try {
    const answer = await fetch(form.action, { method: 'POST', body: filledIn(form, submitter) })
    sayForAWhile(await answer.text(), answer.ok)
  } catch {
    sayForAWhile('The sandbox does not answer.', false)
  }
  await refresh()
}

// Actions of keys. In a field, keys are letters: only Escape means something else there.

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

function showKeys(): void {
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

function pressKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || find('dialog[open]')) return
  const act = meaningOf(event.key, elementOf(event))
  if (!act) return
  event.preventDefault()
  act()
}

function click(event: MouseEvent): void {
  const { button, ctrlKey, metaKey, altKey, shiftKey } = event
  const target = elementOf(event)
  if (!target || button !== 0 || ctrlKey || metaKey || altKey || shiftKey) return
  const copied = target.closest<HTMLElement>('[data-copy]')
  const link = target.closest<HTMLAnchorElement>('a[href^="/_sandbox?"]')
  if (link) {
    event.preventDefault()
    void goTo(link.href)
  } else if (target.closest('#help')) showKeys()
  else if (copied) void copy(copied)
  else if (!target.closest('a, button, input, select, label')) {
    target.closest('tr')?.querySelector<HTMLElement>('a.entry')?.click()
  }
}

function submit(event: SubmitEvent): void {
  const { target, submitter } = event
  if (!(target instanceof HTMLFormElement) || target.matches('[method=dialog]')) return
  event.preventDefault()
  void (target.matches('[role=search]') ? searchNow() : sendForm(target, submitter))
}

document.addEventListener('click', click)
document.addEventListener('submit', submit)
document.addEventListener('keydown', pressKey)
searchField?.addEventListener('input', searchSoon)
addEventListener('popstate', followHistory)
const changes = new EventSource('/_sandbox/live')
changes.addEventListener('open', () => showConnection(true, 'live'))
changes.addEventListener('error', () => showConnection(false, 'not connected'))
changes.addEventListener('changed', () => void refresh())
setInterval(tickClock, 1000)
