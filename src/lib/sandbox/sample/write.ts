/** A sample as the pieces of its file, made as they are taken. */
import { damageIn, type SampleDamage, type SampleFormat } from './damage.ts'
import { painEnd, painHead, painPayment } from './pain001.ts'
import { type SampleOrder, type SamplePayout, sampleColumns, samplePayout } from './rows.ts'
import { workbookOf } from './workbook.ts'

export interface SampleFile extends SampleOrder {
  readonly format: SampleFormat
  readonly isDamaged: boolean
}

function csvCell(value: string): string {
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

const csvLine = (payout: SamplePayout) => sampleColumns.map((name) => csvCell(payout[name])).join(',')

/** The amount stands as a number where it is one. */
function jsonLine(payout: SamplePayout): string {
  const members = sampleColumns
    .filter((name) => payout[name] !== '')
    .map((name) => {
      const value = payout[name]
      return `${JSON.stringify(name)}:${name === 'amount' ? value : JSON.stringify(value)}`
    })
  return `{${members.join(',')}}`
}

/** The row as it is written. */
function written(file: SampleFile, row: number, write: (payout: SamplePayout) => string): string {
  const payout = samplePayout(file, row)
  const damage: SampleDamage | null = file.isDamaged ? damageIn(file.format, file.rows, row) : null
  if (!damage) return write(payout)
  const changed = { ...payout, ...damage.cells?.(payout, samplePayout(file, 0)) }
  return damage.raw?.(write(changed)) ?? write(changed)
}

function* lines(file: SampleFile, write: (payout: SamplePayout, row: number) => string): Generator<string> {
  let piece = ''
  for (let row = 0; row < file.rows; row += 1) {
    piece += `${written(file, row, (payout) => write(payout, row))}\n`
    if (piece.length > 64 * 1024) {
      yield piece
      piece = ''
    }
  }
  yield piece
}

function* pain(file: SampleFile): Generator<string> {
  yield painHead(file)
  yield* lines(file, painPayment)
  yield painEnd
}

/** The pieces of the file. A workbook is one, because its archive is made at the end. */
export function* samplePieces(file: SampleFile): Generator<string | Uint8Array> {
  if (file.format === 'csv') {
    yield `${sampleColumns.join(',')}\n`
    yield* lines(file, csvLine)
  } else if (file.format === 'ndjson') yield* lines(file, jsonLine)
  else if (file.format === 'pain.001') yield* pain(file)
  else yield workbookOf(sampleColumns, (row) => lines(file, row))
}
