/** The parts of the page: the list of a section, and the details of an entry. Everything that came from outside is escaped. */
import { html } from 'hono/html'
import { handName, type PageQuery, type PageState, sections } from '../look.ts'
import type { Column, Detail, Facts, PageCell, PageHtml, Row } from './section.ts'

/** The address of another look: what is not given stays out of it. */
export function pageAddress({ view, search, id }: Partial<PageQuery>): string {
  const query = new URLSearchParams()
  if (view !== undefined) query.set('view', view)
  if (search !== undefined && search !== '') query.set('q', search)
  if (id !== undefined && id !== null) query.set('id', id)
  return `/_sandbox?${query}`
}

const shown = (cell: PageCell) => (cell === null ? '' : String(cell))

export function navigation({ view, search, counts }: PageState): PageHtml {
  const items = sections.map(({ name, title, table }) => ({ name, title, count: table && counts[table] }))
  const all = [...items, { name: handName, title: 'Clock and faults', count: null }]
  return html`<ul>${all.map(
    ({ name, title, count }, at) => html`<li><a href="${pageAddress({ view: name, search })}"
      ${name === view ? html`aria-current="page"` : ''} data-key="${at + 1}">${title}${
        count === null ? '' : html` <b>${count}</b>`
      }</a></li>`,
  )}</ul>`
}

function cellOf(column: Column, cell: PageCell, at: number, row: Row, address: string | null): PageHtml {
  const kind = `${column.kind ?? 'text'}${column.minor ? ' minor' : ''}`
  const text = shown(cell)
  if (at === 0 && address !== null) {
    return html`<th scope="row" class="${kind}"><a class="entry" id="entry-${row.id}" href="${address}">${text}</a></th>`
  }
  const inner = column.kind === 'status' ? html`<span class="mark ${row.tone}">${text}</span>` : text
  return html`<td class="${kind}">${inner}</td>`
}

export function list({ section, rows, view, search, id, counts }: PageState): PageHtml {
  if (!section) return html``
  const { columns, title, empty, table } = section
  const head = columns.map(
    ({ name, kind, minor }) => html`<th scope="col" class="${kind ?? 'text'}${minor ? ' minor' : ''}">${name}</th>`,
  )
  const body = rows.map((row) => {
    const address = row.id === null ? null : pageAddress({ view, search, id: row.id })
    const cells = columns.map((column, at) => cellOf(column, row.cells[at] ?? null, at, row, address))
    return html`<tr ${row.id !== null && row.id === id ? html`aria-current="true"` : ''}>${cells}</tr>`
  })
  const none = search === '' ? empty : `Nothing here holds “${search}”.`
  const more = table !== null && counts[table] > rows.length ? counts[table] - rows.length : 0
  return html`<h2 class="unseen">${title}</h2>
    ${rows.length === 0 ? html`<p class="empty">${none}</p>` : html`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`}
    ${more > 0 ? html`<p class="empty">${more} older ones: search for them.</p>` : ''}`
}

function facts({ title, rows }: Facts): PageHtml | string {
  const known = rows.filter(([, value]) => value !== null && String(value) !== '')
  if (known.length === 0) return ''
  return html`<section><h3>${title}</h3><dl>${known.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${shown(value)}</dd></div>`,
  )}</dl></section>`
}

function whole(detail: Detail, seen: PageState): PageHtml {
  const { title, tone, status, actions, about, texts } = detail
  const [first, ...others] = detail.facts
  const requests = { view: 'requests', ...(about === undefined ? {} : { search: about }) }
  return html`<header><div><h2>${title}</h2><p><span class="mark ${tone}">${status}</span></p></div>
      <a class="close" href="${pageAddress({ view: seen.view, search: seen.search })}" aria-label="Close the details">✕</a></header>
    ${actions ?? ''}${first ? facts(first) : ''}
    ${texts.map(({ title, text }) => html`<section><h3>${title}</h3><pre>${text}</pre></section>`)}
    ${others.map(facts)}
    ${about === undefined ? '' : html`<p><a href="${pageAddress(requests)}">Every request about it</a></p>`}`
}

export function details(seen: PageState): PageHtml {
  const { detail, view, search } = seen
  if (detail === null) return html``
  if (detail !== 'gone') return html`<article>${whole(detail, seen)}</article>`
  return html`<article><header><h2>It is gone</h2>
    <a class="close" href="${pageAddress({ view, search })}" aria-label="Close the details">✕</a></header>
    <p>The log keeps the newest 5,000 requests, and a new world begins empty.</p></article>`
}
