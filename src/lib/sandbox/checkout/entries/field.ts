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
  /** The form of what is typed here. */
  readonly placeholder?: string
  readonly optional?: boolean
  readonly digits?: 'numeric' | 'decimal'
  readonly longest?: number
}

/** The focus goes to the first field that is wrong. */
function notes(id: string, help: string | undefined, { complaints, say }: Pen) {
  const wrong = complaintAbout(id, complaints, say)
  const isFirst = complaints[0]?.field === id
  const described = [...(help === undefined ? [] : [`${id}-help`]), ...(wrong === null ? [] : [`${id}-wrong`])]
  return {
    attributes: html`${described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : ''}${
      wrong === null ? '' : raw(' aria-invalid="true"')
    }`,
    help: help === undefined ? '' : html`<p class="quiet" id="${id}-help">${help}</p>`,
    focus: isFirst ? raw(' autofocus') : '',
    wrong: wrong === null ? '' : html`<p class="wrong" id="${id}-wrong">${wrong}</p>`,
  }
}

export function textField(field: TextField, pen: Pen): Html {
  const { id, label, value, help, placeholder, optional = false, digits, longest = 200 } = field
  const note = notes(id, help, pen)
  // Never completed by the browser: no real card or name belongs into a sandbox.
  return html`<div class="field"><label for="${id}">${label}</label>${note.help}<input id="${id}" name="${id}" value="${value}" maxlength="${longest}" autocomplete="off" spellcheck="false"${
    digits === undefined ? '' : html` inputmode="${digits}"`
  }${placeholder === undefined ? '' : html` placeholder="${placeholder}"`}${optional ? '' : raw(' required')}${note.focus}${note.attributes}>${note.wrong}</div>`
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
  const note = notes(id, help, pen)
  const option = ({ value, label }: Option, at: number) =>
    html`<label class="choice"><input type="radio" id="${at === 0 ? id : `${id}-${at}`}" name="${id}" value="${value}" required${
      value === chosen ? raw(' checked') : ''
    }${at === 0 ? note.focus : ''}${note.attributes}> ${label}</label>`
  return html`<fieldset class="field"><legend>${legend}</legend>${note.help}${note.wrong}${options.map(option)}</fieldset>`
}

export function yesNo(id: string, legend: string, chosen: string, pen: Pen): Html {
  const options = [
    { value: 'true', label: pen.say('yes') },
    { value: 'false', label: pen.say('no') },
  ]
  return radios(id, legend, options, chosen, pen)
}
