/** The look of the page, light and dark, and the few lines that renew it. */

export const dashboardStyle = `
body { margin: 0 auto; padding: 1.5rem 1rem; max-width: 90rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; } h1 span { color: var(--accent); font-weight: 400; }
h2 { font-size: 1.125rem; margin: 0 0 .5rem; }
p { margin: .5rem 0 0; overflow-wrap: anywhere; }
#live { color: var(--quiet); font-size: .875rem; }
#live, .quiet { margin: 0; }
#live.away { color: var(--bad); font-weight: 600; }
section, dl > div { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; }
section { margin-top: 1rem; } section .quiet { margin-top: .5rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem; margin: .75rem 0 0; }
dt { color: var(--quiet); font-size: .875rem; }
dd { margin: 0; font-size: 1.375rem; font-weight: 650; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.alarm dd { color: var(--bad); }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th { text-align: left; font-weight: 600; color: var(--quiet); }
th, td { padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font: .9em ui-monospace, 'Cascadia Mono', Menlo, monospace; }
`

/** The page is asked for again, and its main part put in the place of the old one: the table that has the focus keeps it. */
export const dashboardScript = `
const live = document.getElementById('live')
const tell = (text, isAway) => { live.textContent = text; live.className = isAway ? 'away' : '' }
async function renew() {
  try {
    const answer = await fetch(location.href, { cache: 'no-store', headers: { 'x-parts': 'main' } })
    if (!answer.ok) throw new Error(await answer.text())
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main')
    const now = document.querySelector('main')
    const focused = document.activeElement.getAttribute('aria-label')
    const scrolled = new Map([...now.querySelectorAll('.wide')].map((each) => [each.getAttribute('aria-label'), each.scrollLeft]))
    now.replaceWith(document.adoptNode(next))
    for (const each of next.querySelectorAll('.wide')) {
      each.scrollLeft = scrolled.get(each.getAttribute('aria-label')) || 0
      if (focused !== null && each.getAttribute('aria-label') === focused) each.focus({ preventScroll: true })
    }
    tell('as of now', false)
  } catch {
    tell('no answer: this is how it was', true)
  }
}
async function renewing() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    if (!document.hidden) await renew()
  }
}
renewing()
`
