/** Chance of envelopes, apart from the schemes so that each of them may ask for it. */
import { randomBytes } from 'node:crypto'

/** The source of keys, IVs and paddings. */
export type RandomBytes = (size: number) => Buffer

/** The source of every real envelope; a seeded one is for tests that want the same envelope again. */
export const systemRandom: RandomBytes = (size) => randomBytes(size)
