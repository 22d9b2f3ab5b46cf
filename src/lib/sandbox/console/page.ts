/**
 * The page of the console: sections, a list, the details of an entry. Parts that change carry `data-part`: the script
 * replaces them when they do.
 */
import { html } from 'hono/html'
import { operations } from '../../contract/operations.ts'
import { type Html, htmlPage } from '../../html.ts'
import { countsOf, type SearchedTable, type Words } from '../../store/sandbox/rows.ts'
import { visiblePage } from '../../text.ts'
import { names } from '../accounts/fixtures.ts'
import { type ClockState, localMoment, serviceZone } from '../clock.ts'
import { type Fault, type FaultOrder, faultKinds, faultPlaces, faultTargets } from '../faults.ts'
import type { Sandbox } from '../sandbox.ts'
import { requestsSection } from './requests.ts'
import type { Column, Detail, Facts, PageCell, PageContext, Row, Section } from './section.ts'
import { consoleStyle } from './style.ts'
import { tableSections } from './tables.ts'

interface FaultPreset extends Pick<FaultOrder, 'at' | 'kind' | 'delay'> {
  readonly name: string
  readonly title: string
  /** The effect, in words that follow "the fault waits:". */
  readonly promise: string
}

/** The faults that are wanted most, by one click. */
const presets = [
  ['lose-answer', 'Lose the next answer', 'after', 'reset', 'it is executed, and its answer is lost'],
  ['lose-request', 'Lose the next request', 'before', 'reset', 'the service never sees it'],
  ['late-answer', 'Answer 30 s late', 'after', 'slow', 'it is executed, and its answer is 30 seconds late', 30_000],
  ['bad-gateway', 'Answer 502 all the same', 'after', 'html502', 'it is executed, and a gateway says 502'],
  ['twice', 'Deliver it twice', 'after', 'duplicate', 'the service gets it twice, as from a proxy that repeats it'],
  ['busy', 'Refuse with 429', 'before', '429', 'it is refused with 429, unseen'],
  ['token', 'Refuse the token', 'before', '401', 'it is refused with 401, unseen'],
] as const

export const faultPresets: readonly FaultPreset[] = presets.map(([name, title, at, kind, promise, delay]) => {
  return { name, title, at, kind, promise, delay }
})

const options = (words: readonly string[], first?: string) =>
  words.map((word) => html`<option ${word === first ? 'selected' : ''}>${word}</option>`)

/** The first write is offered first: mostly one wants to see a payment fail. */
const firstWrite = operations.find(({ effect }) => effect === 'write')?.name

const number = (name: string, label: string, usual: string) =>
  html`<label>${label} <input name="${name}" id="${name}" type="number" min="1" placeholder="${usual}"></label>`

function clockForms(): Html {
  const leaps = ['5m', '1h', '1d', '7d', '31d']
  return html`<section><h3>Clock</h3>
    <p>Everything moves with it, and only forward: tokens end, payouts go their course, orders expire, subscriptions are charged.</p>
    <form method="post" action="/_sandbox/clock/advance" class="actions">
      ${leaps.map((leap) => html`<button name="by" value="${leap}" id="leap-${leap}">+ ${leap}</button>`)}
    </form>
    <form method="post" action="/_sandbox/clock/advance" class="actions">
      <label>Advance by <input name="by" id="by" required placeholder="90s, 5m, 24h, 31d" size="14" autocomplete="off"></label>
      <button>Advance</button>
    </form>
    <form method="post" action="/_sandbox/clock/set" class="actions">
      <label>Set to (${serviceZone}) <input name="to" id="to" required placeholder="yyyy-MM-dd HH:mm:ss" size="19" autocomplete="off"></label>
      <button>Set</button>
    </form></section>`
}

function presetForm(): Html {
  return html`<section><h3>Faults by one click</h3>
    <form method="post" action="/_sandbox/fault/preset" class="actions">
      <label>Operation <select name="op" id="preset-op">${options(faultTargets, firstWrite)}</select></label>
      <div class="presets">${faultPresets.map(
        ({ name, title, promise }) =>
          html`<button name="preset" value="${name}" id="preset-${name}" title="${promise}">${title}</button>`,
      )}</div>
    </form></section>`
}

function faultForm(): Html {
  return html`<section><h3>Any other fault</h3>
    <p>Before: the service never sees the request. After: it executes it, and its answer is lost or damaged. With “in 1000” it strikes by chance until it is cleared; “late by” is for slow, “faster than” for 429.</p>
    <form method="post" action="/_sandbox/fault/add" class="actions">
      <label>Operation <select name="op" id="op">${options(faultTargets, firstWrite)}</select></label>
      <label>When <select name="at" id="at">${options(faultPlaces)}</select></label>
      <label>What <select name="kind" id="kind">${options(faultKinds)}</select></label>
      ${number('nth', 'From request', '1')}${number('times', 'Times', '1')}${number('perMille', 'or in 1000', '')}
      <label>Late by <input name="delay" id="delay" placeholder="3s" size="6" autocomplete="off"></label>
      <label>Faster than <input name="above" id="above" placeholder="50/s" size="6" autocomplete="off"></label>
      <button>Order it</button>
    </form></section>`
}

/** The requests that it strikes. */
function describeFaultTiming({ nth, times, perMille, above }: Fault): string {
  if (above !== null) return `faster than ${above}`
  if (perMille !== null) return `${perMille} of 1000, by chance`
  const first = nth === null || nth === 1 ? 'the next request' : `request ${nth} from now`
  return times === null || times === 1 ? first : `${first}, ${times} in a row`
}

function faultRow(fault: Fault): Html {
  const { id, op, at, kind } = fault
  return html`<tr><th scope="row">${op}</th><td>${kind} ${at}</td><td>${describeFaultTiming(fault)}</td>
    <td><form method="post" action="/_sandbox/fault/clear"><input type="hidden" name="id" value="${id}">
    <button id="clear-${id}" aria-label="Clear the fault ${kind} ${at} of ${op}">Clear</button></form></td></tr>`
}

function waiting(faults: readonly Fault[]): Html {
  if (faults.length === 0) return html`<p class="empty">No faults.</p>`
  return html`<table><thead><tr><th scope="col">operation</th><th scope="col">fault</th><th scope="col">strikes</th>
      <th scope="col"><span class="unseen">clear</span></th></tr></thead><tbody>${faults.map(faultRow)}</tbody></table>
    ${
      faults.length === 1
        ? ''
        : html`<form method="post" action="/_sandbox/fault/clear" class="actions"><button id="clear-all">Clear all</button></form>`
    }`
}

function clockAndFaults({ faults }: PageState): Html {
  return html`<h2 class="unseen">Clock and faults</h2><div class="hand">
    <div>${clockForms()}</div>
    <div>${presetForm()}<section><h3>Waiting faults</h3><div data-part="faults">${waiting(faults)}</div></section>${faultForm()}</div>
  </div>`
}

const sections: readonly [Section, ...Section[]] = [requestsSection, ...tableSections]

/** The section of what is done by hand: it lists nothing of the store. */
const handName = 'clock-and-faults'

interface PageQuery {
  readonly view: string
  readonly search: string
  readonly id: string | null
  /** A filter of the section, and the group of alike entries that lies open. */
  readonly only: string | null
  readonly unfold: string | null
}

export function readQuery(query: URLSearchParams): PageQuery {
  const asked = query.get('view') ?? ''
  const known = asked === handName || sections.some(({ name }) => name === asked)
  const view = known ? asked : sections[0].name
  const filters = sections.find(({ name }) => name === view)?.filters ?? []
  const only = filters.find(({ name }) => name === query.get('only'))?.name ?? null
  return { view, search: (query.get('q') ?? '').trim(), id: query.get('id'), only, unfold: query.get('unfold') }
}

interface PageState extends PageQuery {
  readonly section: Section | null
  readonly rows: readonly Row[]
  /** Null where no entry was asked for; `gone` where it is not there. */
  readonly detail: Detail | 'gone' | null
  /** The number of entries in each table that hold the words. */
  readonly counts: Readonly<Record<SearchedTable, number>>
  readonly clock: ClockState
  readonly faults: readonly Fault[]
}

/** More words than a person types: every one is looked for in every row. */
const mostWords = 8

/** A name stands for all identities that bear it: rows hold identities. */
function wordsOf(search: string): Words {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return words.slice(0, mostWords).map((word) => {
    return [word, ...[...names].filter(([, name]) => name.toLowerCase().includes(word)).map(([identity]) => identity)]
  })
}

/** `base` is the address of the sandbox, as the visitor has it. */
export async function loadPageState(sandbox: Sandbox, asked: PageQuery, base: string): Promise<PageState> {
  const section = sections.find(({ name }) => name === asked.view) ?? null
  const faults = await sandbox.faults.list()
  const clock = await sandbox.clock()
  return await sandbox.read(async (db, now) => {
    const { only, unfold } = asked
    const context: PageContext = { db, now, only, unfold, base, words: wordsOf(asked.search) }
    const rows = section ? await section.rows(context) : []
    const found = asked.id === null || !section?.detail ? null : await section.detail(context, asked.id)
    const detail = found ?? (asked.id === null || !section?.detail ? null : 'gone')
    return { ...asked, section, rows, detail, counts: await countsOf(db, context.words), clock, faults }
  })
}

/** The address of another look: what is not given stays out of it. */
function pageAddress({ view, search, id, only, unfold }: Partial<PageQuery>): string {
  const given = { view, q: search, only, unfold, id }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) if (value) query.set(name, value)
  return `/_sandbox?${query}`
}

const cellText = (cell: PageCell) => (cell === null ? '' : String(cell))

function navigation({ view, search, counts }: PageState): Html {
  const items = sections.map(({ name, title, table }) => ({ name, title, count: table && counts[table] }))
  const all = [...items, { name: handName, title: 'Clock and faults', count: null }]
  return html`<ul>${all.map(
    ({ name, title, count }, at) => html`<li><a id="view-${name}" href="${pageAddress({ view: name, search })}"
      ${name === view ? html`aria-current="page"` : ''} data-key="${at + 1}">${title}${
        count === null ? '' : html` <b>${count}</b>`
      }</a></li>`,
  )}</ul>`
}

function filterLinks({ section, view, search, only }: PageState): Html | string {
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
function foldLink({ fold }: Row, { view, search, only }: PageState): Html | string {
  if (!fold) return ''
  const { count, group, open } = fold
  const address = pageAddress({ view, search, only, unfold: open ? null : group })
  const label = open ? `${count} alike, shown one by one: fold them` : `${count} alike: show each of them`
  return html` <a class="fold" id="fold-${group}" href="${address}" aria-label="${label}">×${count}${open ? ' –' : ''}</a>`
}

function cellOf(column: Column, cell: PageCell, at: number, row: Row, seen: PageState): Html {
  const kind = `${column.kind ?? 'text'}${column.minor ? ' minor' : ''}`
  const text = cellText(cell)
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

function isOpened({ id: own, fold }: Row, id: string | null): boolean {
  return id !== null && (own === id || (fold?.open === false && fold.ids.includes(id)))
}

function countEntries(rows: readonly Row[]): number {
  return rows.reduce((all, { fold }) => all + (fold && !fold.open ? fold.count : 1), 0)
}

function list(seen: PageState): Html {
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
  const older = table !== null && only === null ? counts[table] - countEntries(rows) : 0
  return html`<h2 class="unseen">${title}</h2>${filterLinks(seen)}
    ${rows.length === 0 ? html`<p class="empty">${none}</p>` : html`<table class="of-${section.name}"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`}
    ${older > 0 ? html`<p class="empty">${older} older ones: search for them.</p>` : ''}`
}

// The details of an entry: the cause of a refusal first, then what leads on, then everything that is known.

function facts([title, rows]: readonly [string, Facts[string]]): Html | string {
  const known = rows.filter(([, value]) => value !== null && String(value) !== '')
  if (known.length === 0) return ''
  return html`<section><h3>${title}</h3><dl>${known.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${cellText(value)}</dd></div>`,
  )}</dl></section>`
}

/** To the entries above and below it in the list, and back to the list. */
function neighbourLinks(seen: PageState): Html {
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

function linksAndCopies({ links = [], copies = [], about }: Detail): Html | string {
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

function wholeDetail(detail: Detail, seen: PageState): Html {
  const { title, tone, status, cause, actions, texts = [] } = detail
  const [first, ...others] = Object.entries(detail.facts)
  return html`<header><div><h2>${title}</h2><p><span class="mark ${tone}">${status}</span></p></div>${neighbourLinks(seen)}</header>
    ${cause ? html`<p class="cause">${cause}</p>` : ''}
    ${linksAndCopies(detail)}${actions ?? ''}${first ? facts(first) : ''}
    ${texts.map(({ title, text }) => html`<section><h3>${title}</h3><pre>${text}</pre></section>`)}
    ${others.map(facts)}`
}

function details(seen: PageState): Html {
  const { detail } = seen
  if (detail === null) return html``
  if (detail !== 'gone') return html`<article>${wholeDetail(detail, seen)}</article>`
  return html`<article><header><h2>It is gone</h2>${neighbourLinks(seen)}</header>
    <p>The log keeps the newest 5,000 requests, and a new world begins empty.</p></article>`
}

const shortcuts: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'search'],
  [['j', '↓'], 'next entry'],
  [['k', '↑'], 'previous entry'],
  [['Enter'], 'open the entry'],
  [['Esc'], 'close it; leave the search'],
  [['f'], 'the next filter'],
  [['c'], 'copy as JSON'],
  [['1', '…', '9'], 'another section'],
  [['?'], 'this help'],
]

function help(): Html {
  return html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>${shortcuts.map(
    ([keys, what]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`,
  )}</dl><form method="dialog"><button>Close</button></form></dialog>`
}

function clock({ clock: { now, ahead } }: PageState): Html {
  const shown = localMoment(now).slice(0, 19).replace('T', ' ')
  const days = ahead / 86_400_000
  const late = ahead === 0 ? '' : `, ${days >= 1 ? `${Math.floor(days)} d` : `${Math.ceil(ahead / 60_000)} min`} ahead`
  return html`<p class="clock" data-part="clock"><time id="clock" data-now="${now}">${shown}</time> <span>${serviceZone}${late}</span></p>`
}

function main(seen: PageState): Html {
  const { section, detail } = seen
  return html`<nav aria-label="Sections" data-part="navigation">${navigation(seen)}</nav>
<main>
<section id="list" tabindex="-1" aria-label="List" data-part="list">${section ? list(seen) : clockAndFaults(seen)}</section>
<section id="detail" tabindex="0" aria-label="Details" data-part="detail">${detail === null ? '' : details(seen)}</section>
</main>`
}

/**
 * The parts that the script replaces, without style and script: those of another page would break the policy of the one that
 * is open.
 */
export async function pageParts(seen: PageState): Promise<string> {
  return visiblePage(String(await html`${clock(seen)}${main(seen)}`))
}

export function page(seen: PageState, nonce: string, script: string): Promise<string> {
  const { search, view } = seen
  const body = html`<a class="skip" href="#list">To the list</a>
<header class="top">
<h1>paydesk <span>sandbox</span></h1>
<p class="play">no real money</p>
<form role="search" action="/_sandbox" method="get"><input type="hidden" name="view" value="${view}">
<input id="q" name="q" type="search" value="${search}" aria-label="Search" aria-keyshortcuts="/" placeholder="Search ids, amounts, codes, names  ( / )" autocomplete="off" spellcheck="false"></form>
${clock(seen)}
<p id="live" role="status">connecting</p>
<button id="help" aria-keyshortcuts="?" aria-label="Keys">?</button>
</header>
${main(seen)}
<p id="said" role="status"></p>
${help()}`
  return htmlPage({ title: 'paydesk sandbox', style: consoleStyle, nonce, script, body })
}
