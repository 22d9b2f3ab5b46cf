/** Parts of a form: each with its label, its help, and its complaint where there is one, tied together for readers. */
import { html, raw } from 'hono/html'
import type { Html } from '../answer.ts'
import type { Say } from '../pages/texts/texts.ts'
import { complaintAbout, type EntryComplaint } from './complaint.ts'

/** The means to draw a form. */
export interface Pen {
  readonly say: Say
  readonly complaints: readonly EntryComplaint[]
}

export interface TextField {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly help?: string
  /** Below the input, where fields stand beside each other. */
  readonly helpBelow?: boolean
  readonly optional?: boolean
  readonly digits?: 'numeric' | 'decimal'
  readonly longest?: number
}

function notes(id: string, help: string | undefined, wrong: string | null) {
  const described = [...(help === undefined ? [] : [`${id}-help`]), ...(wrong === null ? [] : [`${id}-wrong`])]
  return {
    attributes: html`${described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : ''}${
      wrong === null ? '' : raw(' aria-invalid="true"')
    }`,
    help: help === undefined ? '' : html`<p class="quiet" id="${id}-help">${help}</p>`,
    wrong: wrong === null ? '' : html`<p class="wrong" id="${id}-wrong">${wrong}</p>`,
  }
}

export function textField(field: TextField, { say, complaints }: Pen): Html {
  const { id, label, value, help, helpBelow = false, optional = false, digits, longest = 200 } = field
  const note = notes(id, help, complaintAbout(id, complaints, say))
  // Never completed by the browser: no real card or name belongs into a sandbox.
  return html`<div class="field"><label for="${id}">${label}</label>${helpBelow ? '' : note.help}<input id="${id}" name="${id}" value="${value}" maxlength="${longest}" autocomplete="off" spellcheck="false"${
    digits === undefined ? '' : html` inputmode="${digits}"`
  }${optional ? '' : raw(' required')}${note.attributes}>${note.wrong}${helpBelow ? note.help : ''}</div>`
}

export interface Option {
  readonly value: string
  readonly label: string
}

/** One of several, all of them seen. */
export function radios(
  id: string,
  legend: string,
  options: readonly Option[],
  chosen: string,
  pen: Pen,
  help?: string,
): Html {
  const note = notes(id, help, complaintAbout(id, pen.complaints, pen.say))
  const option = ({ value, label }: Option, at: number) =>
    html`<label class="choice"><input type="radio" id="${at === 0 ? id : `${id}-${at}`}" name="${id}" value="${value}" required${
      value === chosen ? raw(' checked') : ''
    }${note.attributes}> ${label}</label>`
  return html`<fieldset class="field"><legend>${legend}</legend>${note.help}${options.map(option)}${note.wrong}</fieldset>`
}

export function yesNo(id: string, legend: string, chosen: string, pen: Pen): Html {
  const options = [
    { value: 'true', label: pen.say('yes') },
    { value: 'false', label: pen.say('no') },
  ]
  return radios(id, legend, options, chosen, pen)
}

/** The list of corrections, with links to their fields; it has the focus when the page opens. */
export function problems({ say, complaints }: Pen, labels: ReadonlyMap<string, string>): Html | string {
  if (complaints.length === 0) return ''
  const item = ({ field, text, values }: EntryComplaint) =>
    html`<li><a href="#${field}">${labels.get(field) ?? field}: ${say(text, values)}</a></li>`
  return html`<div class="problem" role="alert" tabindex="-1" autofocus><h2>${say('correct')}</h2><ul>${complaints.map(item)}</ul></div>`
}
