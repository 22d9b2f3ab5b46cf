/** A process that says `ready`, takes a lock, says `held`, and holds it until its stdin ends (or it is killed). */
import { once } from 'node:events'
import { withLock } from '../../../../src/lib/store/engine/lock.ts'

async function main(path: string): Promise<void> {
  process.stdout.write('ready\n')
  await withLock(path, async () => {
    process.stdout.write('held\n')
    process.stdin.resume()
    await once(process.stdin, 'end')
  })
}

void main(process.argv[2] ?? '')
