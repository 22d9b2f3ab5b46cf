/** Before the tests of every file: what holds for all of them. */
import { afterAll } from 'vitest'
import { setSeed } from './seed.ts'
import { removeTemporary } from './temporary.ts'

setSeed()
afterAll(removeTemporary)
