/** A result as people see it: a few blocks, drawn for the width they have. */
import type { ChalkInstance } from 'chalk'
import type { Canvas } from '../drawing/canvas.ts'
import { drawnFacts } from '../drawing/facts.ts'
import { drawnTable } from '../drawing/table.ts'
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

/** The blocks as text without a trailing newline. `isPiped`: a program reads it, or a file keeps it. */
export function drawn(
  view: View,
  width: number,
  ink: ChalkInstance,
  isPiped = false,
  zone: Canvas['zone'] = null,
): string {
  const canvas: Canvas = { width, ink, isPiped, zone }
  return view
    .map((block) => {
      if (block.kind === 'drawn') return block.draw(isPiped ? null : width, ink)
      if (block.kind === 'facts') return drawnFacts(block, canvas)
      if (block.kind === 'qr') return qrCode(block.modules, width, ink)
      return block.kind === 'table' ? drawnTable(block, canvas) : block.text.split('\n').map(clean).join('\n')
    })
    .join('\n\n')
}
