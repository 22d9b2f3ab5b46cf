/** The built sandbox is stopped while the receiver of a callback hangs: the callback comes at least once. */
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { receiver } from '../kit/callback.ts'
import { start } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { integratorNamed } from '../kit/sandbox/integrator.ts'
import { until } from '../kit/tools.ts'
import { inSandbox } from '../kit/world.ts'

// Processes of the built program, on a machine that may be busy with others.
vi.setConfig({ testTimeout: 120_000 })

async function running(home: string, ...flags: string[]) {
  const { child, end } = start(['sandbox', 'start', '--port', '0', '--json', ...flags], home)
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  if (!child.stdout) throw new Error('it has no stdout')
  const [line] = await Promise.race([once(child.stdout, 'data'), end.then(({ stderr }) => Promise.reject(stderr))])
  return { child, end, url: (JSON.parse(String(line)) as { url: string }).url }
}

/** An order that was paid in another process, while a sandbox runs. */
async function paid(home: string, url: string, callbackUri: string): Promise<string> {
  return await inSandbox(home, async (sandbox) => {
    const order = await (await integratorNamed(sandbox, url)).created({ callbackUri })
    await sandbox.trigger({ what: 'paid', order })
    return order
  })
}

const rows = z.array(
  z.looseObject({ state: z.string(), attempts: z.array(z.looseObject({ why: z.string().nullable() })) }),
)

const underWay = { state: 'waiting', attempts: [{ why: expect.stringContaining('no end') }] }

const came = ({ arrived }: { readonly arrived: readonly unknown[] }, count: number) =>
  until(`${count} came`, () => arrived.length >= count)

const listed = async (home: string) => rows.parse((await paydesk(['sandbox', 'callbacks', '--json'], { home })).json)

test('sandbox start, killed while the receiver of a callback hangs and started again: delivered, and both attempts are listed', async () => {
  const home = newHome()
  const there = await receiver((_, count) => (count === 1 ? 'hang' : 200))
  const first = await running(home, '--callbacks', 'plain')
  const order = await paid(home, first.url, there.url)
  await came(there, 1)
  first.child.kill('SIGKILL')
  await first.end
  expect(await listed(home)).toMatchObject([underWay])
  const second = await running(home)
  await came(there, 2)
  await until('it was delivered', async () => (await listed(home))[0]?.state === 'delivered')
  expect((await listed(home))[0]?.attempts.map(({ why }) => why)).toEqual([expect.any(String), null])
  for (const { body } of there.arrived) expect(JSON.parse(body)).toMatchObject({ integratorOrderId: order })
  second.child.kill('SIGTERM')
  expect((await second.end).code).toBe(143)
})

test('sandbox start, ^C while the receiver of a callback hangs: ends (130) without waiting for it, and sends it again when started', async () => {
  const home = newHome()
  const there = await receiver(() => 'hang')
  const { child, end, url } = await running(home)
  await paid(home, url, there.url)
  await came(there, 1)
  expect((await paydesk(['sandbox', 'start', '--port', '0', '--callbacks', 'plain', '--json'], { home })).code).toBe(12)
  child.kill('SIGINT')
  expect((await end).code).toBe(130)
  // A server that had waited for the receiver, for ten seconds, would say that it did not answer.
  expect(await listed(home)).toMatchObject([underWay])
  expect(there.arrived).toHaveLength(1)
  // The one that was refused changed nothing.
  await paid(home, (await running(home)).url, there.url)
  await came(there, 3)
  for (const { body } of there.arrived) expect(body).toContain('encryptedData')
})
