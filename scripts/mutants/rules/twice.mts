/** Requests that something on the way sends twice: the second answer comes back, or both. */
import { command, lib, safety } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

export const twice: readonly Mutant[] = [
  {
    name: 'a run does not look at what was paid since its file was planned',
    rule: 'A row without a key is looked at once more before it is paid on a live profile.',
    changes: [{ in: 'paidSince', find: "own.desk.profile.environment !== 'live'", put: 'true' }],
    killers: [safety('batch-paid-since')],
  },
  {
    name: 'two wordings of a mended file are both planned under one name',
    rule: 'A plan of the same name with rows to pay is named before another is made.',
    changes: [{ in: 'noticesOf', find: 'noting.hasKeyless ? $left : []', put: '[]' }],
    killers: [safety('batch-paid-since')],
  },
  {
    name: 'a plan does not see a conflict as a payout alike',
    rule: 'A taken id proves that someone executed it.',
    changes: [{ in: 'mayHaveRun', find: 'sent.has(state) || isTaken', put: 'sent.has(state)' }],
    killers: [command('batch/plan')],
  },
  {
    name: 'a taken id at the first attempt is told as "not moved"',
    rule: 'A taken id proves that someone executed it.',
    changes: [{ in: 'duplicate', find: "moneyMoved: 'unknown'", put: "moneyMoved: 'no'" }],
    killers: [safety('sent-twice')],
  },
  {
    name: 'the id of a conflict is sent again with another sum',
    rule: 'A conflict keeps the body that was sent.',
    changes: [
      {
        in: 'consider',
        find: '$unmoved && isRefused && !intent.isTaken',
        put: 'unmoved.has(intent.state) && isRefused',
      },
    ],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a completion that is refused took no money, although the order is paid',
    rule: 'A refusal does not deny what a read shows.',
    changes: [
      {
        in: 'besideStatus',
        find: '!refusals.shows(status) && !refusals.says.includes(code)',
        put: "refusals.means === 'conflict'",
      },
    ],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a code that says by itself that it is done is a refusal',
    rule: 'A refusal that says that it is done denies nothing.',
    changes: [
      {
        in: 'besideStatus',
        find: '!refusals.shows(status) && !refusals.says.includes(code)',
        put: '!refusals.shows(status)',
      },
    ],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a refund that is refused is believed, although money went back',
    rule: 'A refusal does not deny what a read shows.',
    changes: [{ in: 'refundOrder', find: 'shows: refundRan', put: 'shows: () => false' }],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a refund is sent while another one is under way',
    rule: 'Nothing is sent of which a refusal would tell nothing.',
    changes: [{ in: 'Run.#attempts', find: 'if (end) $stop', put: ';' }],
    killers: [safety('sent-twice')],
  },
  {
    name: 'one read takes back what was answered as paid',
    rule: 'A read that says otherwise takes no money back.',
    changes: [{ in: 'disputedIn', find: 'ownContradiction(row)', put: 'null' }],
    killers: [safety('taken-back'), safety('doubt-kept')],
  },
  {
    name: 'a payment that has ended is open again after an old read',
    rule: 'An end is not taken back by what came before it.',
    changes: [{ in: 'isNews', find: 'paymentEnd(standing, status) !== null', put: 'true' }],
    killers: [safety('taken-back')],
  },
  {
    name: 'a refusal that nothing can be read beside is believed',
    rule: 'A refusal that says "not any more" proves something only beside a read.',
    changes: [
      {
        in: 'besideStatus',
        find: 'if (status === null) $unknown',
        put: 'if (status === null) return refused',
      },
    ],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a cancellation that is refused is refused, although the order is cancelled',
    rule: 'A cancellation that a read shows is done.',
    changes: [{ in: 'outcomeOf', find: "verdict.shown.isDone ? 'exists' : 'refused'", put: "'refused'" }],
    killers: [safety('sent-twice')],
  },
  {
    name: 'an answer on a kept connection is believed without its probe',
    rule: 'An answer that does not say whose it is proves nothing on a connection that carries several.',
    changes: [{ in: 'keepingTransport', find: 'asked ? $proof : $alone', put: 'true' }],
    killers: [lib('http/kept/keeping'), safety('batch-lines')],
  },
  {
    name: 'a probe that went over another connection proves the answer',
    rule: 'An answer that does not say whose it is proves nothing on a connection that carries several.',
    changes: [{ in: 'Kept.isLast', find: 'connection !== this.#last', put: 'false' }],
    killers: [lib('http/kept/keeping')],
  },
  {
    name: 'nobody listens behind a probe',
    rule: 'A refusal is believed only if nothing stands behind it.',
    changes: [{ in: 'Kept.isLast', find: '!(await connection.saysMore($time, $signal))', put: 'true' }],
    killers: [lib('http/kept/keeping'), safety('batch-lines')],
  },
  {
    name: 'a probe that ends with an error proves the answer',
    rule: 'An answer that does not say whose it is proves nothing on a connection that carries several.',
    changes: [{ in: 'keepingTransport', find: '() => false', put: '() => true' }],
    killers: [lib('http/kept/keeping')],
  },
  {
    name: 'nobody listens behind a refusal',
    rule: 'A refusal is believed only if nothing stands behind it.',
    changes: [{ in: 'alone', find: '(await $more) ? answeredTwice : transmission', put: 'transmission' }],
    killers: [lib('http/socket'), safety('two-answers')],
  },
  {
    name: 'what stands in one packet with a refusal is not heard',
    rule: 'A refusal is believed only if nothing stands behind it.',
    changes: [{ in: 'Overheard.unshift', find: 'this.#hear(bytes)', put: 'void bytes' }],
    killers: [lib('http/socket'), safety('two-answers')],
  },
  {
    name: 'a refusal settles by itself',
    rule: 'A refusal is believed only if nothing stands behind it.',
    changes: [
      {
        in: 'settles',
        find: "if (read.kind !== 'answer') return false",
        put: "if (read.kind !== 'answer') return true",
      },
    ],
    killers: [safety('two-answers')],
  },
  {
    name: 'a refusal of another thing is believed',
    rule: 'A refusal that names another id is no answer to the request.',
    changes: [{ in: 'ofThisRequest', find: 'why === null ? read : $doubt', put: 'read' }],
    killers: [safety('two-answers')],
  },
  {
    name: 'a refused cancellation denies a payment that was lost',
    rule: 'Nothing about a thing whose payment is unknown is told as "nothing moved".',
    changes: [{ in: 'inLightOfStatus', find: 'await openBesides(desk, intent)', put: 'null' }],
    killers: [safety('cancel-refused')],
  },
  {
    name: 'a cancellation that came too late denies a payment that was lost',
    rule: 'Nothing about a thing whose payment is unknown is told as "nothing moved".',
    changes: [{ in: 'toldBefore', find: 'await openBesides(desk, intent)', put: 'null' }],
    killers: [safety('cancel-refused')],
  },
  {
    name: 'a cancellation that left no trace denies a payment that was lost',
    rule: 'Nothing about a thing whose payment is unknown is told as "nothing moved".',
    changes: [{ in: 'expectNoMore', find: 'open !== null', put: 'false as boolean' }],
    killers: [safety('cancel-refused')],
  },
  {
    name: 'a cancellation that was sent twice is refused beside a read that lags behind',
    rule: 'A refusal that its own read contradicts may be the second answer.',
    changes: [{ in: 'cancellationRefusals', find: "['INITIAL']", put: '[]' }],
    killers: [safety('cancel-refused')],
  },
  {
    name: 'a deletion that was sent twice is refused beside a read that lags behind',
    rule: 'A refusal that its own read contradicts may be the second answer.',
    changes: [{ in: 'deletionRefusals', find: 'ofStatus: $status', put: 'ofStatus: null' }],
    killers: [safety('cancel-refused')],
  },
]
