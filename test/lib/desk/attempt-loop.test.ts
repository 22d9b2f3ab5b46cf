/** A write that waits for its turn: its lease outlasts its answer; and one that is called off: what has not been executed stays here. */
import { expect, test } from 'vitest'
import { createWalletOrder } from '../../../src/lib/contract/wallet/wallet.ts'
import type { Desk } from '../../../src/lib/desk/desk.ts'
import { submit } from '../../../src/lib/desk/submit.ts'
import type { Failure } from '../../../src/lib/failure.ts'
import { plain, scripted, success } from '../../kit/scripted.ts'

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const identifier = '5a9db0c0-00aa-4a11-8c11-0000000000aa'
const request = { identifier, uniqueId: id, uri: `https://pay.invalid/?receiverId=${id}` }
const done = success(createWalletOrder, { uniqueId: id, amount: 5, status: 'REGISTERED' })

/** Seconds of a hold: those of the command, of the last answer, and of the difference between two clocks. */
const usualHold = 158
const longestAnswer = 35

/** Seconds from the request to the end of the hold on it. `meanwhile` is done when it has waited. */
async function sentAfter(
  seconds: number,
  meanwhile: (desk: Desk) => Promise<unknown> = async () => undefined,
  settings: Partial<Desk['settings']> = {},
) {
  const scene = await scripted('wallet')
  scene.answers = [done]
  let waited = 0
  const held: number[] = []
  const desk: Desk = {
    ...scene.desk,
    settings: { ...scene.desk.settings, ...settings },
    transport: async (...given) => {
      const [intent] = await scene.journal.list({})
      held.push(Math.round((Date.parse(intent?.leaseUntil ?? '') - scene.clock.now()) / 1_000))
      return scene.desk.transport(...given)
    },
    place: {
      get waited() {
        return waited
      },
      within: async (work) => {
        await scene.clock.sleep(seconds * 1_000)
        waited += seconds * 1_000
        await meanwhile(scene.desk)
        return work()
      },
      sentAgain: () => undefined,
    },
  }
  const failure = await submit(desk, createWalletOrder, request).then(
    () => null,
    (error: Failure) => error,
  )
  return { held, failure }
}

test('one that did not wait long is held as it was when it was opened', async () => {
  expect(await sentAfter(0)).toEqual({ held: [usualHold], failure: null })
  expect(await sentAfter(50)).toEqual({ held: [usualHold - 50], failure: null })
})

// Nothing is left to chance between the look at the hold and the first byte.
test.each([usualHold - longestAnswer - 50, usualHold - longestAnswer, usualHold, 9_999])(
  'one that waited for %i s is held anew before it leaves',
  async (seconds) => {
    expect(await sentAfter(seconds)).toEqual({ held: [usualHold], failure: null })
  },
)

test.each([300, 2_000, 3_000])('one with %i ms in all is held for longer than it needs', async (timeout) => {
  const settings = { timeout, connectTimeout: 100, answerTimeout: 200 }
  const { held, failure } = await sentAfter(0, undefined, settings)
  expect({ times: held.length, failure }).toEqual({ times: 1, failure: null })
})

test('one that another run has taken meanwhile does not leave', async () => {
  const { held, failure } = await sentAfter(9_999, async ({ journal }) => {
    const [intent] = await journal.list({})
    if (intent) await journal.release(intent)
  })
  expect(held).toEqual([])
  expect(failure?.kind).toBe('locked')
})

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
