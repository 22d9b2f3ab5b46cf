/** The parts of a workbook beside its sheets: which sheets there are, the shared texts, the styles that mean a date. */
import type { SaxesTagNS } from 'saxes'
import { Xml, type XmlListener } from '../xml/xml.ts'
import type { EntrySink } from './zip.ts'

/** The attribute of this name, in whatever namespace. */
export function attribute(tag: SaxesTagNS, name: string): string | null {
  return Object.values(tag.attributes).find(({ local }) => local === name)?.value ?? null
}

/** A part that is read as XML. */
export function xmlSink(listener: XmlListener, atEnd: () => void = () => undefined): EntrySink {
  const xml = new Xml(listener)
  return {
    take: (text) => xml.write(text),
    end: () => {
      xml.end()
      atEnd()
    },
  }
}

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

/** Number formats that come with every spreadsheet and show dates or times. */
function isDateId(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
}

/** True for a format of a person's own that shows a date: it holds y, m, d, h or s outside of quotes and brackets. */
function isDateCode(code: string): boolean {
  let until: string | null = null
  for (let at = 0; at < code.length; at += 1) {
    const letter = code.charAt(at)
    if (until !== null) until = letter === until ? null : until
    else if (letter === '"') until = '"'
    else if (letter === '[') until = ']'
    else if (letter === '\\') at += 1
    else if (/[ymdhs]/i.test(letter)) return true
  }
  return false
}

export class WorkbookParts {
  readonly sheets: Sheet[] = []
  readonly texts: string[] = []
  readonly #targets = new Map<string, string>()
  readonly #dateCodes = new Set<number>()
  readonly #dateStyles: boolean[] = []
  #isInStyles = false
  hasWorkbook = false

  /** The sink of a part; null for those that mean nothing here. */
  sinkOf(name: string): EntrySink | null {
    if (name === 'xl/workbook.xml')
      return xmlSink(
        toTags((tag) => this.#sheet(tag)),
        () => this.#found(),
      )
    if (name === 'xl/_rels/workbook.xml.rels') return xmlSink(toTags((tag) => this.#relation(tag)))
    if (name === 'xl/sharedStrings.xml') return xmlSink(new Texts('si', (text) => this.texts.push(text)))
    return name === 'xl/styles.xml' ? xmlSink(this.#styles()) : null
  }

  #found(): void {
    this.hasWorkbook = true
  }

  #sheet(tag: SaxesTagNS): void {
    if (tag.local !== 'sheet') return
    const isVisible = (attribute(tag, 'state') ?? 'visible') === 'visible'
    this.sheets.push({ name: attribute(tag, 'name') ?? '', id: attribute(tag, 'id') ?? '', isVisible })
  }

  #relation(tag: SaxesTagNS): void {
    const [id, target] = [attribute(tag, 'Id'), attribute(tag, 'Target')]
    if (id === null || target === null) return
    this.#targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  }

  #styles(): XmlListener {
    const way: string[] = []
    const open = (tag: SaxesTagNS) => {
      way.push(tag.local)
      if (tag.local === 'cellXfs') this.#isInStyles = true
      const id = Number(attribute(tag, 'numFmtId') ?? Number.NaN)
      if (tag.local === 'numFmt' && isDateCode(attribute(tag, 'formatCode') ?? '')) this.#dateCodes.add(id)
      if (tag.local === 'xf' && this.#isInStyles) this.#dateStyles.push(isDateId(id) || this.#dateCodes.has(id))
    }
    const close = () => {
      if (way.pop() === 'cellXfs') this.#isInStyles = false
    }
    return { open, text: () => undefined, close }
  }

  isDateStyle(style: string | null): boolean {
    return this.#dateStyles[Number(style ?? 0)] ?? false
  }

  /** The entry of the archive in which a sheet stands; null where the workbook does not say. */
  entryOf({ id }: Sheet): string | null {
    return this.#targets.get(id) ?? null
  }
}
