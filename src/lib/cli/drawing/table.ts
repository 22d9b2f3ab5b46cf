/** Tables as a terminal shows them; where one is too wide, each row as facts. */
import Table from 'cli-table3'
import { shortened } from '../../limits.ts'
import { timesInColumn, timesShown } from '../time/shown-time.ts'
import type { Block } from './block.ts'
import type { Canvas } from './canvas.ts'
import { cellText, drawnFacts } from './facts.ts'
import { screenWidth } from './words.ts'

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const

/** Above this many rows a table is no longer measured but streamed as plain lines. */
const manyRows = 1000

type TableBlock = Pick<Extract<Block, { kind: 'table' }>, 'head' | 'rows' | 'empty'>

export function drawnTable({ head: named, rows: told, empty }: TableBlock, canvas: Canvas): string {
  const { width, ink, zone } = canvas
  if (told.length === 0) return empty
  // To fit the columns, the library cuts and measures a long cell over and over.
  const texts = told.map((row) => row.map((cell) => shortened(cellText(cell))))
  if (texts.length > manyRows)
    return [named, ...texts].map((row) => row.map((cell) => timesShown(cell, zone)).join('  ')).join('\n')
  const columns = named.map((name, at) =>
    timesInColumn(
      name,
      texts.map((row) => row[at] ?? ''),
      zone,
    ),
  )
  const head = columns.map(([name]) => name)
  const rows = texts.map((_, at) => columns.map(([, cells]) => cells[at] ?? ''))
  const widths = columns.map(([name, cells]) => Math.max(...[name, ...cells].map(screenWidth)))
  const squeezed = columnWidths(widths, rows, width)
  if (!squeezed) return texts.map((row) => card(named, row, canvas)).join('\n\n')
  const drawn = new Table({
    head: head.map((name) => ink.dim(name)),
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: [...squeezed],
    wordWrap: true,
  })
  drawn.push(...rows)
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const between = 2
const narrowestProse = 24

/** Column widths that fit: as they are, or the widest column broken between words. Null if that would break ids or leave no room. */
function columnWidths(widths: readonly number[], rows: readonly string[][], width: number): readonly number[] | null {
  const needed = widths.reduce((sum, each) => sum + each + between, -between)
  if (needed <= width) return widths
  const widest = widths.indexOf(Math.max(...widths))
  const room = (widths[widest] ?? 0) - (needed - width)
  const isProse = rows.every((row) => (row[widest] ?? '').split(' ').every((word) => screenWidth(word) <= room))
  return room >= narrowestProse && isProse ? widths.map((each, at) => (at === widest ? room : each)) : null
}

/** A row that is too wide for the terminal, as facts. */
function card(head: readonly string[], row: readonly string[], canvas: Canvas): string {
  return drawnFacts({ rows: head.map((name, column) => [name, row[column] || null]) }, canvas)
}
