/** Where a view is drawn. */
import type { ChalkInstance } from 'chalk'
import type { Zone } from '../time/zoned-time.ts'

export interface Canvas {
  /** Columns of the terminal; of a pipe those of a usual one. */
  readonly width: number
  readonly ink: ChalkInstance
  /** That of the times on it. */
  readonly zone: Zone
  /** A program reads it, or a file keeps it. */
  readonly isPiped: boolean
}
