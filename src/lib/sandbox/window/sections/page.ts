/** The whole page of the window. Parts that change carry `data-part`: the script replaces them when they do. */
import { html, raw } from 'hono/html'
import { localMoment, serviceZone } from '../../clock/clock.ts'
import { byHand } from '../hand.ts'
import type { PageState } from '../look.ts'
import { details } from './details.ts'
import { list, navigation } from './parts.ts'
import type { PageHtml } from './section.ts'
import { windowStyle } from './style.ts'

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

function help(): PageHtml {
  return html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>${shortcuts.map(
    ([keys, what]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`,
  )}</dl><form method="dialog"><button>Close</button></form></dialog>`
}

function clock({ clock: { now, ahead } }: PageState): PageHtml {
  const shown = localMoment(now).slice(0, 19).replace('T', ' ')
  const days = ahead / 86_400_000
  const late = ahead === 0 ? '' : `, ${days >= 1 ? `${Math.floor(days)} d` : `${Math.ceil(ahead / 60_000)} min`} ahead`
  return html`<p class="clock" data-part="clock"><time id="clock" data-now="${now}">${shown}</time> <span>${serviceZone}${late}</span></p>`
}

function main(seen: PageState): PageHtml {
  const { section, detail } = seen
  return html`<nav aria-label="Sections" data-part="navigation">${navigation(seen)}</nav>
<main>
<section id="list" tabindex="-1" aria-label="List" data-part="list">${section ? list(seen) : byHand(seen)}</section>
<section id="detail" tabindex="0" aria-label="Details" data-part="detail">${detail === null ? '' : details(seen)}</section>
</main>`
}

/**
 * The parts that the script replaces, without style and script: those of another page would break the policy of the one that
 * is open.
 */
export function pageParts(seen: PageState): PageHtml {
  return html`${clock(seen)}${main(seen)}`
}

export function page(seen: PageState, nonce: string, script: string): PageHtml {
  const { search, view } = seen
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>paydesk sandbox</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${raw(windowStyle)}</style>
</head>
<body>
<a class="skip" href="#list">To the list</a>
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
${help()}
<script nonce="${nonce}">${raw(script)}</script>
</body>
</html>`
}
