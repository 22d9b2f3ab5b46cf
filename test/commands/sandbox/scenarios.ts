/** What the commands of the sandbox print as JSON about orders and time, for the test that holds it against their schemas. */
import { join } from 'node:path'
import { registerUser } from '../../../src/lib/contract/user.ts'
import { realClock } from '../../../src/lib/edge.ts'
import { openSandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { serve } from '../../../src/lib/sandbox/server.ts'
import { cachedPairs } from '../../kit/key-pairs.ts'
import { newHome, type Surroundings } from '../../kit/paydesk.ts'
import { callers, toIban } from '../../lib/sandbox/callers.ts'
import { integratorNamed, qrRequest, walletNamed, walletUser } from '../../lib/sandbox/integrator.ts'

type Print<Printed> = (argv: readonly string[], around: Surroundings) => Promise<Printed>

/** Their schemas, by the path of the command below src/commands. */
export const sandboxSchemas: Readonly<Record<string, readonly string[]>> = {
  'sandbox/clock/advance': ['sandbox-clock.json'],
  'sandbox/clock/set': ['sandbox-clock.json'],
  'sandbox/clock/show': ['sandbox-clock.json'],
  'sandbox/ledger': ['sandbox-ledger.json'],
  'sandbox/trigger': ['sandbox-trigger.json'],
  'sandbox/world': ['sandbox-world.json'],
}

/** The sandbox of a home, served for as long as the work takes. */
async function beside<Result>(
  home: string,
  work: (sandbox: Awaited<ReturnType<typeof openSandbox>>, url: string) => Promise<Result>,
): Promise<Result> {
  const sandbox = await openSandbox(join(home, 'sandbox'), realClock, cachedPairs)
  const server = await serve(sandbox)
  try {
    return await work(sandbox, server.url)
  } finally {
    await server.close()
    await sandbox.close()
  }
}

/** One of everything that a ledger can tell of. */
async function busyWorld(home: string): Promise<void> {
  await beside(home, async (sandbox, url) => {
    const { byIban } = await callers(sandbox)
    await byIban.create(toIban())
    await byIban.create(toIban({ description: 'sandbox:insufficient-balance' }))
    const us = await integratorNamed(sandbox, url)
    const plan = { interval: 'MONTHLY', intervalCount: 1, amount: 5 }
    const saved = await us.created({ amount: 0, saveCard: true, directLinkProvider: 'TBC', subscriptionPlan: plan })
    await sandbox.trigger({ what: 'paid', order: saved })
    await sandbox.trigger({ what: 'declined', order: await us.created() })
    await us.send(registerUser, { name: 'Nino' })
    const their = await walletNamed(sandbox, url)
    const { value } = await their.create(qrRequest(walletUser, '25.00'))
    await their.finalize(value.uniqueId, 25)
    await their.create('https://pay.example/pay')
  })
}

async function newOrder(home: string): Promise<string> {
  return await beside(home, async (sandbox, url) => (await integratorNamed(sandbox, url)).created())
}

export function sandboxScenarios<Printed>(
  print: Print<Printed>,
): Readonly<Record<string, () => Promise<readonly Printed[]>>> {
  return {
    'sandbox-world.json': async () => [await print(['sandbox', 'world'], { home: newHome(), random: cachedPairs })],
    'sandbox-ledger.json': async () => {
      const home = newHome()
      await busyWorld(home)
      return [await print(['sandbox', 'ledger'], { home }), await print(['sandbox', 'ledger'], { home: newHome() })]
    },
    'sandbox-clock.json': async () => {
      const around = { home: newHome() }
      return [
        await print(['sandbox', 'clock', 'show'], around),
        await print(['sandbox', 'clock', 'advance', '5m'], around),
        await print(['sandbox', 'clock', 'set', '2099-12-31 23:59:59'], around),
      ]
    },
    'sandbox-trigger.json': async () => {
      const around = { home: newHome() }
      const trigger = ['sandbox', 'trigger', 'paid', '--order']
      return [
        await print([...trigger, await newOrder(around.home)], around),
        await print([...trigger, await newOrder(around.home), '--card', 'declined'], around),
      ]
    },
  }
}
