/** Streams of the built program, with every line and five times the bytes. */
import { briefReaders, longOutput, longWait, readersThatGo } from './pipes.ts'

const bytes = 5 * 1024 * 1024
longOutput(bytes)
longWait(bytes)
readersThatGo(briefReaders)
