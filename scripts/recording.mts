/** Records the payout whose answer is lost for the README: `npm run recording`, after a build. It needs tmux. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawn } from './recording/draw.mts'
import { record, width } from './recording/record.mts'

const file = join(import.meta.dirname, '..', 'docs', 'pictures', 'lost-answer.svg')
const said = 'A payout whose answer is lost: it is unknown, then resolved, and the ledger shows one execution'
writeFileSync(file, drawn(await record(), width, said))
