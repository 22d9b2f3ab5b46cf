/** The parts of a workbook: its sheets, shared texts and styles. Elements of unknown namespaces are ignored, as a spreadsheet does. */
import type { SaxesTagNS } from 'saxes'
import { BrokenFile } from '../file.ts'
import { Xml, type XmlListener } from '../xml.ts'
import { NumberFormats } from './formats.ts'
import { type EntrySink, partName } from './zip.ts'

/** The namespaces of workbooks, in their usual and their strict form. */
const vocabularies = {
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

/** The attribute without a namespace. */
export function attribute(tag: SaxesTagNS, name: string): string | null {
  return Object.values(tag.attributes).find(({ local, uri }) => local === name && uri === '')?.value ?? null
}

/** The id of a relation. */
function relationId(tag: SaxesTagNS): string | null {
  return (
    Object.values(tag.attributes).find(({ local, uri }) => local === 'id' && relations.includes(uri))?.value ?? null
  )
}

/** Gets the elements of one namespace. */
export interface PartListener extends XmlListener {
  /** An element of another namespace; it is ignored unless this throws. */
  foreign?(): void
}

class Within implements XmlListener {
  readonly #listener: PartListener
  readonly #namespaces: readonly string[]
  /** The depth of ignored elements. */
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

/** Parses a part as XML. */
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

function toTags(open: (tag: SaxesTagNS) => void): XmlListener {
  return { open, text: () => undefined, close: () => undefined }
}

interface Sheet {
  readonly name: string
  readonly id: string
  readonly isVisible: boolean
}

/** Replaces escapes such as `_x000D_`. */
export function spelledOut(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** The text of an item: its runs joined, without phonetic readings. */
class Texts implements XmlListener {
  readonly #item: string
  readonly #done: (text: string) => void
  #text = ''
  readonly #way: string[] = []

  constructor(item: string, done: (text: string) => void) {
    this.#item = item
    this.#done = done
  }

  open({ local }: SaxesTagNS): void {
    this.#way.push(local)
    if (local === this.#item) this.#text = ''
  }

  text(text: string): void {
    if (this.#way.at(-1) === 't' && !this.#way.includes('rPh')) this.#text += text
  }

  close(): void {
    if (this.#way.pop() === this.#item) this.#done(spelledOut(this.#text))
  }
}

/** The name of a part, from the folder of the part that names it. */
function placeOf(target: string, folder: string): string {
  const name = partName(target)
  return name.startsWith('/') ? name.slice(1) : `${folder}${name}`
}

/** The usual places of the parts; relations must name the same. */
const places = { officeDocument: 'xl/workbook.xml', sharedStrings: 'xl/sharedstrings.xml', styles: 'xl/styles.xml' }

export class WorkbookParts {
  readonly sheets: Sheet[] = []
  readonly texts: string[] = []
  readonly formats = new NumberFormats()
  readonly #targets = new Map<string, string | null>()
  readonly #found = new Set<string>()
  /** Parts that a relation names. */
  readonly #related = new Set<string>()

  /** The sink of a part; null for a part that is not read. */
  sinkOf(name: string): EntrySink | null {
    const listener = this.#listenerOf(name)
    if (listener === null) return null
    const namespaces = name.endsWith('.rels') ? vocabularies.package : vocabularies.sheets
    return xmlSink(listener, namespaces, () => this.#found.add(name))
  }

  #listenerOf(name: string): XmlListener | null {
    if (name === '_rels/.rels') return toTags((tag) => this.#relation(tag, ''))
    if (name === 'xl/_rels/workbook.xml.rels') return toTags((tag) => this.#relation(tag, 'xl/'))
    if (name === places.officeDocument) return toTags((tag) => this.#sheet(tag))
    if (name === places.sharedStrings) return new Texts('si', (text) => this.texts.push(text))
    return name === places.styles ? this.#styles() : null
  }

  /** Throws a BrokenFile if a part is missing, or if a spreadsheet would not read it. */
  mustBeWhole(): void {
    if (!this.#found.has(places.officeDocument)) {
      throw new BrokenFile(
        'is a ZIP archive, and no workbook of Excel (.xlsx) that is whole: save it anew in a spreadsheet',
        'as a whole',
      )
    }
    const lost = Object.values(places).find((place) => this.#found.has(place) !== this.#related.has(place))
    if (lost === undefined) return
    throw new BrokenFile(
      `lacks ${lost}, or names another part in its place: save it anew in a spreadsheet`,
      'as a whole',
    )
  }

  #sheet(tag: SaxesTagNS): void {
    if (tag.local !== 'sheet') return
    const isVisible = (attribute(tag, 'state') ?? 'visible') === 'visible'
    this.sheets.push({ name: attribute(tag, 'name') ?? '', id: relationId(tag) ?? '', isVisible })
  }

  #relation(tag: SaxesTagNS, folder: string): void {
    const [id, target, type] = [attribute(tag, 'Id'), attribute(tag, 'Target'), attribute(tag, 'Type')]
    if (id === null || target === null || type === null) return
    const kind = type.slice(type.lastIndexOf('/') + 1)
    const place = attribute(tag, 'TargetMode') === 'External' ? null : placeOf(target, folder)
    if (Object.hasOwn(places, kind)) {
      if (place !== places[kind as keyof typeof places] || this.#related.has(place)) {
        throw new BrokenFile(
          `keeps its ${kind} in another place than most: save it anew in a spreadsheet`,
          'as a whole',
        )
      }
      this.#related.add(place)
    }
    if (folder === '') return
    if (this.#targets.has(id)) throw new BrokenFile('has two relations of one id: it is damaged', 'as a whole')
    this.#targets.set(id, kind === 'worksheet' ? place : null)
  }

  #styles(): XmlListener {
    const way: string[] = []
    const open = (tag: SaxesTagNS) => {
      way.push(tag.local)
      const id = Number(attribute(tag, 'numFmtId') ?? 0)
      if (tag.local === 'numFmt' && way.at(-2) === 'numFmts') {
        this.formats.define(id, attribute(tag, 'formatCode') ?? '')
      } else if (tag.local === 'xf' && way.at(-2) === 'cellXfs') this.formats.style(id)
    }
    return { open, text: () => undefined, close: () => void way.pop() }
  }

  /** The entry of a sheet; null if the workbook does not name it. */
  entryOf({ id }: Sheet): string | null {
    return this.#targets.get(id) ?? null
  }
}
