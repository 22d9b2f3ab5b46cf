/** The whole crash matrix of a file of payouts. */
import { batchCells } from './cells.ts'
import { testBatchCells } from './matrix.ts'

testBatchCells(batchCells)
