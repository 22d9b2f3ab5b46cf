/**
 * The figures of the tree, from the syntax tree: `npm run house` prints them beside their limits, with the places that are to be
 * mended, worst first. `npm run house -- --short` leaves out the places. test/house/figures.test.ts holds the limits.
 */
import { join } from 'node:path'
import { figuresOf, medians } from './house/figures.mts'
import { type Figure, limits } from './house/limits.mts'
import { treeOf } from './house/tree.mts'

const tree = treeOf(join(import.meta.dirname, '..'))
const figures = figuresOf(tree)
const middle = medians(tree)

type Cell = number | string

const row = (name: string, ...cells: readonly Cell[]) =>
  [name.padEnd(36), ...cells.map((cell) => String(cell).padStart(8))].join('')

const table = [
  row('', 'now', 'ceiling', 'target'),
  ...figures.map(({ name, value }) => row(name, value, limits[name].ceiling, limits[name].target)),
  row('lines of a file, median', middle.file),
  row('lines of a function, median', middle.function),
]

const listed = ({ name, places }: Figure) => ['', `${name}:`, ...places.map(({ at, what }) => `  ${at}  ${what}`)]
// The largest of a kind heads the list of those over the limit.
const lists = figures.filter(({ value, places }) => places.length > 0 && places.length === value).flatMap(listed)

const isShort = process.argv.includes('--short')
process.stdout.write(`${[...table, ...(isShort ? [] : lists)].join('\n')}\n`)
