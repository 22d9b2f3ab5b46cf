import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { type FileToRead, fileToRead } from '../../../../src/lib/batch/read/file.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'

async function textOf({ bytes }: FileToRead): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const none = () => Readable.from([])

test('bytes come from a file, or from stdin for -', async () => {
  const path = join(temporaryDirectory('file'), 'a.csv')
  writeFileSync(path, 'amount')
  expect(await textOf(fileToRead(path, none, null))).toBe('amount')
  const stdin = fileToRead('-', () => Readable.from(['a', 'b']), null)
  expect([stdin.name, await textOf(stdin)]).toEqual(['stdin', 'ab'])
})

test('a file that cannot be read is told by its name', async () => {
  const reading = textOf(fileToRead('/nowhere/a.csv', none, null))
  await expect(reading).rejects.toThrow('/nowhere/a.csv cannot be read: it does not exist')
})

test('a stop ends the reading', async () => {
  const stop = new AbortController()
  const file = fileToRead('-', () => Readable.from(['a', 'b']), stop.signal)
  stop.abort(new Error('stopped'))
  await expect(textOf(file)).rejects.toThrow('stopped')
})
