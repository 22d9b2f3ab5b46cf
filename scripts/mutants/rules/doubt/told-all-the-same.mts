/** An answer, or a read, that proves nothing still tells of its thing. */
import { safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

export const toldAllTheSame: readonly Mutant[] = [
  {
    name: 'what an answer without a meaning tells of its thing is forgotten',
    rule: 'What an answer told all the same is not denied by a later read.',
    changes: [{ in: 'classify', find: 'statusAllTheSame(operation, request, read)', put: 'null' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: 'what a read without a meaning tells of its thing is forgotten',
    rule: 'What an answer told all the same is not denied by a later read.',
    changes: [{ in: 'readThing', find: 'heard.add(status)', put: 'heard' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: '"not any more" is forgotten where nothing could be read beside it',
    rule: 'What an answer told all the same is not denied by a later read.',
    changes: [{ in: 'toldBefore', find: 'isDenied && notAnyMore', put: 'false as boolean' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: 'a refund that was read as failed was never tried',
    rule: 'What shows a trace of an open write outweighs a later read that shows none.',
    changes: [{ in: 'seenBefore', find: 'evidence.tried.includes(read)', put: 'false' }],
    killers: [safety('refund-traces')],
  },
]
