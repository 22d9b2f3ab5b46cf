/** Before the tests of every file: what holds for all of them. */
import { afterAll } from 'vitest'
import { removeTemporary } from './temporary.ts'

afterAll(removeTemporary)
