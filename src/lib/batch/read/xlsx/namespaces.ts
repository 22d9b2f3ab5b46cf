/** The namespaces of a workbook: what belongs to no known one is passed over, with all that it holds, as a spreadsheet does. */
import type { SaxesTagNS } from 'saxes'
import { Xml, type XmlListener } from '../xml/xml.ts'
import type { EntrySink } from './zip.ts'

/** The namespaces in which workbooks are written, as most are and in the strict form. */
export const vocabularies = {
  sheets: [
    'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
    'http://purl.oclc.org/ooxml/spreadsheetml/main',
  ],
  package: ['http://schemas.openxmlformats.org/package/2006/relationships'],
} as const

const relations: readonly string[] = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
]

/** The attribute of this name that belongs to the element itself. */
export function attribute(tag: SaxesTagNS, name: string): string | null {
  return Object.values(tag.attributes).find(({ local, uri }) => local === name && uri === '')?.value ?? null
}

/** The id of the relation that an element names. */
export function relationId(tag: SaxesTagNS): string | null {
  return (
    Object.values(tag.attributes).find(({ local, uri }) => local === 'id' && relations.includes(uri))?.value ?? null
  )
}

/** Listens to one vocabulary. */
export interface PartListener extends XmlListener {
  /** An element of another namespace, within what was opened before; it is passed over unless this throws. */
  foreign?(): void
}

class Within implements XmlListener {
  readonly #listener: PartListener
  readonly #namespaces: readonly string[]
  /** Elements that are open and not heard. */
  #unheard = 0

  constructor(listener: PartListener, namespaces: readonly string[]) {
    this.#listener = listener
    this.#namespaces = namespaces
  }

  open(tag: SaxesTagNS): void {
    if (this.#unheard === 0 && this.#namespaces.includes(tag.uri)) {
      this.#listener.open(tag)
      return
    }
    if (this.#unheard === 0) this.#listener.foreign?.()
    this.#unheard += 1
  }

  text(text: string): void {
    if (this.#unheard === 0) this.#listener.text(text)
  }

  close(): void {
    if (this.#unheard > 0) this.#unheard -= 1
    else this.#listener.close()
  }
}

/** A part that is read as XML of one vocabulary. */
export function xmlSink(
  listener: PartListener,
  namespaces: readonly string[] = vocabularies.sheets,
  atEnd: () => void = () => undefined,
): EntrySink {
  const xml = new Xml(new Within(listener, namespaces))
  return {
    take: (text) => xml.write(text),
    end: () => {
      xml.end()
      atEnd()
    },
  }
}
