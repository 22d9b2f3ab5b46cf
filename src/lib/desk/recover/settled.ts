/** How a write stands when a command has done with it. */
import type { Intent } from '../../journal/intent.ts'

export interface Settled {
  readonly intent: Intent
  /** It was settled by an earlier run; nothing was sent now. */
  readonly replayed: boolean
  readonly warnings: readonly string[]
}
