/** The parts of a workbook beside its sheets: which sheets there are, the shared texts, the styles that mean a date. */
import type { SaxesTagNS } from 'saxes'
import { BrokenFile } from '../broken.ts'
import type { XmlListener } from '../xml/xml.ts'
import { partName } from './directory.ts'
import { NumberFormats } from './formats.ts'
import { attribute, relationId, vocabularies, xmlSink } from './namespaces.ts'
import type { EntrySink } from './zip.ts'

/** Listens to opening tags alone. */
function toTags(open: (tag: SaxesTagNS) => void): XmlListener {
  return { open, text: () => undefined, close: () => undefined }
}

interface Sheet {
  readonly name: string
  readonly id: string
  readonly isVisible: boolean
}

/** Letters that spreadsheets write as `_x000D_`. */
export function spelledOut(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** The text of `<t>` inside an item, its runs put together; readings of Japanese letters are left out. */
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

/** The name of a part, from the place of the one that names it. */
function placeOf(target: string, folder: string): string {
  const name = partName(target)
  return name.startsWith('/') ? name.slice(1) : `${folder}${name}`
}

/** The places of the parts that are read beside the sheets: a spreadsheet finds them by their relations. */
const places = { officeDocument: 'xl/workbook.xml', sharedStrings: 'xl/sharedstrings.xml', styles: 'xl/styles.xml' }

export class WorkbookParts {
  readonly sheets: Sheet[] = []
  readonly texts: string[] = []
  readonly formats = new NumberFormats()
  readonly #targets = new Map<string, string | null>()
  readonly #found = new Set<string>()
  /** Parts that are read, and that a relation names. */
  readonly #related = new Set<string>()

  /** The sink of a part; null for those that mean nothing here. */
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

  /** Throws a BrokenFile where a part is missing, or is read here and not by a spreadsheet. */
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

  /** The entry of the archive in which a sheet stands; null where the workbook does not say. */
  entryOf({ id }: Sheet): string | null {
    return this.#targets.get(id) ?? null
  }
}
