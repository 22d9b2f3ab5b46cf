import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import type { World } from '../../../src/lib/sandbox/accounts/world.ts'
import { exchangeAll } from '../../golden/exchange.ts'
import { loadPairs } from '../../golden/golden.ts'
import type { Values } from '../../golden/placeholder.ts'
import { fileSandbox, freshDirectory, served } from '../../kit/sandbox/stand.ts'

const folder = join(import.meta.dirname, '../../golden/area-a')

function valuesOf(world: World): Values {
  const [first, second] = world.distributorClients
  const [receiver] = world.receivers
  const from = second?.accounts.find((account) => account.currency === 'GEL' && !account.main)
  if (!first || !second || !receiver || !from) throw new Error('the world lacks somebody')
  return {
    client_id: first.clientId,
    client_secret: first.clientSecret,
    receiver_client_id: second.clientId,
    receiver_client_secret: second.clientSecret,
    receiver_id: receiver.receiverId,
    receiver_type: receiver.receiverType,
    from_iban: from.iban,
  }
}

for (const shape of ['documented', 'recorded'] as const) {
  test(`the server answers every golden exchange of area A in the ${shape} shape, byte for significant byte`, async () => {
    const sandbox = await fileSandbox(freshDirectory(), realClock)
    const { port } = await served(sandbox, { shape })
    const pairs = loadPairs(folder, shape)
    expect(pairs.length).toBeGreaterThan(15)
    const exchanged = await exchangeAll(pairs, { host: '127.0.0.1', port }, valuesOf(await sandbox.world()))
    expect(exchanged.flatMap(({ name, differences }) => differences.map((line) => `${name}: ${line}`))).toEqual([])
  })
}
