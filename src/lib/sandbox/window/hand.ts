/** Forms to play by hand: moving the clock, ordering faults. */
import { html } from 'hono/html'
import { operations } from '../../contract/operations.ts'
import { serviceZone } from '../clock/clock.ts'
import type { Fault } from '../faults/fault.ts'
import { faultKinds, faultPlaces, faultTargets } from '../faults/kinds.ts'
import type { PageState } from './look.ts'
import { faultPresets } from './preset.ts'
import type { PageHtml } from './sections/section.ts'

const options = (words: readonly string[], first?: string) =>
  words.map((word) => html`<option ${word === first ? 'selected' : ''}>${word}</option>`)

/** The first write is offered first: mostly one wants to see a payment fail. */
const firstWrite = operations.find(({ effect }) => effect === 'write')?.name

const number = (name: string, label: string, usual: string) =>
  html`<label>${label} <input name="${name}" id="${name}" type="number" min="1" placeholder="${usual}"></label>`

function clockForms(): PageHtml {
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

function presetForm(): PageHtml {
  return html`<section><h3>Faults by one click</h3>
    <form method="post" action="/_sandbox/fault/preset" class="actions">
      <label>Operation <select name="op" id="preset-op">${options(faultTargets, firstWrite)}</select></label>
      <div class="presets">${faultPresets.map(
        ({ name, title, promise }) =>
          html`<button name="preset" value="${name}" id="preset-${name}" title="${promise}">${title}</button>`,
      )}</div>
    </form></section>`
}

function faultForm(): PageHtml {
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
function strikes({ nth, times, perMille, above }: Fault): string {
  if (above !== null) return `faster than ${above}`
  if (perMille !== null) return `${perMille} of 1000, by chance`
  const first = nth === null || nth === 1 ? 'the next request' : `request ${nth} from now`
  return times === null || times === 1 ? first : `${first}, ${times} in a row`
}

function faultRow(fault: Fault): PageHtml {
  const { id, op, at, kind } = fault
  return html`<tr><th scope="row">${op}</th><td>${kind} ${at}</td><td>${strikes(fault)}</td>
    <td><form method="post" action="/_sandbox/fault/clear"><input type="hidden" name="id" value="${id}">
    <button id="clear-${id}" aria-label="Clear the fault ${kind} ${at} of ${op}">Clear</button></form></td></tr>`
}

function waiting(faults: readonly Fault[]): PageHtml {
  if (faults.length === 0) return html`<p class="empty">No fault is waiting.</p>`
  return html`<table><thead><tr><th scope="col">operation</th><th scope="col">fault</th><th scope="col">strikes</th>
      <th scope="col"><span class="unseen">clear</span></th></tr></thead><tbody>${faults.map(faultRow)}</tbody></table>
    ${
      faults.length === 1
        ? ''
        : html`<form method="post" action="/_sandbox/fault/clear" class="actions"><button id="clear-all">Clear all</button></form>`
    }`
}

export function byHand({ faults }: PageState): PageHtml {
  return html`<h2 class="unseen">Clock and faults</h2><div class="hand">
    <div>${clockForms()}</div>
    <div>${presetForm()}<section><h3>Waiting faults</h3><div data-part="faults">${waiting(faults)}</div></section>${faultForm()}</div>
  </div>`
}
