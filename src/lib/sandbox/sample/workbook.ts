/** A sample as a workbook: every cell a text, so that no spreadsheet changes it. */
import { strToU8, type Zippable, zipSync } from 'fflate'
import type { SamplePayout } from './rows.ts'

const sheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts beside the sheet. The second style is a date. */
const parts = {
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${sheets}" xmlns:r="${office}"><sheets><sheet name="Payouts" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${sheets}"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="49"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
}

const letter = (column: number) => String.fromCharCode(65 + column)

function rowOf(number: number, cells: readonly string[]): string {
  const written = cells.map((text, column) => {
    const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return text === '' ? '' : `<c r="${letter(column)}${number}" t="inlineStr"><is><t>${plain}</t></is></c>`
  })
  return `<row r="${number}">${written.join('')}</row>`
}

/** The bytes of the file. `lines` writes all rows, given how to write one. */
export function workbookOf(
  columns: readonly (keyof SamplePayout)[],
  lines: (write: (payout: SamplePayout, row: number) => string) => Iterable<string>,
): Uint8Array {
  const rows = [
    ...lines((payout, row) =>
      rowOf(
        row + 2,
        columns.map((name) => payout[name]),
      ),
    ),
  ].join('')
  const sheet = `<worksheet xmlns="${sheets}"><sheetData>${rowOf(1, columns)}${rows}</sheetData></worksheet>`
  const all = { ...parts, 'xl/worksheets/sheet1.xml': sheet }
  const declared = Object.entries(all).map(([name, text]) => [
    name,
    strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`),
  ])
  // Without a time of its own the archive of one sample is the same every day.
  return zipSync(Object.fromEntries(declared) as Zippable, { mtime: '1980-01-01T00:00:00Z' })
}
