/**
 * A list as a terminal shows it: one line for each row, as many columns as there is room for, sums under each other; where
 * even the first columns do not sized, a few short lines for each row. In a pipe every row is one line, its cells between tabs.
 */
import type { ChalkInstance } from 'chalk'
import stringWidth from 'string-width'
import { shortened } from '../../limits.ts'
import { visible } from '../../visible.ts'
import type { View } from '../views/view.ts'

export type CellTone = 'good' | 'bad' | 'doubt' | 'plain'

export interface ListCell {
  readonly text: string
  readonly tone?: CellTone | undefined
}

export interface ListColumn {
  readonly head: string
  readonly align?: 'right'
  /** Letters to which it may be cut; whole without. */
  readonly least?: number
  /** Left out where there is no room for it whole. */
  readonly isExtra?: boolean
}

interface DrawnList {
  readonly columns: readonly ListColumn[]
  readonly rows: readonly (readonly ListCell[])[]
  /** The columns of each line of a row that is drawn on several. */
  readonly card: readonly (readonly number[])[]
  /** The same rows for programs: the whole of every cell. */
  readonly piped: readonly (readonly string[])[]
  readonly empty: string
}

const between = 2

/** A text in the cells of a terminal that it takes, cut where it takes more. */
function fitted(text: string, width: number, align?: 'right'): string {
  const own = stringWidth(text)
  if (own <= width) return align === 'right' ? ' '.repeat(width - own) + text : text + ' '.repeat(width - own)
  let cut = ''
  for (const letter of text) {
    if (stringWidth(cut + letter) > width - 1) break
    cut += letter
  }
  return `${cut}…${' '.repeat(Math.max(0, width - 1 - stringWidth(cut)))}`
}

function inked(text: string, tone: CellTone | undefined, ink: ChalkInstance): string {
  const inks = { good: ink.green, bad: ink.red, doubt: ink.yellow, plain: (each: string) => each }
  return inks[tone ?? 'plain'](text)
}

interface Shown {
  readonly at: number
  readonly width: number
}

const sum = (shown: readonly Shown[]) => shown.reduce((all, { width }) => all + width + between, -between)

/** The columns that sized, each with its width; null where the first ones do not. */
function fitting(columns: readonly ListColumn[], widths: readonly number[], width: number): readonly Shown[] | null {
  const shown = columns.flatMap(({ isExtra }, at) =>
    isExtra || widths[at] === 0 ? [] : [{ at, width: widths[at] ?? 0 }],
  )
  if (sum(shown) > width) return shrunk(columns, shown, width)
  for (const [at, { isExtra }] of columns.entries()) {
    const more = [...shown, { at, width: widths[at] ?? 0 }]
    if (isExtra && widths[at] !== 0 && sum(more) <= width) shown.push({ at, width: widths[at] ?? 0 })
  }
  return shown
}

function shrunk(columns: readonly ListColumn[], shown: readonly Shown[], width: number): readonly Shown[] | null {
  let left = sum(shown) - width
  const cut = shown.map((each) => {
    const least = Math.max(columns[each.at]?.least ?? each.width, stringWidth(columns[each.at]?.head ?? ''))
    const less = Math.max(0, Math.min(left, each.width - least))
    left -= less
    return { ...each, width: each.width - less }
  })
  return left > 0 ? null : cut
}

function onTerminal(block: DrawnList, width: number, ink: ChalkInstance): string {
  if (block.rows.length === 0) return block.empty
  const { columns } = block
  const rows = block.rows.map((row) => row.map(({ text, tone }) => ({ text: visible(shortened(text)), tone })))
  const widths = columns.map(({ head }, at) => {
    const cells = rows.map((row) => stringWidth(row[at]?.text ?? ''))
    const widest = cells.reduce((most, each) => Math.max(most, each), 0)
    return widest === 0 ? 0 : Math.max(widest, stringWidth(head))
  })
  const shown = fitting(columns, widths, width)
  if (!shown) return rows.map((row) => card(block, row, ink)).join('\n')
  const last = shown.at(-1)?.at
  const line = (paint: (at: number, sized: (text: string) => string) => string) =>
    shown
      .map(({ at, width: size }) =>
        paint(at, (text) => {
          const sized = fitted(text, size, columns[at]?.align)
          return at === last ? sized.trimEnd() : sized
        }),
      )
      .join(' '.repeat(between))
      .trimEnd()
  return [
    line((at, sized) => ink.dim(sized(columns[at]?.head ?? ''))),
    ...rows.map((row) => line((at, sized) => inked(sized(row[at]?.text ?? ''), row[at]?.tone, ink))),
  ].join('\n')
}

function card({ card }: DrawnList, row: readonly ListCell[], ink: ChalkInstance): string {
  const lines = card.map((places) =>
    places.flatMap((at) => (row[at]?.text ? [inked(row[at].text, row[at].tone, ink)] : [])).join(' '.repeat(between)),
  )
  return lines
    .filter((line) => line !== '')
    .map((line, at) => (at === 0 ? line : `  ${line}`))
    .join('\n')
}

/** A line for each row; nothing where there is none. */
function inPipe({ piped }: DrawnList): string {
  return piped.map((row) => row.map((cell) => visible(cell)).join('\t')).join('\n')
}

/** A list as a block. Its texts are redacted by then: once they are drawn it is too late. */
export function listBlock(list: DrawnList): View {
  return [{ kind: 'drawn', draw: (width, ink) => (width === null ? inPipe(list) : onTerminal(list, width, ink)) }]
}
