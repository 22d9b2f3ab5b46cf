/** Tables as a terminal shows them; where one is too wide, a text below its row, or each row as facts. A program gets a line for each row. */
import Table from 'cli-table3'
import { shortened } from '../../limits.ts'
import { timesInColumn, timesShown } from '../time/shown-time.ts'
import type { Block } from './block.ts'
import type { Canvas } from './canvas.ts'
import { cellText, drawnFacts } from './facts.ts'
import { brokenBetweenWords, screenWidth } from './words.ts'

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
  const { width, zone, isPiped } = canvas
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
  // A program, or a file, has room for lines of any length: a row stays a line.
  if (isPiped) return grid(columns, widthsOf(columns), canvas).join('\n')
  const filled = columns.filter(([, cells]) => cells.some((cell) => cell !== ''))
  for (const some of [columns, filled]) {
    const squeezed = columnWidths(widthsOf(some), some, width)
    if (squeezed) return grid(some, squeezed, canvas).join('\n')
  }
  return withProseBelow(filled, canvas) ?? texts.map((row) => card(named, row, canvas)).join('\n\n')
}

/** The head of a column, and its cells. */
type Column = readonly [name: string, cells: readonly string[]]

function widthsOf(columns: readonly Column[]): readonly number[] {
  return columns.map(([name, cells]) => Math.max(...[name, ...cells].map(screenWidth)))
}

/** The lines of a table: of its head, and of each row, more than one where cells are broken. */
function grid(columns: readonly Column[], widths: readonly number[], { ink }: Canvas): readonly string[] {
  const drawn = new Table({
    head: columns.map(([name]) => ink.dim(name)),
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: [...widths],
    wordWrap: true,
  })
  drawn.push(...(columns[0]?.[1] ?? []).map((_, at) => columns.map(([, cells]) => cells[at] ?? '')))
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}

/** The table with the text of its last column below each row; null where the others have no room, or it holds no text. */
function withProseBelow(columns: readonly Column[], canvas: Canvas): string | null {
  const { width, ink } = canvas
  const [others, last] = [columns.slice(0, -1), columns.at(-1)]
  const widths = widthsOf(others)
  if (!last || needed(widths) > width || !last[1].some((cell) => cell.includes(' '))) return null
  const [head = '', ...rows] = grid(others, widths, canvas)
  if (rows.length !== last[1].length) return null
  const [name, cells] = last
  const indent = between + screenWidth(name) + between
  const below = (cell: string) =>
    brokenBetweenWords(cell, width - indent).map(
      (line, at) =>
        (at === 0 ? `${' '.repeat(between)}${ink.dim(name)}${' '.repeat(between)}` : ' '.repeat(indent)) + line,
    )
  return [head, ...rows.flatMap((row, at) => [row, ...(cells[at] ? below(cells[at]) : [])])].join('\n')
}

const between = 2
const narrowestProse = 24

function needed(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + between, -between)
}

/** Column widths that fit: as they are, or the widest column broken between words. Null if that would break ids or leave no room. */
function columnWidths(widths: readonly number[], columns: readonly Column[], width: number): readonly number[] | null {
  const all = needed(widths)
  if (all <= width) return widths
  const widest = widths.indexOf(Math.max(...widths))
  const room = (widths[widest] ?? 0) - (all - width)
  const cells = columns[widest]?.[1] ?? []
  const isProse = cells.every((cell) => cell.split(' ').every((word) => screenWidth(word) <= room))
  return room >= narrowestProse && isProse ? widths.map((each, at) => (at === widest ? room : each)) : null
}

/** A row that is too wide for the terminal, as facts. */
function card(head: readonly string[], row: readonly string[], canvas: Canvas): string {
  return drawnFacts({ rows: head.map((name, column) => [name, row[column] || null]) }, canvas)
}
