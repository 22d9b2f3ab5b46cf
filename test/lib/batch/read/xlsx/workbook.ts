/** Workbooks (.xlsx) made by hand, part by part, so that a test can say what a spreadsheet would never save. */
import { strToU8, zipSync } from 'fflate'

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'

function relation(id: string, kind: string, target: string): string {
  return `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`
}

export interface WorkbookParts {
  /** The inside of `sheetData`, by the name of the sheet. */
  readonly sheets: Readonly<Record<string, string>>
  readonly texts?: readonly string[]
  readonly hidden?: readonly string[]
  /** The parts before and behind `sheetData`, in every sheet. */
  readonly before?: string
  readonly behind?: string
  /** Number formats of the styles 4, 5 and so on. */
  readonly formats?: readonly string[]
  /** Other parts, or these parts otherwise. */
  readonly parts?: Readonly<Record<string, string>>
}

function styles(formats: readonly string[]): string {
  const own = formats.map(
    (code, at) => `<numFmt numFmtId="${180 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  )
  const used = formats.map((_, at) => `<xf numFmtId="${180 + at}"/>`)
  return `<styleSheet ${main}><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/>${own.join('')}</numFmts>
<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="4"/>${used.join('')}</cellXfs></styleSheet>`
}

/** Style numbers of `s="…"`. */
export const dateStyles = { known: 1, own: 2 } as const

export function workbook(options: WorkbookParts): Uint8Array {
  const { sheets, texts = [], hidden = [], before = '', behind = '', formats = [] } = options
  const names = Object.keys(sheets)
  const list = names.map((name, at) => {
    const state = hidden.includes(name) ? ' state="hidden"' : ''
    return `<sheet name="${name}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`
  })
  const targets = [
    ...names.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
    relation('texts', 'sharedStrings', 'sharedStrings.xml'),
    relation('styles', 'styles', '/xl/styles.xml'),
  ]
  const parts = Object.entries({
    'xl/worksheets/ignored.txt': 'x',
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet ${main}>${before}<sheetData>${sheets[name]}</sheetData>${behind}</worksheet>`,
      ]),
    ),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}"><sheets>${list.join('')}</sheets></workbook>`,
    '_rels/.rels': `<Relationships ${packaged}>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/_rels/workbook.xml.rels': `<Relationships ${packaged}>${targets.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst ${main}>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': styles(formats),
    ...options.parts,
  })
  return zipSync(Object.fromEntries(parts.map(([name, text]) => [name, strToU8(text)])))
}

/** A row of texts. */
export function textRow(number: number, texts: readonly string[]): string {
  const cells = texts.map((text) => `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`)
  return `<row r="${number}">${cells.join('')}</row>`
}
