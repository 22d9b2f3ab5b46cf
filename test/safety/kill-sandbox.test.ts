/** Writes share commits in the sandbox: one that is killed in the middle of many has kept all that it answered. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { start } from '../kit/process.ts'
import { newHome } from '../kit/program.ts'
import { integratorNamed } from '../kit/sandbox/integrator.ts'
import { fileSandbox } from '../kit/sandbox/stand.ts'

// Processes of the built program, on a machine that may be busy with others.
test('sandbox start, killed under twelve clients at once: every order that it answered is in the ledger once', {
  timeout: 120_000,
}, async () => {
  const home = newHome()
  const sandbox = await fileSandbox(join(home, 'sandbox'), realClock)
  // Makes the keys, which the killed process then finds.
  await sandbox.integrator('sandbox')
  for (const killedAfter of [1, 30]) {
    const { child } = start(['sandbox', 'start', '--port', '0', '--json'], home)
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    const { url } = JSON.parse(line.toString()) as { url: string }
    const us = await integratorNamed(sandbox, url)
    const answered: string[] = []
    const ask = async () => {
      for (;;) {
        const integratorOrderId = randomUUID()
        const heard = await us.create({ integratorOrderId }).catch(() => null)
        if (heard === null) return
        expect(heard.code).toBeNull()
        answered.push(integratorOrderId)
        if (answered.length === killedAfter) child.kill('SIGKILL')
      }
    }
    await Promise.all(Array.from({ length: 12 }, ask))
    expect(answered.length).toBeGreaterThanOrEqual(killedAfter)
    const kept = (await sandbox.ledger()).orders.map(({ integratorOrderId }) => integratorOrderId)
    expect(kept.filter((id) => answered.includes(id)).toSorted()).toEqual(answered.toSorted())
    expect(new Set(kept).size).toBe(kept.length)
  }
})
