/** Where the crash matrix keeps its journal, and what befalls it: a file of this machine, or a team's store in a server. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell, TeamCell } from './cells.ts'
import { strike } from './strike.cjs'

type AnyCell = Pick<Cell | TeamCell, 'boundary' | 'crash'>

export interface CrashPlace {
  /** The variables by which every command knows of it. */
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds and flags that a command has for its service and its store. */
  readonly patience: readonly string[]
  /** Exit codes that a crash may have, besides those of every journal. */
  readonly more: readonly number[]
  /** More variables, for the command that crashes. */
  crashing(home: string, cell: AnyCell): Readonly<Record<string, string>>
  /** Strikes from outside. */
  strike(home: string, crash: AnyCell['crash'], pid: number): void
  /** False before anything was ever written to it. */
  isThere(home: string): boolean
  /** Gives, when it can be used again, whether what was to befall it has. */
  mended(): Promise<boolean>
}

/** The journal of a home. */
export const inFile: CrashPlace = {
  env: {},
  // Long enough for a busy machine; only cells with a hanging service wait for it.
  patience: ['--timeout', '20s', '--answer-timeout', '3s'],
  more: [],
  crashing: (home, { boundary, crash }) => ({
    NODE_OPTIONS: `--require=${join(import.meta.dirname, 'boundary.cjs')}`,
    ...{ CRASH_AT: boundary, CRASH_KIND: crash, CRASH_JOURNAL: journalIn(home) },
  }),
  strike: (home, crash, pid) => strike(crash, pid, journalIn(home)),
  isThere: (home) => existsSync(journalIn(home)),
  mended: async () => true,
}

function journalIn(home: string): string {
  return join(home, 'journal', 'journal.db')
}
