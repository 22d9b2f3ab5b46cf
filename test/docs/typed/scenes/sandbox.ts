/** The sandbox itself: its server, clock, faults and samples. */
import { inTopics, type Play, type Scene } from '../scene.ts'

const started: Play = { stays: 143, instead: { start: 'start --port 0' } }

export const sandboxScene: Scene = {
  name: 'the sandbox',
  of: inTopics('sandbox'),
  lines: {
    'paydesk sandbox start': started,
    'paydesk sandbox start --port 0 --json': { stays: 143 },
    'paydesk sandbox start --callbacks plain': started,
    'paydesk sandbox start --tls': started,
    'paydesk sandbox start --strict --provider directLinkProvider=BOG,TBC': started,
    'paydesk sandbox start --checkout-base https://pay.shop.example --allow-host pay.shop.example': started,
    'paydesk sandbox start --base-path /ecommerce-service --shape recorded': started,
    // Every third row is damaged on purpose.
    'paydesk sandbox sample --damaged | paydesk batch check -': { code: 2 },
    'paydesk sandbox clock set 2099-12-31T19:59:30Z': {
      before: (stage) => stage.done('paydesk sandbox reset --yes --json').then(() => undefined),
    },
    'paydesk sandbox fault clear 3': {
      before: async (stage) => {
        let id = ''
        for (let made = 0; made < 3; made += 1) {
          const told = await stage.done('paydesk sandbox fault add --op payout.create --at after --kind reset --json')
          id = String(told.id)
        }
        return { 'clear 3': `clear ${id}` }
      },
    },
  },
}
