/** Envelopes and keys. */
import { inTopics, type Scene } from '../scene.ts'

export const envelopesScene: Scene = {
  name: 'envelopes and keys',
  of: inTopics('envelope', 'key'),
  set: async (stage) => {
    await stage.done('paydesk key generate --private-key own.key --public-key service.pub --json')
    await stage.done('paydesk key generate --private-key old.key --json')
    const ids = '--integrator-id 7d1c2b3a-4f5e-4a6b-8c7d-9e0f1a2b3c4d --service-public-key service.pub'
    const profile = `--environment test --base-url http://127.0.0.1:1 ${ids} --private-key own.key`
    await stage.done(`paydesk profile add acme ${profile} --json`)
    const request = '--amount 12.50 --receiver-id 5a9db0c0-0301-4a11-8c11-000000000301 --dry-run --json'
    const { payload } = await stage.done(`paydesk order create -p sandbox ${request}`)
    stage.put('order.json', JSON.stringify(payload))
    const sealed = (layout: string, file: string) =>
      stage.type(`paydesk envelope seal --public-key service.pub --layout ${layout} <order.json >${file}`)
    await sealed('four-fields', 'envelope.json')
    await sealed('four-fields', 'answer.json')
    const { stdout } = await stage.type('paydesk envelope seal --public-key service.pub --layout query <order.json')
    await stage.type('cp own.key pasted.txt; cp own.key own.pem; rm -f service.pub.old')
    const query = stdout.trim()
    return { "'encryptedData=…'": `'${query}'`, 'identifier=…&encryptedData=…&encryptedKeys=…&aes=true': query }
  },
  lines: {
    'paydesk key generate --private-key own.key --public-key own.pub': {
      instead: { 'own.key': 'new.key', 'own.pub': 'new.pub' },
    },
    'paydesk key import pasted.txt --to service.pub': { instead: { 'service.pub': 'imported.pub' } },
  },
}
