/** The way a command opens the store of its team. */
import { dirname, join } from 'node:path'
import type { Clock } from '../../edge.ts'
import type { TeamSettings } from '../../store/postgres/store.ts'

interface BesideJournal {
  readonly journal: string
  readonly patience?: number
  readonly signal?: AbortSignal
}

/** The marks of stores lie beside the machine's own journal. */
export function teamSettings({ journal, patience, signal }: BesideJournal, machine: Clock): TeamSettings {
  return {
    machine,
    marks: join(dirname(journal), 'teams'),
    ...(patience === undefined ? {} : { patience }),
    ...(signal === undefined ? {} : { signal }),
  }
}
