/** The part of the crash matrix that has its turn: all of it with `npm run crashes`, else another one every day. */
import { createHash } from 'node:crypto'
import { env, stdout } from 'node:process'
import { daily } from '../../figures.ts'
import { many, today } from '../../kit/run/whole.ts'

const isAll = env.PAYDESK_CRASHES === 'all'

/** Over a team's store each cell takes longer. */
const shares = { file: daily.crashShare, team: daily.teamCrashShare } as const

/** Each with its title. The order of a day is that of a hash, so that a day's cells differ in everything. */
export function share<Cell>(
  what: string,
  cells: readonly Cell[],
  title: (cell: Cell) => string,
  of: keyof typeof shares = 'file',
) {
  const [whole, everyDay] = shares[of]
  const oneIn = isAll ? 1 : many(whole, everyDay)
  const place = (name: string) => createHash('sha256').update(`${today} ${name}`).digest('hex')
  const drawn = cells
    .map((cell) => [title(cell), cell] as const)
    .toSorted(([one], [other]) => (place(one) < place(other) ? -1 : 1))
    .slice(0, Math.ceil(cells.length / oneIn))
  stdout.write(`crash matrix, ${what}: ${drawn.length} of ${cells.length} cells, those of day ${today}\n`)
  return drawn
}
