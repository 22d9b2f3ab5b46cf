/** Callbacks: a listener that has heard something and sent it on. */
import { receiver } from '../../../kit/callback.ts'
import { freePort, until } from '../../../kit/tools.ts'
import type { Scene } from '../scene.ts'

const order = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const anyPort = { stays: 143, instead: { listen: 'listen --port 0' } }

export const callbacksScene: Scene = {
  name: 'callbacks',
  of: (id) => id.startsWith('callback:'),
  set: async (stage) => {
    const [application, port] = [await receiver(), await freePort()]
    const to = `${application.url}/callback`
    await stage.start('paydesk sandbox start --port 0')
    const listener = await stage.start(`paydesk callback listen --port ${port} --forward-to ${to}`)
    const create = 'paydesk order create --amount 20 --receiver-id 5a9db0c0-0301-4a11-8c11-000000000301 --yes --json'
    await stage.done(`${create} --integrator-order-id ${order} --callback-uri http://127.0.0.1:${port}/callback`)
    await stage.done(`paydesk sandbox trigger paid --order ${order} --json`)
    let heard: readonly { readonly callbackId: string }[] = []
    await until('the callback has come and was sent on', async () => {
      heard = await stage.done<typeof heard>('paydesk callback list --json')
      return application.arrived.length > 0 && heard.length > 0
    })
    await listener.end()
    stage.put('hook.secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n')
    stage.put('body.json', '{}')
    await stage.done('paydesk key generate --private-key own.key --json')
    return {
      'cb-3f9a1c2b7d10': String(heard[0]?.callbackId),
      '-p acme': '-p sandbox',
      'http://127.0.0.1:3000/callback': to,
    }
  },
  lines: {
    'paydesk callback listen -p acme': anyPort,
    'paydesk callback listen --private-key own.key --forward-to http://127.0.0.1:3000/callback': anyPort,
    'paydesk callback listen --port 0 --json': { stays: 143 },
    // The sandbox signs nothing, and nobody signs an example.
    'paydesk callback verify cb-3f9a1c2b7d10 --secret-file hook.secret': { code: 5 },
    "paydesk callback verify --file body.json --header 'webhook-id: m1' --header 'webhook-timestamp: 1795168800' --header 'webhook-signature: v1,…' -p acme":
      { code: 4 },
  },
}
