/** The whole fault table of orders, users and subscriptions. */
import { answers } from './answers.ts'
import { testTable } from './table.ts'
import { orderWrites } from './writes.ts'

testTable(orderWrites.map((write) => [write, answers]))
