/** Facts as a terminal shows them: a label and its value on a line, what does not fit below, broken between words. */
import { visible } from '../../visible.ts'
import { timesShown } from '../time/shown-time.ts'
import type { Block, Cell } from './block.ts'
import type { Canvas } from './canvas.ts'
import { brokenBetweenWords, screenWidth } from './words.ts'

type Facts = Extract<Block, { kind: 'facts' }>

const between = 2

/** Columns that values need beside their labels; with fewer they stand below them. */
const narrowest = 24

/** A cell as text that repaints no line. */
export function cellText(cell: Cell): string {
  return cell === null || cell === undefined ? '' : visible(String(cell))
}

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
  const padded = label + ' '.repeat(Math.max(0, column - screenWidth(label)))
  const beside = (lines: readonly string[]) => `${ink.dim(padded)}  ${lines.join(`\n${' '.repeat(column + between)}`)}`
  if (isPiped) return room < narrowest ? `${ink.dim(label)}\n  ${value}` : beside([value])
  if (room < narrowest) return below(label, value, canvas)
  const lines = brokenBetweenWords(value, room)
  // An account or a time stays whole where it has a line of its own; so does a word that has no room here.
  const isWholeBelow = lines.length > 1 && oneThing.test(value) && screenWidth(value) <= width - between
  return isWholeBelow || lines.some((line) => screenWidth(line) > room) ? below(label, value, canvas) : beside(lines)
}

export function drawnFacts({ title, rows }: Pick<Facts, 'title' | 'rows'>, canvas: Canvas): string {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined)
  const labels = shown.map(([name]) => visible(name))
  const column = Math.max(0, ...labels.map(screenWidth))
  const lines = shown.map(([, value], at) => {
    const text = cellText(value)
    return fact(labels[at] ?? '', isJson(text) ? text : timesShown(text, canvas.zone), column, canvas)
  })
  const head = title === undefined ? [] : titleLines(visible(title), canvas)
  return [...head, ...lines].join('\n')
}

function titleLines(title: string, { width, ink, isPiped }: Canvas): readonly string[] {
  if (title === '') return []
  return (isPiped ? [title] : brokenBetweenWords(title, width)).map((line) => ink.bold(line))
}
