/** The details of an entry: the cause of a refusal first, then what leads on, then everything that is known. */
import { html } from 'hono/html'
import type { PageState } from '../look.ts'
import { isOpened, pageAddress, shown } from './parts.ts'
import type { Detail, Facts, PageHtml } from './section.ts'

function facts({ title, rows }: Facts): PageHtml | string {
  const known = rows.filter(([, value]) => value !== null && String(value) !== '')
  if (known.length === 0) return ''
  return html`<section><h3>${title}</h3><dl>${known.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${shown(value)}</dd></div>`,
  )}</dl></section>`
}

/** To the entries above and below it in the list, and back to the list. */
function ways(seen: PageState): PageHtml {
  const { rows, view, search, only, unfold, id } = seen
  const at = rows.findIndex((row) => isOpened(row, id))
  const way = (to: number, name: string, sign: string, words: string) => {
    const target = at === -1 ? null : (rows[to]?.id ?? null)
    if (target === null) return html`<span class="way" aria-hidden="true">${sign}</span>`
    const address = pageAddress({ view, search, only, unfold, id: target })
    return html`<a class="way" id="${name}" href="${address}" aria-label="${words}">${sign}</a>`
  }
  return html`<div class="ways">${way(at - 1, 'previous', '↑', 'Previous entry')}${way(at + 1, 'next', '↓', 'Next entry')}
    <a class="close way" id="close" href="${pageAddress({ view, search, only, unfold })}" aria-label="Close the details">✕</a></div>`
}

function onward({ links = [], copies = [], about }: Detail): PageHtml | string {
  if (links.length === 0 && copies.length === 0 && about === undefined) return ''
  const link = (title: string, address: string, name: string) =>
    html`<li><a id="to-${name}" href="${address}">${title}</a></li>`
  return html`<div class="onward"><ul>${links.map(({ title, view, id }) =>
    link(title, pageAddress({ view, id }), `${view}-${id}`),
  )}${about === undefined ? '' : link('Every request about it', pageAddress({ view: 'requests', search: about }), 'requests')}</ul>
    ${copies.map(
      ({ as, text }) => html`<button type="button" id="copy-${as}" data-copy="${text}">Copy ${as}</button>`,
    )}</div>`
}

function whole(detail: Detail, seen: PageState): PageHtml {
  const { title, tone, status, cause, actions, texts } = detail
  const [first, ...others] = detail.facts
  return html`<header><div><h2>${title}</h2><p><span class="mark ${tone}">${status}</span></p></div>${ways(seen)}</header>
    ${cause ? html`<p class="cause">${cause}</p>` : ''}
    ${onward(detail)}${actions ?? ''}${first ? facts(first) : ''}
    ${texts.map(({ title, text }) => html`<section><h3>${title}</h3><pre>${text}</pre></section>`)}
    ${others.map(facts)}`
}

export function details(seen: PageState): PageHtml {
  const { detail } = seen
  if (detail === null) return html``
  if (detail !== 'gone') return html`<article>${whole(detail, seen)}</article>`
  return html`<article><header><h2>It is gone</h2>${ways(seen)}</header>
    <p>The log keeps the newest 5,000 requests, and a new world begins empty.</p></article>`
}
