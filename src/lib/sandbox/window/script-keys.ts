/** Listens to keys, in the browser: sent as its own text, like script-looks.ts. Whoever types in a field is left alone. */
import type { Browser } from './browser.ts'

export function listenToKeys({ document }: Browser): void {
  const find = (selector: string) => document.querySelector(selector)
  const search = find('#q')

  /** To the next or the previous entry; where one lies open, the other is opened. */
  const step = (by: number) => {
    const entries = [...document.querySelectorAll('#list a.entry')]
    const here = document.activeElement?.matches('a.entry') ? document.activeElement : find('#list [aria-current] a')
    const at = here ? entries.indexOf(here) : -1
    const next = entries[Math.min(Math.max(at + by, 0), entries.length - 1)]
    next?.focus()
    if (find('#detail article')) next?.click()
  }

  const leaveSearch = () => {
    if (!search) return
    if (search.value === '') search.blur()
    search.value = ''
    find('[role=search]')?.requestSubmit()
  }

  document.addEventListener('keydown', (happening) => {
    const { target, key, ctrlKey, metaKey, altKey } = happening
    if (ctrlKey || metaKey || altKey || find('dialog[open]')) return
    const isTyping = target.matches('input, select, textarea')
    const act = () => {
      if (key === 'Escape') return target === search ? leaveSearch : () => find('a.close')?.click()
      if (isTyping) return null
      if (key === '/') return () => search?.select()
      if (key === '?') return () => find('#keys')?.showModal()
      if (/^[1-9]$/.test(key)) return () => find(`nav a[data-key="${key}"]`)?.click()
      if (key === 'j' || (key === 'ArrowDown' && !target.closest('#detail'))) return () => step(1)
      if (key === 'k' || (key === 'ArrowUp' && !target.closest('#detail'))) return () => step(-1)
      return null
    }
    const meant = act()
    if (!meant) return
    happening.preventDefault()
    meant()
  })
}
