/** The whole crash matrix of orders, users and subscriptions. */
import { orderWrites } from '../answers/writes.ts'
import { cells } from './cells.ts'
import { testCells } from './matrix.ts'

testCells(cells.filter(({ write }) => orderWrites.includes(write)))
