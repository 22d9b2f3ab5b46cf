/** Streams of the built program: pipes that are slow, long, or go away. More lines and more bytes: pipes.deep.ts. */
import { briefReaders, longOutput, readersThatGo, slowInputAndFullDisk } from './pipes.ts'

longOutput(1024 * 1024)
readersThatGo(briefReaders.slice(0, 3))
slowInputAndFullDisk()
