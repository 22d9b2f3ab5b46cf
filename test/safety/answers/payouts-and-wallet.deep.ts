/** The whole fault table of payouts and the wallet. */
import { answers } from './answers.ts'
import { testTable } from './table.ts'
import { orderWrites, writes } from './writes.ts'

testTable(writes.filter((write) => !orderWrites.includes(write)).map((write) => [write, answers]))
