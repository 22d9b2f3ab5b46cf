/** The blocks that a result consists of, as people see it. */
import type { ChalkInstance } from 'chalk'

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
