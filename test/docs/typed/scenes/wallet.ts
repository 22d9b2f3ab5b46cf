/** Bank-wallet orders. */
import { inTopics, type Play, type Scene } from '../scene.ts'
import type { Stage } from '../stage.ts'

const uri = 'https://pay.example/pay?qrType=DEFAULT&receiverType=USER&receiverId=5a9db0c0-0311-4a11-8c11-000000000311'
const example = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'

let made = 0

async function scanned(stage: Stage): Promise<string> {
  made += 1
  await stage.done(`paydesk wallet create --uri "${uri}" --key till-${made} --yes --json`)
  return `till-${made}`
}

const onNew = (named: string): Play => ({ before: async (stage) => ({ [named]: await scanned(stage) }) })

export const walletScene: Scene = {
  name: 'the wallet',
  of: inTopics('wallet'),
  set: async (stage) => {
    stage.put('scanned.json', JSON.stringify({ uri }))
    const asked = `${uri.replace('DEFAULT', 'REQUEST')}&amount=25.00&currency=GEL`
    await stage.done(`paydesk wallet create --uri "${asked}" --unique-id ${example} --yes --json`)
    return {}
  },
  lines: {
    [`paydesk wallet cancel ${example} --yes`]: onNew(example),
    'paydesk wallet cancel till-3:receipt-812 --yes --json': onNew('till-3:receipt-812'),
    'paydesk wallet finalize --key till-3:receipt-812 --amount 7.50 --final-status SUCCESS --yes --json':
      onNew('till-3:receipt-812'),
  },
}
