/** Workbooks (.xlsx) made by hand, part by part, so that a test can say what a spreadsheet would never save. */
import { strToU8, zipSync } from 'fflate'

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface WorkbookParts {
  /** The inside of `sheetData`, by the name of the sheet. */
  readonly sheets: Readonly<Record<string, string>>
  readonly texts?: readonly string[]
  readonly hidden?: readonly string[]
}

const styles = `<styleSheet ${main}><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/></numFmts>
<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="4"/></cellXfs></styleSheet>`

/** Style numbers of `s="…"`. */
export const dateStyles = { known: 1, own: 2 } as const

export function workbook({ sheets, texts = [], hidden = [] }: WorkbookParts): Uint8Array {
  const names = Object.keys(sheets)
  const list = names.map((name, at) => {
    const state = hidden.includes(name) ? ' state="hidden"' : ''
    return `<sheet name="${name}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`
  })
  const targets = names.map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`)
  const parts = Object.entries({
    'xl/worksheets/ignored.txt': 'x',
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet ${main}><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}"><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${targets.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst ${main}>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': styles,
  })
  return zipSync(Object.fromEntries(parts.map(([name, text]) => [name, strToU8(text)])))
}

/** A row of texts. */
export function textRow(number: number, texts: readonly string[]): string {
  const cells = texts.map((text) => `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`)
  return `<row r="${number}">${cells.join('')}</row>`
}
