/** The parts of the page: its sections, and the list of one. Everything that came from outside is escaped. */
import { html } from 'hono/html'
import { serviceZone } from '../../clock/clock.ts'
import { handName, type PageQuery, type PageState, sections } from '../look.ts'
import type { Column, PageCell, PageHtml, Row } from './section.ts'

/** The address of another look: what is not given stays out of it. */
export function pageAddress({ view, search, id, only, unfold }: Partial<PageQuery>): string {
  const given = { view, q: search, only, unfold, id }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) if (value) query.set(name, value)
  return `/_sandbox?${query}`
}

export const shown = (cell: PageCell) => (cell === null ? '' : String(cell))

export function navigation({ view, search, counts }: PageState): PageHtml {
  const items = sections.map(({ name, title, table }) => ({ name, title, count: table && counts[table] }))
  const all = [...items, { name: handName, title: 'Clock and faults', count: null }]
  return html`<ul>${all.map(
    ({ name, title, count }, at) => html`<li><a id="view-${name}" href="${pageAddress({ view: name, search })}"
      ${name === view ? html`aria-current="page"` : ''} data-key="${at + 1}">${title}${
        count === null ? '' : html` <b>${count}</b>`
      }</a></li>`,
  )}</ul>`
}

function filterLinks({ section, view, search, only }: PageState): PageHtml | string {
  if (!section?.filters) return ''
  const all = [{ name: null, title: 'All' }, ...section.filters]
  return html`<ul class="filters" aria-label="Show">${all.map(
    ({ name, title }) =>
      html`<li><a id="only-${name ?? 'all'}" href="${pageAddress({ view, search, only: name })}" ${
        name === only ? html`aria-current="true"` : ''
      }>${title}</a></li>`,
  )}</ul>`
}

/** The number of alike entries, which leads to each of them and back. */
function foldLink({ fold }: Row, { view, search, only }: PageState): PageHtml | string {
  if (!fold) return ''
  const { count, group, open } = fold
  const address = pageAddress({ view, search, only, unfold: open ? null : group })
  const label = open ? `${count} alike, shown one by one: fold them` : `${count} alike: show each of them`
  return html` <a class="fold" id="fold-${group}" href="${address}" aria-label="${label}">×${count}${open ? ' –' : ''}</a>`
}

function cellOf(column: Column, cell: PageCell, at: number, row: Row, seen: PageState): PageHtml {
  const kind = `${column.kind ?? 'text'}${column.minor ? ' minor' : ''}`
  const text = shown(cell)
  if (at === 0 && row.id !== null) {
    const { view, search, only, unfold } = seen
    const address = pageAddress({ view, search, only, unfold, id: row.id })
    return html`<th scope="row" class="${kind}" data-column="${column.name}"><a class="entry" id="entry-${row.id}" href="${address}">${text}</a></th>`
  }
  const dress: Readonly<Record<string, string>> = { status: `mark ${row.tone}`, words: 'lines' }
  const dressed = dress[column.kind ?? '']
  const inner = dressed === undefined ? text : html`<span class="${dressed}">${text}</span>`
  const fold = column.folds ? foldLink(row, seen) : ''
  return html`<td class="${kind}${fold === '' ? '' : ' folded'}" data-column="${column.name}">${inner}${fold}</td>`
}

/** True if the details that lie open are those of the row. */
export function isOpened({ id: own, fold }: Row, id: string | null): boolean {
  return id !== null && (own === id || (fold?.open === false && fold.ids.includes(id)))
}

/** The number of entries that the rows stand for. */
function standFor(rows: readonly Row[]): number {
  return rows.reduce((all, { fold }) => all + (fold && !fold.open ? fold.count : 1), 0)
}

export function list(seen: PageState): PageHtml {
  const { section, rows, search, id, only, counts } = seen
  if (!section) return html``
  const { columns, title, empty, table } = section
  const head = columns.map(
    ({ name, kind, minor, zoned }) =>
      html`<th scope="col" class="${kind ?? 'text'}${minor ? ' minor' : ''}" data-column="${name}">${name}${zoned ? html` <span>${serviceZone}</span>` : ''}</th>`,
  )
  const body = rows.map((row) => {
    const cells = columns.map((column, at) => cellOf(column, row.cells[at] ?? null, at, row, seen))
    return html`<tr ${isOpened(row, id) ? html`aria-current="true"` : ''}>${cells}</tr>`
  })
  const none = search !== '' ? `Nothing here holds “${search}”.` : only === null ? empty : 'There is none of this kind.'
  const older = table !== null && only === null ? counts[table] - standFor(rows) : 0
  return html`<h2 class="unseen">${title}</h2>${filterLinks(seen)}
    ${rows.length === 0 ? html`<p class="empty">${none}</p>` : html`<table class="of-${section.name}"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`}
    ${older > 0 ? html`<p class="empty">${older} older ones: search for them.</p>` : ''}`
}
