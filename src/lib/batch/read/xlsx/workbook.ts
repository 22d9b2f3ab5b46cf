/** Reads a workbook: its sheets, shared texts and styles, by the relations between its parts. */
import { posix } from 'node:path'
import type { SaxesTagNS } from 'saxes'
import { BrokenFile } from '../file.ts'
import { type PathListener, pathParser, type Xml } from '../xml.ts'
import { NumberFormats } from './formats.ts'
import { type Archive, partName } from './zip.ts'

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

function relationId(tag: SaxesTagNS): string | null {
  const ids = Object.values(tag.attributes).filter(({ local, uri }) => local === 'id' && relations.includes(uri))
  return ids[0]?.value ?? null
}

export function partParser(listener: PathListener, namespaces: readonly string[] = vocabularies.sheets): Xml {
  return pathParser(listener, (uri) => namespaces.includes(uri))
}

function readPart(archive: Archive, name: string, listener: PathListener, namespaces?: readonly string[]): void {
  const xml = partParser(listener, namespaces)
  for (const piece of archive.text(name)) xml.write(piece)
  xml.end()
}

/** Replaces escapes such as `_x000D_`. */
export function spelledOut(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

interface Relation {
  readonly id: string
  /** The last step of its type: `worksheet`. */
  readonly kind: string
  readonly part: string
}

/** The parts that a part names; '' is the package itself. */
function relationsOf(archive: Archive, part: string): readonly Relation[] {
  const folder = posix.dirname(part)
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  const found: Relation[] = []
  const open = (_path: string, tag: SaxesTagNS) => {
    const [id, target, type] = [attribute(tag, 'Id'), attribute(tag, 'Target'), attribute(tag, 'Type')]
    if (id === null || target === null || type === null || attribute(tag, 'TargetMode') === 'External') return
    const named = posix.resolve('/', folder, partName(target)).slice(1)
    found.push({ id, kind: type.slice(type.lastIndexOf('/') + 1), part: named })
  }
  if (archive.has(name)) readPart(archive, name, { open }, vocabularies.package)
  return found
}

function only(found: readonly Relation[], kind: string): string | null {
  const [first, ...others] = found.filter((each) => each.kind === kind)
  if (others.length > 0) throw new BrokenFile(`has two relations of the kind ${kind}: it is damaged`, 'as a whole')
  return first?.part ?? null
}

export interface Sheet {
  readonly name: string
  readonly isVisible: boolean
  /** The name of its part; null for a chart, and other sheets without cells. */
  readonly part: string | null
}

export interface Workbook {
  readonly sheets: readonly Sheet[]
  readonly texts: readonly string[]
  readonly formats: NumberFormats
}

export function readWorkbook(archive: Archive): Workbook {
  const main = only(relationsOf(archive, ''), 'officeDocument')
  if (main === null || !archive.has(main)) {
    throw new BrokenFile(
      'is a ZIP archive, but not a complete Excel workbook (.xlsx): save it again in a spreadsheet',
      'as a whole',
    )
  }
  const related = relationsOf(archive, main)
  const sheets: Sheet[] = []
  readPart(archive, main, {
    open(path, tag) {
      if (path !== 'workbook/sheets/sheet') return
      const [relation, ...others] = related.filter(({ id }) => id === relationId(tag))
      if (others.length > 0) throw new BrokenFile('has two relations of one id: it is damaged', 'as a whole')
      const isVisible = (attribute(tag, 'state') ?? 'visible') === 'visible'
      const part = relation?.kind === 'worksheet' ? relation.part : null
      sheets.push({ name: attribute(tag, 'name') ?? '', isVisible, part })
    },
  })
  const [texts, styles] = [only(related, 'sharedStrings'), only(related, 'styles')]
  return {
    sheets,
    texts: texts === null ? [] : readTexts(archive, texts),
    formats: styles === null ? new NumberFormats() : readFormats(archive, styles),
  }
}

/** The shared texts, each with its runs joined, and without phonetic readings. */
function readTexts(archive: Archive, part: string): readonly string[] {
  const texts: string[] = []
  let current = ''
  readPart(archive, part, {
    open(path) {
      if (path === 'sst/si') current = ''
    },
    text(path, text) {
      if (path === 'sst/si/t' || path === 'sst/si/r/t') current += text
    },
    close(path) {
      if (path === 'sst/si') texts.push(spelledOut(current))
    },
  })
  return texts
}

function readFormats(archive: Archive, part: string): NumberFormats {
  const formats = new NumberFormats()
  readPart(archive, part, {
    open(path, tag) {
      const id = Number(attribute(tag, 'numFmtId') ?? 0)
      if (path === 'styleSheet/numFmts/numFmt') formats.define(id, attribute(tag, 'formatCode') ?? '')
      else if (path === 'styleSheet/cellXfs/xf') formats.style(id)
    },
  })
  return formats
}
