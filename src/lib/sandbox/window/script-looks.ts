/**
 * Keeps the page up to date, in the browser. The function is sent as its own text, so it may use nothing that stands outside
 * of it. Every part of the page is rendered by the server: this puts newer parts in the place of older ones, follows links
 * without loading anew, and sends forms.
 */
import type { Browser, PageElement } from './browser.ts'

export function keepUp(browser: Browser, zone: number): void {
  const { document, location, history } = browser
  const find = (selector: string) => document.querySelector(selector)
  const search = find('#q')
  /** Looks are numbered: an answer that comes late is thrown away. */
  let looks = 0
  let typed = 0
  let said = 0
  let clockRead = performance.now()

  const tick = () => {
    const clock = find('#clock')
    if (!clock) return
    const now = Number(clock.dataset.now) + performance.now() - clockRead
    clock.textContent = new Date(now + zone).toISOString().slice(0, 19).replace('T', ' ')
  }

  const isLive = (live: boolean, words: string) => {
    const sign = find('#live')
    if (!sign || sign.textContent === words) return
    sign.textContent = words
    sign.className = live ? 'live' : 'lost'
  }

  const say = (words: string, good: boolean) => {
    const place = find('#said')
    if (!place) return
    said += 1
    const mine = said
    place.textContent = words
    place.className = good ? 'good' : 'bad'
    setTimeout(() => {
      if (mine === said) place.textContent = ''
    }, 8000)
  }

  /** A part without the parts that stand in it. */
  const shell = (part: PageElement): string => {
    const copy = part.cloneNode(true)
    for (const inner of copy.querySelectorAll('[data-part]')) inner.innerHTML = ''
    return copy.innerHTML
  }

  /** What differs is replaced. Forms that somebody fills in stay, and the focus stays where it was. */
  const show = (text: string) => {
    const fresh = new browser.DOMParser().parseFromString(text, 'text/html')
    const focused = document.activeElement?.id
    for (const part of fresh.querySelectorAll('[data-part]')) {
      const old = find(`[data-part="${part.dataset.part}"]`)
      if (old && shell(old) !== shell(part)) old.innerHTML = part.innerHTML
    }
    if (focused && document.activeElement?.id !== focused) {
      document.getElementById(focused)?.focus({ preventScroll: true })
    }
    clockRead = performance.now()
    tick()
  }

  const look = async () => {
    looks += 1
    const mine = looks
    try {
      const answer = await fetch(location.href, { headers: { 'x-parts': '1' } })
      const text = await answer.text()
      if (mine !== looks) return
      if (answer.ok) show(text)
      else isLive(false, 'closed')
    } catch {
      isLive(false, 'not connected')
    }
  }

  /** Goes to another look. From one entry to the next the way back leads past them all. */
  const go = async (address: string) => {
    const [to, from] = [new URL(address, location.href), new URL(location.href)]
    const opened = find('#list [aria-current] a')
    const isNext = to.searchParams.has('id') && from.searchParams.has('id')
    if (isNext || to.searchParams.get('q') !== from.searchParams.get('q')) history.replaceState(null, '', to.href)
    else history.pushState(null, '', to.href)
    if (search && document.activeElement !== search) search.value = to.searchParams.get('q') ?? ''
    await look()
    if (document.activeElement !== document.body) return
    const back = opened && document.getElementById(opened.id)
    const place = find('#detail a.close') ?? back
    place?.focus({ preventScroll: true })
  }

  const searchNow = async () => {
    const to = new URL(location.href)
    to.searchParams.delete('id')
    to.searchParams.set('q', search?.value ?? '')
    await go(to.href)
  }

  const send = async (form: PageElement, submitter: PageElement | null) => {
    try {
      const body = new URLSearchParams([...new browser.FormData(form, submitter)])
      const answer = await fetch(form.action, { method: 'POST', body })
      say(await answer.text(), answer.ok)
    } catch {
      say('The sandbox does not answer.', false)
    }
    await look()
  }

  document.addEventListener('click', (happening) => {
    const { target, button, ctrlKey, metaKey, altKey, shiftKey } = happening
    if (button !== 0 || ctrlKey || metaKey || altKey || shiftKey) return
    const link = target.closest('a[href^="/_sandbox?"]')
    if (link) {
      happening.preventDefault()
      void go(link.href)
    } else if (target.closest('#help')) find('#keys')?.showModal()
    else if (!target.closest('a, button, input, select, label')) target.closest('tr')?.querySelector('a.entry')?.click()
  })
  document.addEventListener('submit', (happening) => {
    const { target, submitter } = happening
    if (target.matches('[method=dialog]')) return
    happening.preventDefault()
    void (target.matches('[role=search]') ? searchNow() : send(target, submitter))
  })
  search?.addEventListener('input', () => {
    typed += 1
    const mine = typed
    setTimeout(() => {
      if (mine === typed) void searchNow()
    }, 150)
  })
  browser.addEventListener('popstate', () => {
    if (search) search.value = new URL(location.href).searchParams.get('q') ?? ''
    void look()
  })
  const changes = new browser.EventSource('/_sandbox/live')
  changes.addEventListener('open', () => isLive(true, 'live'))
  changes.addEventListener('error', () => isLive(false, 'not connected'))
  changes.addEventListener('changed', () => void look())
  setInterval(tick, 1000)
}
