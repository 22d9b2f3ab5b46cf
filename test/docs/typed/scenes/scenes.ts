/** All scenes, the first one that plays a command's examples before those that would, too. */
import { inTopics, type Scene } from '../scene.ts'
import { batchesScene } from './batches.ts'
import { callbacksScene } from './callbacks.ts'
import { envelopesScene } from './envelopes.ts'
import { ordersScene, payerScene } from './orders.ts'
import { payoutsScene, resumeScene } from './payouts.ts'
import { profilesScene } from './profiles.ts'
import { sandboxScene } from './sandbox.ts'
import { shellsScene } from './shells.ts'
import { personsScene, teamScene } from './team.ts'
import { walletScene } from './wallet.ts'

/** Texts: they need nothing. */
const textsScene: Scene = { name: 'texts', of: inTopics('', 'commands', 'help', 'explain') }

export const scenes: readonly Scene[] = [
  ...[payoutsScene, resumeScene, ordersScene, payerScene, batchesScene, walletScene, callbacksScene, envelopesScene],
  ...[profilesScene, shellsScene, teamScene, personsScene, sandboxScene, textsScene],
]
