/** A sample that was written to a file. */
import { z } from 'zod'
import { oneWordOf } from '../../result.ts'
import { sampleFormats } from './damage.ts'

export const sampleResult = z.strictObject({
  file: z.string(),
  format: oneWordOf(sampleFormats),
  rows: z.int().min(1),
  seed: z.int().min(0).describe('The same seed gives the same file.'),
  damaged: z.int().min(0).describe('Rows that are wrong on purpose.'),
})
