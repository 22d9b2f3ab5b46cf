/** The facts of a report, gathered while its rows pass by: sums by standing, rows over time, and the first rows of each. */
import { RowsBefore } from '../../rows/before.ts'
import { isOfBefore, isToGo } from '../../rows/state.ts'
import { mayBeWorked } from '../../run/worked.ts'
import { ByHand } from '../by-hand.ts'
import { type PaperLine, type PaperParts, paperLines } from '../lines.ts'
import { paperOf, type Standing, standings } from '../standing.ts'
import { SumsBy } from '../sums.ts'
import { Timeline } from './timeline.ts'

/** Numbers of rows that are kept whole. */
export interface KeptRows {
  readonly first: number
  /** Of each standing. */
  readonly ofEach: number
}

export class Gathered {
  readonly sums = new SumsBy<Standing>(standings)
  readonly timeline = new Timeline()
  readonly byHand = new ByHand()
  /** True if a run or workers may send rows of the plan. */
  isWorked = false
  /** Rows that a run takes up, and those of them that are on their way. */
  toGo = 0
  sending = 0
  /** Rows that were sent before the plan was made, and not since: the timeline is without them. */
  readonly before = new RowsBefore()
  /** The first of all, in the order of the file. */
  readonly lines: PaperLine[] = []
  readonly #kept: KeptRows
  readonly #first = new Map<Standing, PaperLine[]>()

  constructor(kept: KeptRows) {
    this.#kept = kept
  }

  add(line: PaperLine): void {
    const { standing, planned, intent, isTakenKey } = line
    this.sums.of(standing).add(planned)
    this.byHand.add(line)
    if (isToGo(line)) this.toGo += 1
    if (line.state === 'sending') this.sending += 1
    const own = this.#first.get(standing) ?? []
    if (own.length < this.#kept.ofEach) own.push(line)
    this.#first.set(standing, own)
    if (this.lines.length < this.#kept.first) this.lines.push(line)
    if (line.before) this.before.add(planned, line.before)
    if (intent && !isTakenKey && !isOfBefore(line)) this.timeline.add(Date.parse(intent.openedAt), paperOf[standing])
  }

  /** The first rows of a standing. */
  of(standing: Standing): readonly PaperLine[] {
    return this.#first.get(standing) ?? []
  }
}

/** Reads all rows of a plan; `also` sees each piece of them, too. */
export async function gathered(
  parts: PaperParts,
  kept: KeptRows,
  also: (lines: readonly PaperLine[]) => Promise<void> = async () => undefined,
): Promise<Gathered> {
  const all = new Gathered(kept)
  const wasWorked = await mayBeWorked(parts, parts.plan.planId)
  for await (const lines of paperLines(parts)) {
    for (const line of lines) all.add(line)
    await also(lines)
  }
  const isHad = wasWorked || (await mayBeWorked(parts, parts.plan.planId))
  all.isWorked = (isHad && all.toGo > 0) || all.sending > 0
  return all
}
