/** A write that is called off, because its run slept or ended: what has not been executed stays here. */
import { expect, test } from 'vitest'
import { createWalletOrder } from '../../../src/lib/contract/wallet/wallet.ts'
import { submit } from '../../../src/lib/desk/submit.ts'
import { plain, scripted, success } from '../../kit/desk/scripted.ts'

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const identifier = '5a9db0c0-00aa-4a11-8c11-0000000000aa'
const request = { identifier, uniqueId: id, uri: `https://pay.invalid/?receiverId=${id}` }
const done = success(createWalletOrder, { uniqueId: id, amount: 5, status: 'REGISTERED' })

/** The end of a write that was turned away first, and asked to wait for twenty seconds. */
async function afterBusy(calledOff: 'never' | 'at once' | 'in the pause') {
  const scene = await scripted('wallet')
  scene.answers = [plain(429, '', { 'retry-after': '20' }), done]
  const pauseIsOver = scene.clock.now() + 20_000
  const submitting = submit(scene.desk, createWalletOrder, request, {
    calledOff: () => {
      if (calledOff === 'in the pause') return scene.clock.now() >= pauseIsOver
      return calledOff === 'at once' && scene.sent.length > 0
    },
  })
  const end = await submitting.then(
    () => 'done',
    () => 'failed',
  )
  const [intent] = await scene.journal.list({})
  const attempts = intent ? await scene.journal.attempts(intent) : []
  return { end, state: intent?.state, attempts: attempts.length, sent: scene.sent.length }
}

test('what was turned away is tried again, unless it is called off meanwhile', async () => {
  expect(await afterBusy('never')).toEqual({ end: 'done', state: 'accepted', attempts: 2, sent: 2 })
  expect(await afterBusy('at once')).toEqual({ end: 'failed', state: 'turned-away', attempts: 1, sent: 1 })
  expect(await afterBusy('in the pause')).toEqual({ end: 'failed', state: 'turned-away', attempts: 1, sent: 1 })
})
