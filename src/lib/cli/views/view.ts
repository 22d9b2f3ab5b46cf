/** A result as people see it: a few blocks, drawn for the width they have. */
import type { ChalkInstance } from 'chalk'
import Table from 'cli-table3'
import { shortened } from '../../limits.ts'
import { clean } from '../output/clean.ts'
import { qrCode } from './qr.ts'

export type Cell = string | number | boolean | { toString(): string } | null | undefined

export type Block =
  /** Label and value, a line each. A null value is left out. */
  | { readonly kind: 'facts'; readonly title?: string; readonly rows: readonly (readonly [string, Cell])[] }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly Cell[])[]
      readonly empty: string
    }
  /** Drawn by itself for a width; null: for a program that reads lines. */
  | { readonly kind: 'drawn'; readonly draw: (width: number | null, ink: ChalkInstance) => string }
  | { readonly kind: 'text'; readonly text: string }
  /** A QR code: rows of modules, true is dark. */
  | { readonly kind: 'qr'; readonly modules: readonly (readonly boolean[])[] }

export type View = readonly Block[]

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

function shown(cell: Cell): string {
  return cell === null || cell === undefined ? '' : clean(String(cell))
}

function facts(block: Extract<Block, { kind: 'facts' }>, width: number, ink: ChalkInstance): string {
  const rows = block.rows.filter(([, value]) => value !== null && value !== undefined)
  const names = rows.map(([name]) => clean(name))
  const label = Math.max(0, ...names.map((name) => name.length))
  const title = block.title ? [ink.bold(clean(block.title))] : []
  const narrow = width - label - 2 < 24
  const lines = rows.map(([, value], at) => {
    const name = names[at] ?? ''
    return narrow ? `${ink.dim(name)}\n  ${shown(value)}` : `${ink.dim(name.padEnd(label))}  ${shown(value)}`
  })
  return [...title, ...lines].join('\n')
}

function table(block: Extract<Block, { kind: 'table' }>, width: number, ink: ChalkInstance): string {
  if (block.rows.length === 0) return block.empty
  // To fit the columns, the library cuts and measures a long cell over and over.
  const rows = block.rows.map((row) => row.map((cell) => shortened(shown(cell))))
  if (rows.length > manyRows) return [block.head, ...rows].map((row) => row.join('  ')).join('\n')
  const widths = block.head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const squeezed = columnWidths(widths, rows, width)
  if (!squeezed) return rows.map((row) => card(block.head, row, width, ink)).join('\n\n')
  const drawn = new Table({
    head: block.head.map((name) => ink.dim(name)),
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
  const isProse = rows.every((row) => (row[widest] ?? '').split(' ').every((word) => word.length <= room))
  return room >= narrowestProse && isProse ? widths.map((each, at) => (at === widest ? room : each)) : null
}

/** A row that is too wide for the terminal, as facts. */
function card(head: readonly string[], row: readonly string[], width: number, ink: ChalkInstance): string {
  const rows = head.map((name, column) => [name, row[column] || null] as const)
  return facts({ kind: 'facts', rows }, width, ink)
}

/** The blocks as text without a trailing newline. `isPiped`: a program reads it, or a file keeps it. */
export function drawn(view: View, width: number, ink: ChalkInstance, isPiped = false): string {
  return view
    .map((block) => {
      if (block.kind === 'drawn') return block.draw(isPiped ? null : width, ink)
      if (block.kind === 'facts') return facts(block, width, ink)
      if (block.kind === 'qr') return qrCode(block.modules, width, ink)
      return block.kind === 'table' ? table(block, width, ink) : block.text.split('\n').map(clean).join('\n')
    })
    .join('\n\n')
}
