/** A process that opens a notebook and does as it is told: `node use-store.ts <path> <name> <count> <then>`. */
import fs, { existsSync, writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { sql } from 'kysely'
import { commitsOf, notesSchema, openNotes, write } from '../../../kit/notes.ts'

type Then = 'end' | 'wait' | 'die' | 'linger'

/** Does something at the moment this process touches the mark of a store, before the mark has changed. */
function atMark(then: () => void): void {
  const { openSync } = fs
  Object.assign(fs, {
    openSync: (...given: Parameters<typeof openSync>) => {
      if (String(given[0]).endsWith('-mark')) {
        Object.assign(fs, { openSync })
        syncBuiltinESMExports()
        writeSync(1, 'committed\n')
        then()
      }
      return openSync(...given)
    },
  })
  syncBuiltinESMExports()
}

function waitFor(path: string): void {
  while (!existsSync(path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
}

async function main(path: string, name: string, count: number, then: Then): Promise<void> {
  const store = await openNotes(path, {}, notesSchema)
  for (let done = 1; done <= count; done += 1) {
    if (done === count && then === 'die') atMark(() => process.kill(process.pid, 'SIGKILL'))
    if (done === count && then === 'linger') atMark(() => waitFor(`${path}-go`))
    await write(store, `${name} ${done}`)
  }
  writeSync(1, `done ${await commitsOf(store)}\n`)
  if (then === 'wait') {
    setInterval(() => undefined, 1_000)
    return
  }
  await store.read((db) => sql`pragma wal_checkpoint(truncate)`.execute(db))
  await store.close()
}

const [path = '', name = '', count = '0', then = 'end'] = process.argv.slice(2)
void main(path, name, Number(count), then as Then)
