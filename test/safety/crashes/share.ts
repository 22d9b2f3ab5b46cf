/**
 * The part of the crash matrix that has its turn: all of it with `npm run crashes`, else another one each time. All of it takes
 * hours: PAYDESK_CRASHES=2/10 is the second of ten parts, whatever the day.
 */
import { createHash } from 'node:crypto'
import { env, stdout } from 'node:process'
import { daily } from '../../figures.ts'
import { many, round } from '../../kit/run/whole.ts'

/** Over a team's store each cell takes longer. */
const shares = { file: daily.crashShare, team: daily.teamCrashShare } as const

const wish = env.PAYDESK_CRASHES ?? 'a day'
const [, nth, parts] = /^(\d+)\/(\d+)$/.exec(wish)?.map(Number) ?? []
if (parts === undefined && !['a day', 'all'].includes(wish)) {
  throw new Error(`PAYDESK_CRASHES is all, or a part such as 2/10, not ${wish}`)
}

/** Those of a wish, of cells in a mixed order. */
function chosen<Cell>(cells: readonly Cell[], of: keyof typeof shares): readonly Cell[] {
  if (wish === 'all') return cells
  if (nth !== undefined && parts !== undefined) return cells.filter((_, at) => at % parts === nth % parts)
  const [whole, everyDay] = shares[of]
  return cells.slice(0, Math.ceil(cells.length / many(whole, everyDay)))
}

/** Each with its title. Their order is that of a hash, so that the cells of one run differ in everything; parts have one order. */
export function share<Cell>(
  what: string,
  cells: readonly Cell[],
  title: (cell: Cell) => string,
  of: keyof typeof shares = 'file',
) {
  const order = parts === undefined ? round : parts
  const place = (name: string) => createHash('sha256').update(`${order} ${name}`).digest('hex')
  const mixed = cells
    .map((cell) => [title(cell), cell] as const)
    .toSorted(([one], [other]) => (place(one) < place(other) ? -1 : 1))
  const drawn = chosen(mixed, of)
  const which = wish === 'a day' ? `round ${round}` : wish
  stdout.write(`crash matrix, ${what}: ${drawn.length} of ${cells.length} cells, ${which}\n`)
  return drawn
}
