/** A refund has no id at the service. */
import { expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { chargeCard, foreignOrder, handDesk, handOrder, type Said, type SealedCall } from '../kit/service.ts'
import { type MemoryDesk, memoryDesk } from './memory-desk.ts'

const ruleBreach: Said = { code: 6097, group: 2 }
const lost: Said = { plain: 'reset' }
const unreadable: Said = { plain: { status: 503, body: '{}' } }
const unknownOrder: Said = { code: 6005, group: 5 }
const busy = (seconds: number): Said => ({
  plain: { status: 429, headers: { 'retry-after': `${seconds}` }, body: '{"message":"busy"}' },
})
const elsewhere: Said = { plain: { status: 307, headers: { location: '/elsewhere' }, body: '' } }

const order = (status: string, more: object = {}): Said => ({
  value: { integratorOrderId: handOrder, uniqueId: handOrder, status, ...more },
})
const requested = order('REFUND_REQUESTED')
const partly = 'PARTIALLY_REFUNDED'

/** What the service does with one refund, and says of it. */
interface Answer {
  readonly says?: Said
  /** It is executed: its order reads this from now on. */
  readonly executes?: string
  /** From now on the order cannot be read. */
  readonly blinds?: true
  /** Happens before it is answered. */
  readonly meanwhile?: readonly Step[]
}

type Told = Pick<MemoryDesk, 'run' | 'skip' | 'count'>

interface Scene extends Told {
  shown: Said
  answers: Answer[]
  /** Happens before the next read is answered, which shows the order as it was before that. */
  duringRead: readonly Step[]
  executed: number
  journalIds: Map<string, string>
}

type Step = (scene: Scene) => unknown

/** An exit code; `undecided`: 7 or 9, neither done nor denied; `no`, `open`: by whatever code, no money moved, or that is unknown. */
type Outcome = number | 'undecided' | 'no' | 'open'

async function follow(scene: Scene, steps: readonly Step[]) {
  for (const step of steps) await step(scene)
}

async function begin(
  make: (answering: (call: SealedCall) => Promise<Said>) => Promise<Told> = memoryDesk,
): Promise<Scene> {
  const state = { shown: order('SUCCESS'), answers: [] as Answer[], duringRead: [] as readonly Step[], executed: 0 }
  const desk = await make(async ({ name, request }): Promise<Said> => {
    const isToBePaid = request.cardToken === undefined
    if (name === 'order.create' && isToBePaid)
      return { value: { integratorOrderId: handOrder, urlForQR: 'https://pay.example/1' } }
    if (name === 'order.create' || name === 'order.complete') return order('SUCCESS')
    if (name !== 'order.refund') {
      const [before, steps] = [scene.shown, scene.duringRead]
      scene.duringRead = []
      await follow(scene, steps)
      return before
    }
    const { says = ruleBreach, executes, blinds, meanwhile = [] } = scene.answers.shift() ?? {}
    if (executes) {
      scene.executed += 1
      scene.shown = order(executes)
    }
    await follow(scene, meanwhile)
    if (blinds) scene.shown = unreadable
    return says
  })
  const scene: Scene = Object.assign(state, desk, { journalIds: new Map<string, string>() })
  return scene
}

const history = (title: string, ...steps: readonly Step[]) => test(title, async () => follow(await begin(), steps))

/** From now on the order reads so. */
const reads =
  (shown: Said | string): Step =>
  (scene) => {
    scene.shown = typeof shown === 'string' ? order(shown) : shown
  }
const later: Step = ({ skip }) => skip(20 * 60_000)
const status: Step = ({ run }) => run('order', 'status', handOrder)
const charge = chargeCard()
const charged: Step = async ({ run }) => expect((await run(...charge)).code).toBe(0)
/** An order of this journal that was read as paid. */
const paid: Step = (scene) => follow(scene, [charged, status])

interface Wish {
  readonly key?: string
  readonly amount?: string
  readonly answers?: readonly Answer[]
  /** In the words of its end. */
  readonly tells?: string | RegExp
  /** It is allowed beside the refund of that key. */
  readonly besides?: string
  readonly retry?: string
  readonly hints?: string
}

const refund =
  (outcome: Outcome, { key = 'R', amount = '5', answers = [], tells = '', besides, retry, hints }: Wish = {}): Step =>
  async (scene) => {
    scene.answers.push(...answers)
    const allowed = besides === undefined ? [] : ['--allow-duplicate', scene.journalIds.get(besides) ?? '']
    const line = ['order', 'refund', handOrder, '--amount', amount, '--key', key, '--yes', ...allowed]
    const ended = await scene.run(...line)
    mustBe(ended, outcome)
    const error = ended.code === 0 ? ended.json : ended.error
    scene.journalIds.set(key, String(error.journalId))
    if (tells !== '') expect(error.message).toMatch(tells)
    if (retry) expect(error.retry).toBe(retry)
    if (hints) expect(String(error.hints)).toContain(hints)
  }

function mustBe(ended: Awaited<ReturnType<Scene['run']>>, outcome: Outcome) {
  const { code, stdout, stderr } = ended
  if (typeof outcome === 'number') expect(code, stdout + stderr).toBe(outcome)
  if (outcome === 'undecided') expect([7, 9], stdout + stderr).toContain(code)
  if (outcome === 'undecided' || outcome === 'open' || outcome === 9)
    expect(ended.error.moneyMoved, stderr).toBe('unknown')
  if (outcome === 'no' || outcome === 5 || outcome === 11) expect(ended.error.moneyMoved, stderr).toBe('no')
}

const resume =
  (outcome: Outcome, key = 'R'): Step =>
  async ({ run }) =>
    mustBe(await run('resume', key, '--yes'), outcome)
/** A person says how it ended. */
const settle =
  (word: 'executed' | 'refused', key = 'R'): Step =>
  async ({ run }) =>
    mustBe(await run('resume', key, '--settle', word, '--because', 'the portal says so', '--yes'), 0)

/** How many refunds reached the service. */
const sent =
  (count: number): Step =>
  (scene) =>
    expect(scene.count('order.refund')).toBe(count)
const executed =
  (count: number): Step =>
  (scene) =>
    expect(scene.executed).toBe(count)

const executedAnd = (says: Said, more: Answer = {}): Answer => ({ executes: partly, says, ...more })

// The answer of the refund itself.

history(
  'order refund: executed and answered 6097, and its order reads PARTIALLY_REFUNDED: a conflict, not sent again',
  ...[paid, refund('undecided', { answers: [executedAnd(ruleBreach)] }), refund('undecided'), sent(1)],
)

for (const [how, says] of [
  ['answered 6097 while its order cannot be read', ruleBreach],
  ['turned away (429)', busy(600)],
] as const)
  history(
    `order refund: executed and ${how}: not sent again`,
    ...[paid, refund('no', { answers: [executedAnd(says, { blinds: true })] }), reads(partly)],
    ...[refund('undecided'), refund('undecided'), executed(1), sent(1)],
  )

for (const shown of ['SUCCESS', partly])
  history(
    `order refund: executed and answered 6006 beside ${shown}, in which a refund is possible: not denied`,
    ...[reads(shown), paid, refund('undecided', { answers: [{ executes: shown, says: { code: 6006, group: 2 } }] })],
    ...[refund('undecided'), executed(1)],
  )

history(
  'order refund: an order that the service does not know (6005) is not found (6), as often as it is asked for',
  reads(unknownOrder),
  ...[1, 2, 3].map(() => refund(6, { answers: [{ says: unknownOrder }] })),
)

// Refused in words, in a success (service.md#seen-since).

const cannot = (status: string, more: object = {}): Said =>
  order(status, { errorMessage: `You can't refund order with status: ${status}`, ...more })
const completed: Step = async ({ run }) =>
  expect((await run('order', 'complete', handOrder, '--amount', '5', '--yes')).code).toBe(0)

for (const status of ['INITIAL', 'WAITING_FOR_CONFIRM', 'TO_BE_SIGNED', 'SUCCESS', 'FAILED', 'EXPIRED'])
  history(
    `order refund: an errorMessage beside ${status}, which its order reads, too, is a refusal (5) in those words`,
    ...[reads(status), refund(5, { answers: [{ says: cannot(status) }], tells: status }), sent(1)],
  )

for (const [how, says] of [
  ['REFUND_REQUESTED', cannot('REFUND_REQUESTED')],
  ['PARTIALLY_REFUNDED', cannot(partly)],
  ['REFUNDED_FAILED', cannot('REFUNDED_FAILED')],
  ['REFUNDED_BY_INTEGRATOR', order('REFUNDED_BY_INTEGRATOR', { errorMessage: 'Order is already fully refunded' })],
  ['a status that nobody knows', cannot('SOMETHING')],
  ['the number of a transaction', cannot('SUCCESS', { transactionId: new JsonNumber('17') })],
  ['a code', cannot('SUCCESS', { errorCode: new JsonNumber('6054') })],
  ['another order', cannot('SUCCESS', { integratorOrderId: foreignOrder })],
  ['another sum', cannot('SUCCESS', { amount: new JsonNumber('6.00') })],
  ['no words', order('SUCCESS', { errorMessage: ' ' })],
] as const)
  history(
    `order refund: an errorMessage beside ${how} proves nothing (9)`,
    ...[paid, refund(9, { answers: [{ says }] }), refund('undecided'), sent(1)],
  )

for (const [how, says] of [
  ['in words', cannot('WAITING_FOR_CONFIRM')],
  ['by 6006', { code: 6006, group: 2 }],
] as const) {
  history(
    `order refund: after a completion its order still reads WAITING_FOR_CONFIRM: refused ${how} (5), and sent once it is paid`,
    ...[reads('WAITING_FOR_CONFIRM'), completed, refund(5, { answers: [{ says }] })],
    ...[reads('SUCCESS'), later, refund(0, { answers: [executedAnd(requested)] }), executed(1)],
  )
}

history(
  'order refund: another refund is known and the order cannot be read: not sent (11), and sent once it can be read',
  ...[paid, refund(0, { key: 'Q', answers: [executedAnd(requested)] }), status, reads(unreadable)],
  refund(11, { tells: /order\.status/, retry: 'same-id' }),
  ...[reads(partly), refund(0, { answers: [executedAnd(requested)] }), executed(2)],
)

history(
  'order refund: executed and turned away (429): its order is read before the same run repeats it, and it is not',
  ...[paid, refund('undecided', { answers: [executedAnd(busy(1))] }), executed(1), sent(1)],
)

history(
  'order refund: turned away (429), and the next read is older than the one before it: not repeated (11)',
  ...[reads(partly), status],
  async (scene) => {
    scene.answers.push({ executes: 'SUCCESS', says: busy(1) })
    expect((await scene.run('order', 'refund', handOrder, '--amount', '5', '--key', 'R', '--yes')).code).not.toBe(0)
  },
  refund(11, { tells: 'reads SUCCESS, which is older than what is known here' }),
  executed(1),
)

for (const [how, says] of [
  ['429', busy(1)],
  ['429, for later', busy(600)],
  ['307', elsewhere],
] as const)
  history(
    `order refund: executed and turned away (${how}) of an order that read PARTIALLY_REFUNDED before: unknown (9)`,
    ...[reads(partly), status],
    async (scene) => {
      scene.answers.push(executedAnd(says))
      expect((await scene.run('order', 'refund', handOrder, '--amount', '5', '--key', 'R', '--yes')).code).not.toBe(0)
    },
    ...[refund(9), later, refund('undecided'), sent(1)],
  )

history(
  'order refund: turned away (429) of an order that read PARTIALLY_REFUNDED before: sent again once a person says "refused"',
  ...[reads(partly), status, refund(9, { answers: [{ says: busy(1) }], tells: 'turned away' }), settle('refused')],
  ...[refund(0, { answers: [executedAnd(requested)] }), executed(1)],
)

// A refusal that was honest.

history(
  'order refund: refused (5) and explained by another refund of this journal: stays refused, also when a copy lags',
  ...[paid, refund(0, { key: 'Q', answers: [executedAnd(requested)] }), status, refund(5)],
  ...[reads('SUCCESS'), status, reads(partly), status, refund(5)],
)

for (const [whose, first] of [
  ['this journal', paid],
  ['another machine', status],
] as const)
  history(
    `order refund: refused (5) beside a refund on its way, of an order of ${whose}: sent when asked for after that has ended`,
    ...[first, refund(0, { key: 'Q', answers: [{ executes: 'REFUND_REQUESTED', says: requested }] })],
    ...[reads(partly), status, refund(5), status, refund(0, { answers: [executedAnd(requested)] }), executed(2)],
  )

history(
  'order refund: refused (5) of an order that another machine refunded in part: sent when asked for again',
  ...[reads(partly), status, refund(5), status, refund(0, { answers: [executedAnd(requested)] })],
)

history(
  'order refund: refused (5), and another process reads its trace later: a conflict, not sent again',
  ...[charged, refund(5), reads(partly), status, refund('undecided'), sent(1)],
)

// Two refunds of one order.

history(
  'order refund: the trace of a second refund is not explained by the end of the first: a conflict',
  ...[charged, refund(0, { key: 'Q', answers: [{ says: requested }] }), reads(partly), status],
  refund('undecided', { answers: [{ meanwhile: [reads('REFUND_REQUESTED'), status] }] }),
  ...[refund('undecided'), sent(2)],
)

// A lost answer.

for (const reader of ['order status', 'the run itself'])
  history(
    `order refund: lost after its order read PARTIALLY_REFUNDED, read by ${reader}: a lagging copy (SUCCESS) does not deny it`,
    ...[reads(partly), paid, refund('undecided', { answers: [executedAnd(lost)] })],
    ...[...(reader === 'order status' ? [status] : []), reads('SUCCESS'), later],
    ...[resume('undecided'), refund('undecided'), executed(1)],
  )

for (const reader of ['order status', 'resume'])
  history(
    `order refund: lost and read as REFUNDED_FAILED by ${reader}: a later SUCCESS does not deny it`,
    ...[paid, refund('undecided', { answers: [{ executes: 'SUCCESS', says: lost }] }), reads('REFUNDED_FAILED')],
    async (scene) => (reader === 'resume' ? scene.run('resume', 'R') : status(scene)),
    ...[reads('SUCCESS'), status, later, resume('undecided'), refund('undecided'), executed(1)],
  )

for (const [who, settling] of [
  ['a read', async ({ run }: Scene) => void (await run('resume', 'R'))],
  ['a person', settle('refused')],
] as const)
  history(
    `order refund: lost and denied by ${who}, then somebody else refunds: unknown until a person says "refused"`,
    ...[paid, refund('undecided', { answers: [{ says: lost }] }), later, settling, reads(partly)],
    refund('undecided', { tells: `${partly}, which does not tell whether the one whose answer was lost` }),
    ...[resume('undecided'), refund('undecided'), sent(1), settle('refused')],
    ...[refund(0, { answers: [executedAnd(requested)] }), executed(1)],
  )

/** A command that reads the trace of a lost refund. */
const readers: readonly (readonly [string, Said, Step])[] = [
  ['resume', requested, async ({ run }) => void (await run('resume', 'R', '--yes'))],
  ['order status, with another sum', order('REFUND_REQUESTED', { amount: new JsonNumber('7.50') }), status],
  ['order status, with blanks around its id', order(partly, { integratorOrderId: ` ${handOrder}` }), status],
  ['order diff', requested, async ({ run }) => void (await run('order', 'diff', handOrder))],
  // That one is refused before it is sent.
  ['another refund', requested, refund(5, { key: 'S', amount: '7' })],
]
for (const [reader, trace, reading] of readers)
  history(
    `order refund: lost, its trace read by ${reader}, then SUCCESS or 6005 is read: stays unknown (9), not sent again`,
    ...[charged, reads(unreadable), refund(9, { answers: [{ says: lost }] }), reads(trace), reading],
    ...[reads('SUCCESS'), later, resume(9), refund(9), reads(unknownOrder), later, resume(9), refund(9), sent(1)],
  )
const unknownRefund = refund(9, { answers: [executedAnd(lost)] })

history(
  'order refund: the same sum under another key while a refund is unknown: a duplicate (7), not sent, and resume is advised',
  ...[paid, unknownRefund, refund(7, { key: 'S', hints: 'paydesk resume j-' }), sent(1)],
)

const beside: readonly (readonly [string, string, (key: string) => readonly string[]])[] = [
  [
    'its own line',
    'the same was sent before',
    (key) => ['order', 'refund', handOrder, '--amount', '5', '--key', key, '--yes'],
  ],
  ['resume', 'the same was sent before', (key) => ['resume', key, '--yes']],
  // The other one is told.
  ['resume --all', 'its outcome is still unknown', () => ['resume', '--all', '--yes']],
]
for (const [by, tells, line] of beside)
  history(
    `order refund: turned away (429), then the same sum under another key is unknown: not sent by ${by} (7 or 9)`,
    ...[paid, refund(5, { answers: [{ says: busy(600) }] }), refund(9, { key: 'S', answers: [executedAnd(lost)] })],
    async (scene) => {
      const ended = await scene.run(...line('R'))
      mustBe(ended, 'undecided')
      expect(ended.error.message).toContain(tells)
    },
    sent(2),
  )

// Behind a refund that was told as not executed, and that is there by a read since: it lost its answer, and ran late.

const late: readonly Step[] = [
  refund(9, { key: 'Q', answers: [{ says: lost }] }),
  ...[later, resume(5, 'Q'), reads(partly)],
]

for (const [by, amount] of [
  ['the read before it', '5'],
  ['the read before it', '3'],
  ['order status', '5'],
  ['order status', '3'],
] as const)
  history(
    `order refund: GEL ${amount} beside a refund that was denied and is shown by ${by}: a duplicate (7), not sent`,
    ...late,
    async ({ run }) => {
      if (by !== 'order status') return
      const { warnings } = (await run(...['order', 'status', handOrder])).json
      expect(warnings).toEqual([expect.stringMatching(/^its order\.refund is in conflict/)])
    },
    ...[1, 2].map(() => async (scene: Scene) => {
      const tells = String(scene.journalIds.get('Q'))
      await refund('undecided', { amount, tells, retry: 'never' })(scene)
    }),
    ...[refund('undecided', { key: 'Q' }), sent(1)],
  )

history(
  'order refund: --allow-duplicate beside a refund that was denied and is shown: sent',
  ...[...late, refund(0, { besides: 'Q', answers: [{ says: requested }] }), sent(2)],
)

for (const word of ['executed', 'refused'] as const)
  history(
    `order refund: beside a refund that was denied and is shown, and that a person called ${word}: sent`,
    ...[...late, refund(7), settle(word, 'Q')],
    // The same status says nothing new.
    async ({ run }) => expect((await run('order', 'status', handOrder)).json).toMatchObject({ warnings: [] }),
    ...[refund(0, { answers: [{ says: requested }] }), sent(2)],
  )

test('order refund, the real command: executed and answered 6097: a conflict, not sent again', async () => {
  const scene = await begin(handDesk)
  const [once, again] = [refund('undecided', { answers: [executedAnd(ruleBreach)] }), refund('undecided')]
  await follow(scene, [paid, once, again, sent(1)])
})

test('order refund, the real command: lost, and its trace read by `api GET`: a later SUCCESS does not deny it', async () => {
  const scene = await begin(handDesk)
  const read = ['api', 'GET', `/api/integrator/order/status?integratorOrderId=${handOrder}`, '--part', 'orders']
  await follow(scene, [charged, reads(unreadable), refund('undecided', { answers: [{ says: lost }] }), reads(partly)])
  expect((await scene.run(...read)).code).toBe(0)
  await follow(scene, [reads('SUCCESS'), later, resume('undecided'), refund('undecided'), sent(1)])
})
