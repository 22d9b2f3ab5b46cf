/** One payment, one id, recorded before it is sent, and sent again only where that is known to be harmless. */
import { command, everyWrite, lib, playing, safety, simulate } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

export const once: readonly Mutant[] = [
  {
    name: 'a repeat goes out under a new id',
    rule: 'Every repeat carries the id of the first attempt.',
    changes: [
      {
        in: 'Run.#answered',
        find: 'exchange($desk, $operation, $request, $$more)',
        put: 'exchange($desk, $operation, this.#unanswered === 0 || $operation.idField === null ? $request : { ...$request, [$operation.idField]: $desk.random.uuid() }, $$more)',
      },
    ],
    killers: [safety('faults'), simulate],
  },
  {
    name: 'a --key stands for a new id every time',
    rule: 'The same --key is the same id, on every machine.',
    changes: [{ in: 'identified', find: 'await idForKey($$whose)', put: 'invocation.edge.random.uuid()' }],
    killers: [command('payout/create-twice'), safety('fifty')],
  },
  {
    name: 'a finalize is sent under another id',
    rule: 'What names a payment to the service names it in the journal.',
    changes: [{ in: 'finalizeWalletOrder', find: "idField: 'uniqueId'", put: 'idField: null' }],
    killers: [simulate],
  },
  {
    name: 'the intent is committed after it was sent',
    rule: 'Intent and attempt are durable before a socket opens.',
    changes: [
      {
        in: 'sendOnce',
        find: 'const $begun = await journal.begin($$draft)',
        put: ';(globalThis.early ??= new WeakMap()).set(desk, await exchange(desk, operation, request, token, deadline))\n$all',
        imports: ['exchange'],
      },
      {
        in: 'Run.#answered',
        find: 'const $read = await exchange($desk, $$more)',
        put: 'const early = globalThis.early.get($desk)\nglobalThis.early.delete($desk)\nconst $read = early ?? (await exchange($desk, $$more))',
      },
    ],
    killers: [safety('kill'), simulate],
  },
  {
    name: 'another body goes out under an id that may have been executed',
    rule: 'An id keeps its body unless every attempt was refused or never left.',
    changes: [
      {
        in: 'mayBeMended',
        find: "$outcome === 'refused' || $outcome === 'unsent'",
        put: "$outcome !== 'accepted'",
      },
    ],
    killers: [command('payout/create-twice'), lib('journal/verdict')],
  },
  {
    name: 'a lost refund is sent once more',
    rule: 'A write that the service would not recognise is never repeated.',
    changes: [{ in: 'never', find: "unanswered: 'stop'", put: "unanswered: 'repeat'" }],
    killers: [everyWrite, simulate],
  },
  {
    name: 'a lost charge of a card token is sent once more',
    rule: 'A charge of a saved card is never repeated.',
    changes: [{ in: 'charge', find: "unanswered: 'stop'", put: "unanswered: 'repeat'" }],
    killers: [everyWrite],
  },
  {
    name: 'a PUT is repeated as often as any read',
    rule: 'A finalize without an answer is repeated once.',
    changes: [{ in: 'Run.#mayRepeatUnanswered', find: '$unanswered <= 1', put: 'true' }],
    killers: [everyWrite],
  },
  {
    name: 'a run that wakes after its time sends',
    rule: 'Deadline and hold are looked at right before the first byte.',
    changes: [
      {
        in: 'Run.#answered',
        find: 'exchange($desk, $operation, $request, $token, $deadline, $leaving)',
        put: 'exchange($desk, $operation, $request, $token, $deadline)',
      },
    ],
    killers: [playing('asleep')],
  },
  {
    name: 'a repeat goes out on a connection of others',
    rule: 'A repeat has a connection of its own.',
    changes: [{ in: 'Run.#answered', find: 'number === 1 ? { shares: $id } : {}', put: '{ shares: $id }' }],
    killers: [safety('batch-lines')],
  },
  {
    name: 'a connection is used again after an answer that does not say whose it is',
    rule: 'The copy of one answer is never taken for the answer to another request.',
    changes: [{ in: 'keepingTransport', find: 'isOwn($answer, $shares)', put: 'true' }],
    killers: [lib('http/kept/keeping'), safety('batch-lines')],
  },
  {
    name: 'connections are kept after one has ended under a request',
    rule: 'A service that ends a connection behind its answer takes one request with it at most.',
    changes: [{ in: 'keepingTransport', find: 'if ($unanswered) isKept = false', put: ';' }],
    killers: [lib('http/kept/keeping')],
  },
  {
    name: 'a request that was given up leaves when a connection stands',
    rule: 'Nothing leaves after its time.',
    changes: [{ in: 'Carriage.onRequestStart', find: 'this.#isOver ? $givenUp : $asked', put: '$asked' }],
    killers: [lib('http/carry')],
  },
  {
    name: 'a group opens a row whose key is in flight elsewhere',
    rule: 'Each of several is decided on as if it were alone.',
    changes: [{ in: 'plainAmong', find: 'new Set(known)', put: 'new Set<string>()' }],
    killers: [lib('journal/together/together')],
  },
  {
    name: 'a group opens two rows of one id',
    rule: 'Each of several is decided on as if it were alone.',
    changes: [{ in: 'plainAmong', find: 'met.add($name)', put: 'void $name' }],
    killers: [lib('journal/together/together')],
  },
  {
    name: 'a group is opened though it does not fit the limits all together',
    rule: 'The transaction that opens an attempt decides whether it fits.',
    changes: [{ in: 'plainAmong', find: 'if ($shortages.length > 0) return none', put: ';' }],
    killers: [lib('journal/together/together')],
  },
  {
    name: 'a group is not compared with payments alike',
    rule: 'A duplicate is refused.',
    changes: [{ in: 'isLike', find: '$isOfOne && !isGuarded && $same', put: '$isOfOne && $same' }],
    killers: [lib('journal/together/together')],
  },
  {
    name: 'a group is told before it is durable',
    rule: 'Intent and attempt are durable before the first byte, and an outcome before it is told.',
    changes: [
      {
        in: 'Gathering.#seeToAll',
        find: 'ends.push(await seeTo(db))',
        put: '(await seeTo(db))()',
      },
    ],
    killers: [lib('journal/together/together')],
  },
  {
    name: 'a redirect is followed',
    rule: 'A request goes to the address of the profile and to no other.',
    changes: [
      {
        in: 'carriedAlone',
        find: 'carried($agent, $$more)',
        put: 'carried($agent.compose(interceptors.redirect({ maxRedirections: 3 })), $$more)',
        imports: ['interceptors from undici'],
      },
    ],
    killers: [lib('http/socket'), command('payout/create'), command('profile/check')],
  },
]
