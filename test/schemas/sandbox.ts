/** What the commands of the sandbox print as JSON about orders and time, for the test that holds it against their schemas. */
import { createPublicKey } from 'node:crypto'
import { join } from 'node:path'
import { createOrder } from '../../src/lib/contract/order/order.ts'
import { registerUser } from '../../src/lib/contract/user.ts'
import { realClock } from '../../src/lib/edge.ts'
import { openSandbox } from '../../src/lib/sandbox/sandbox.ts'
import { serve } from '../../src/lib/sandbox/server/server.ts'
import { cachedPairs } from '../kit/key-pairs.ts'
import { newHome, type Surroundings } from '../kit/program.ts'
import { callers, toIban } from '../kit/sandbox/callers.ts'
import { Integrator, integratorNamed, qrRequest, walletNamed, walletUser } from '../kit/sandbox/integrator.ts'

type Print<Printed> = (
  argv: readonly string[],
  around: Surroundings,
  expected?: { readonly code?: number },
) => Promise<Printed>

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

async function newOrder(home: string, callbackUri?: string): Promise<string> {
  return await beside(home, async (sandbox, url) => (await integratorNamed(sandbox, url)).created({ callbackUri }))
}

/** One callback that was tried and waits for its next attempt, and one that was played. */
async function refusedCallback(home: string): Promise<void> {
  const order = await newOrder(home, 'http://127.0.0.1:1/paid')
  await beside(home, async (sandbox) => {
    await sandbox.trigger({ what: 'paid', order })
    await new Promise<void>((resolve) => {
      const answer = { status: 503, headers: {}, body: '' }
      const transport = async () => ({ kind: 'answered', answer, milliseconds: 3 }) as const
      const courier = sandbox.callbacks.courier({ transport, onAttempt: () => resolve(courier.close()) })
    })
    await sandbox.trigger({ what: 'callback', order, set: ['status=FAILED'] })
  })
}

/** An order, one whose answer a fault changed, and two envelopes that do not open: one is sealed to its own sender. */
async function askedThings(home: string): Promise<void> {
  await beside(home, async (sandbox, url) => {
    const us = await integratorNamed(sandbox, url)
    await us.created({ amount: '12.50' })
    await sandbox.faults.add({ op: 'order.create', at: 'after', kind: 'html502' })
    await us.send(createOrder, us.order())
    await us.send(createOrder, 'not JSON')
    await new Integrator(url, { ...us.party, toService: createPublicKey(us.party.own) }).create()
  })
}

export function sandboxScenarios<Printed>(
  print: Print<Printed>,
): Readonly<Record<string, () => Promise<readonly Printed[]>>> {
  return {
    'sandbox-world.json': async () => {
      const around = { home: newHome(), random: cachedPairs }
      const keys = ['--env', 'sandbox', '--keys', join(around.home, 'keys')]
      return [await print(['sandbox', 'world'], around), await print(['sandbox', 'world', ...keys], around)]
    },
    'sandbox-ledger.json': async () => {
      const home = newHome()
      await busyWorld(home)
      return [await print(['sandbox', 'ledger'], { home }), await print(['sandbox', 'ledger'], { home: newHome() })]
    },
    'sandbox-callbacks.json': async () => {
      const home = newHome()
      await refusedCallback(home)
      const empty = await print(['sandbox', 'callbacks'], { home: newHome() })
      return [await print(['sandbox', 'callbacks'], { home }), empty]
    },
    'sandbox-openapi.json': async () => [await print(['sandbox', 'openapi'], { home: newHome() })],
    'sandbox-clock.json': async () => {
      const around = { home: newHome() }
      return [
        await print(['sandbox', 'clock', 'show'], around),
        await print(['sandbox', 'clock', 'advance', '5m'], around),
        await print(['sandbox', 'clock', 'set', '2099-12-31 23:59:59'], around),
      ]
    },
    'sandbox-requests.json': async () => {
      const home = newHome()
      await askedThings(home)
      const narrow = ['--operation', 'order.create', '--code', '6010', '--order', '5a9db0c0', '--limit', '1']
      return [
        await print(['sandbox', 'requests'], { home }),
        await print(['sandbox', 'requests', ...narrow], { home }),
        await print(['sandbox', 'requests'], { home: newHome() }),
      ]
    },
    'sandbox-request.json': async () => {
      const home = newHome()
      await askedThings(home)
      const one = (id: number) => print(['sandbox', 'requests', '--id', String(id)], { home })
      return [await one(1), await one(2), await one(3), await one(4)]
    },
    'sandbox-trigger.json': async () => {
      const around = { home: newHome() }
      const trigger = ['sandbox', 'trigger', 'paid', '--order']
      return [
        await print([...trigger, await newOrder(around.home)], around),
        await print([...trigger, await newOrder(around.home), '--card', 'declined'], around),
        await print([...trigger, await newOrder(around.home, 'http://127.0.0.1:1/')], around),
      ]
    },
  }
}
