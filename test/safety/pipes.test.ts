/** Streams of the built program: pipes that are slow, long, or go away. More lines and more bytes: pipes.deep.ts. */
import {
  briefReaders,
  longOutput,
  readersThatGo,
  slowInputAndFullDisk,
  usageErrors,
  wrongLines,
  wrongLinesInWords,
} from './pipes.ts'

longOutput(1024 * 1024)
readersThatGo(briefReaders.slice(0, 3))
usageErrors(wrongLines.slice(0, 2), wrongLinesInWords.slice(0, 1))
slowInputAndFullDisk()
