/** Profiles of a service that is a running sandbox, and its tokens. */
import { inTopics, type Scene } from '../scene.ts'

interface World {
  readonly distributorClients: readonly { readonly clientId: string; readonly clientSecret: string }[]
}

export const profilesScene: Scene = {
  name: 'profiles',
  of: inTopics('profile', 'token', 'doctor'),
  set: async (stage) => {
    const { first } = await stage.start('paydesk sandbox start --port 0 --json')
    const { distributorClients } = await stage.done<World>('paydesk sandbox world --json')
    const [client] = distributorClients
    const { url } = JSON.parse(first) as { readonly url: string }
    stage.put('acme.secret', `${client?.clientSecret}\n`)
    const own = `--environment test --client-id ${client?.clientId} --client-secret-file acme.secret`
    await stage.done(`paydesk profile add acme --base-url ${url} ${own} --json`)
    // A program that keeps passwords, as far as the example asks it.
    stage.functions = 'pass() { cat acme.secret; }\n'
    return { 'https://pay.example.com': url, '3f0e…': String(client?.clientId), '~/acme.secret': 'acme.secret' }
  },
  lines: {
    // Without a terminal a profile is added by its flags.
    'paydesk profile add': { code: 2 },
    'paydesk profile add acme': { instead: { acme: 'new' }, code: 2 },
    'paydesk profile add acme --base-url https://pay.example.com --environment test --client-id 3f0e… --client-secret-file ~/acme.secret --use':
      { instead: { '--use': '--replace --use' } },
    'pass show acme | paydesk profile add acme --base-url https://pay.example.com --environment live --client-id 3f0e… --client-secret-stdin':
      {
        // No keyring belongs to a test.
        instead: { 'add acme': 'add acme-live', live: 'test', 'secret-stdin': 'secret-stdin --store-secrets' },
      },
    'paydesk profile check -p acme --part wallet': { code: 4 },
    'paydesk profile remove acme --yes': {
      before: async (stage) => {
        await stage.done('paydesk profile add leaving --environment test --base-url http://127.0.0.1:1 --json')
        return { acme: 'leaving' }
      },
    },
  },
}
