/** The whole crash matrix of payouts and the wallet. */
import { orderWrites } from '../answers/writes.ts'
import { cells } from './cells.ts'
import { testCells } from './matrix.ts'

testCells(cells.filter(({ write }) => !orderWrites.includes(write)))
