import { randomBytes } from 'node:crypto'

/** Where keys, IVs and paddings come from. */
export type RandomBytes = (size: number) => Buffer

/** The source of every real envelope; a seeded one is for tests that want the same envelope again. */
export const systemRandom: RandomBytes = (size) => randomBytes(size)
