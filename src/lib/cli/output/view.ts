/**
 * A result as people see it: a few blocks (facts, tables, texts, QR codes), drawn for the width they have. A program gets
 * a line for each row.
 */
import type { ChalkInstance } from 'chalk'
import Table from 'cli-table3'
import { shortened, visible, visibleLines } from '../../text.ts'
import { textOf } from './form.ts'
import { brokenBetweenWords, screenWidth } from './terminal.ts'
import { showTimes, timesInColumn, type Zone } from './time.ts'

/** A value of a result; an object is drawn as JSON. */
export type Cell = unknown

export type Block =
  /** Label and value, a line each. A null value is left out. */
  | {
      readonly kind: 'facts'
      readonly title?: string | undefined
      readonly rows: readonly (readonly [string, Cell])[]
      /** Labels are the names of members that somebody asked for: they stay. */
      readonly isByName?: boolean
    }
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

export type Facts = Extract<Block, { kind: 'facts' }>

interface Canvas {
  readonly width: number
  readonly ink: ChalkInstance
  readonly zone: Zone
  readonly isPiped: boolean
}

const between = 2

/** Columns that values need beside their labels; with fewer they stand below them. */
const narrowest = 24

const cellText = (cell: Cell) => visible(textOf(cell))

/** An IBAN in groups, or a time. */
const oneThing = /^(?:[A-Z]{2}\d{2}(?: [\dA-Z]{1,4})+|\d{4}-\d{2}-\d{2}[T ][\d:.]+(?: \([^)]*\))?)$/

/** JSON keeps its times as they are. */
const isJson = (text: string) => /^[{[]/.test(text)

function below(label: string, value: string, { width, ink }: Canvas): string {
  const indent = ' '.repeat(between)
  const lines = brokenBetweenWords(value, width - between).map((line) => indent + line)
  return [...(label.trim() === '' ? [] : [ink.dim(label)]), ...lines].join('\n')
}

function fact(label: string, value: string, column: number, canvas: Canvas): string {
  const { width, ink, isPiped } = canvas
  const room = width - column - between
  const beside = (lines: readonly string[]) =>
    `${ink.dim(padded(label, column))}  ${lines.join(`\n${' '.repeat(column + between)}`)}`
  if (isPiped) return room < narrowest ? `${ink.dim(label)}\n  ${value}` : beside([value])
  if (room < narrowest) return below(label, value, canvas)
  const lines = brokenBetweenWords(value, room)
  // An account or a time stays whole where it has a line of its own; so does a word that has no room here.
  const isWholeBelow = lines.length > 1 && oneThing.test(value) && screenWidth(value) <= width - between
  return isWholeBelow || lines.some((line) => screenWidth(line) > room) ? below(label, value, canvas) : beside(lines)
}

/** What a person at a terminal reads for a member of a result; in a pipe members keep their names, as in JSON. */
const memberLabels: Readonly<Record<string, string>> = {
  ...{ journalId: 'journal', transactionId: 'transaction', uniqueId: 'unique id', integratorOrderId: 'order' },
  ...{ createdAt: 'service time', openedAt: 'made', changedAt: 'changed', statusDescription: 'says', toIban: 'to' },
  ...{ paymentDescription: 'description', commissionAmount: 'commission', sumConfirmed: 'amount confirmed' },
  ...{ payee: 'to', because: 'reason', clientId: 'client', serviceId: 'service id', urlForQR: 'pay at' },
  ...{ receiverName: 'receiver', orderId: 'order at the service', subscriptionId: 'subscription', cardMask: 'card' },
  ...{ acquiringAmount: 'charged to the card', acquiringCurrency: 'card currency', paymentStatus: 'payment status' },
}

function drawnFacts({ title, rows, isByName = false }: Omit<Facts, 'kind'>, canvas: Canvas): string {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined)
  const labels = shown.map(([name]) => visible(canvas.isPiped || isByName ? name : (memberLabels[name] ?? name)))
  const column = Math.max(0, ...labels.map(screenWidth))
  const lines = shown.map(([, value], at) => {
    const text = cellText(value)
    return fact(labels[at] ?? '', isJson(text) ? text : showTimes(text, canvas.zone), column, canvas)
  })
  const head = title === undefined ? [] : titleLines(visible(title), canvas)
  return [...head, ...lines].join('\n')
}

function titleLines(title: string, { width, ink, isPiped }: Canvas): readonly string[] {
  if (title === '') return []
  return (isPiped ? [title] : brokenBetweenWords(title, width)).map((line) => ink.bold(line))
}

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

/** Tables as a terminal shows them; where one is too wide, a text below its row, or each row as facts. A program gets a line for each row. */
function drawnTable({ head: named, rows: told, empty }: TableBlock, canvas: Canvas): string {
  const { width, zone, isPiped } = canvas
  if (told.length === 0) return empty
  const texts = told.map((row) => row.map((cell) => shortened(cellText(cell))))
  if (texts.length > manyRows)
    return [named, ...texts].map((row) => row.map((cell) => showTimes(cell, zone)).join('  ')).join('\n')
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

const padded = (text: string, width: number, paint = (text: string) => text) =>
  (text === '' ? '' : paint(text)) + ' '.repeat(Math.max(0, width - screenWidth(text)))

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

function card(head: readonly string[], row: readonly string[], canvas: Canvas): string {
  return drawnFacts({ rows: head.map((name, column) => [name, row[column] || null]) }, canvas)
}

/** Readers want a bright frame of four modules; most are content with one. */
const frame = 4

/** The modules of a text. The encoder is loaded only for this. */
export async function qrModules(text: string): Promise<readonly (readonly boolean[])[]> {
  const { encode } = await import('uqr')
  return encode(text, { border: 0, ecc: 'L' }).data
}

const blocks = [' ', '▄', '▀', '█'] as const

/** The letter for two modules, one above the other, where `upper` and `lower` say which of them are drawn. */
function block(upper: boolean, lower: boolean): string {
  return blocks[(upper ? 2 : 0) + (lower ? 1 : 0)] ?? ' '
}

/**
 * The code for a terminal, black on white whatever its colours are. Without colours the bright modules are drawn: most
 * terminals are dark. A code that would be cut off is none, so a narrow terminal gets a sentence.
 */
export function qrCode(modules: readonly (readonly boolean[])[], width: number, ink: ChalkInstance): string {
  const size = modules.length
  const around = Math.min(frame, Math.floor((width - size) / 2))
  if (around < 1) return `The terminal is too narrow for the QR code: it needs ${size + 2} columns.`
  const dark = (row: number, column: number) => modules[row - around]?.[column - around] ?? false
  const whole = size + 2 * around
  const coloured = ink.level > 0
  const lines: string[] = []
  for (let row = 0; row < whole; row += 2) {
    let line = ''
    for (let column = 0; column < whole; column += 1) {
      const [upper, lower] = [dark(row, column), dark(row + 1, column)]
      // Below the last row there is nothing to be drawn.
      line += coloured ? block(upper, lower) : block(!upper, !lower && row + 1 < whole)
    }
    lines.push(coloured ? ink.black.bgWhiteBright(line) : line)
  }
  return lines.join('\n')
}

export type View = readonly Block[]

/** By label or head: the member of a row that stands there, or what is made of the row. */
export type Labels<Row> = Readonly<Record<string, (keyof Row & string) | ((row: Row) => Cell)>>

export function labelled<Row>(row: Row, labels: Labels<Row>): readonly (readonly [string, Cell])[] {
  return Object.entries(labels).map(([label, of]) => [label, typeof of === 'function' ? of(row) : row[of]])
}

/** "GEL 12.50"; null without an amount. */
export function sumInWords({ currency, amount }: { readonly currency?: unknown; readonly amount?: unknown }) {
  return amount === null || amount === undefined ? null : [currency, amount].filter(Boolean).join(' ')
}

/** The member of a row, left out where it is 0. */
export const unlessZero =
  <Name extends string>(name: Name) =>
  (row: { readonly [Each in Name]: number }): number | null =>
    row[name] === 0 ? null : row[name]

export function factsOf<Row>(row: Row, labels: Labels<Row>, title?: string): Facts {
  return { kind: 'facts', title, rows: labelled(row, labels) }
}

/** `empty`: what is said where there is no row. */
export function tableOf<Row>(rows: readonly Row[], columns: Labels<Row>, empty = ''): Block {
  const cells = rows.map((row) => labelled(row, columns).map(([, cell]) => cell))
  return { kind: 'table', head: Object.keys(columns), rows: cells, empty }
}

export function textView(text: string): View {
  return [{ kind: 'text', text }]
}

export function drawView(
  view: View,
  width: number,
  ink: ChalkInstance,
  isPiped = false,
  zone: Canvas['zone'] = null,
  asksForTable = false,
): string {
  const canvas: Canvas = { width, ink, isPiped, zone }
  // In a pipe a table has room for lines of any length.
  const listWidth = !isPiped ? width : asksForTable ? Number.MAX_SAFE_INTEGER : null
  return view
    .map((block) => {
      if (block.kind === 'drawn') return block.draw(listWidth, ink)
      if (block.kind === 'facts') return drawnFacts(block, canvas)
      if (block.kind === 'qr') return qrCode(block.modules, width, ink)
      return block.kind === 'table' ? drawnTable(block, canvas) : visibleLines(block.text)
    })
    .join('\n\n')
}
