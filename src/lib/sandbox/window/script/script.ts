/**
 * The script of the window: keeps the page up to date, follows its links without loading anew, sends its forms. Every part of
 * the page is rendered by the server. The build makes one text of this folder, which every page carries.
 */
import { tickClock } from './clock.ts'
import { copy } from './copy.ts'
import { sendForm } from './forms.ts'
import { pressKey, showKeys } from './keys.ts'
import { elementOf, searchField } from './page.ts'
import { showConnection } from './signs.ts'
import { followHistory, goTo, refresh, searchNow, searchSoon } from './visits.ts'

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
