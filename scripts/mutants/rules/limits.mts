/** Numbers, time limits and checks at the edges: what is wrong there is not seen until it matters. */
import { command, lib } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

/** The flag --limit with its default. */
const atMost = (usual: number) => `Flags.integer({ description: 'at most so many', default: ${usual}, min: 1 })`

const repeat = lib('desk/line/repeat')

export const limits: readonly Mutant[] = [
  {
    name: 'a commit does not wait for the disk',
    rule: 'Files are durable: `synchronous=FULL`.',
    changes: [
      {
        in: 'openFile',
        find: "'pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 0'",
        put: "'pragma synchronous = normal; pragma foreign_keys = on; pragma busy_timeout = 0'",
      },
    ],
    killers: [lib('store/engine/open')],
  },
  {
    name: 'the quarter of an hour counts from the first attempt',
    rule: 'Until `absentAfter` has passed since the last attempt, a write without a trace is unknown.',
    changes: [{ in: 'ageOf', find: 'Math.min(...$passed)', put: 'Math.max(...$passed)' }],
    killers: [lib('desk/line/repeats')],
  },
  {
    name: 'a run gives free what another one holds',
    rule: 'A payment in flight is held by one run.',
    changes: [{ in: 'Journal.#heldAnew', find: 'row.holder === this.#holding.self', put: 'true' }],
    killers: [lib('journal/journal')],
  },
  {
    name: 'a wallet order is finalized up to its last second',
    rule: "The wallet's deadline is the five minutes less 5 s.",
    changes: [
      { in: 'knownWalletOrder', find: '(walletLifetime - walletDeadlineMargin) * 1000', put: 'walletLifetime * 1000' },
    ],
    killers: [command('wallet/finalize')],
  },
  {
    name: 'a lost finalize is repeated up to the last second',
    rule: "The wallet's deadline is the five minutes less 5 s, for what may be sent once more as well.",
    changes: [
      { in: 'mayBeSent', find: '(walletLifetime - walletDeadlineMargin) * 1000', put: 'walletLifetime * 1000' },
    ],
    killers: [lib('desk/line/repeats')],
  },
  {
    name: 'a Retry-After that is a date is not read',
    rule: '429: wait as Retry-After asks, in seconds or as a date.',
    changes: [{ in: 'askedPause', find: 'Date.parse(text)', put: 'Number.NaN' }],
    killers: [repeat],
  },
  {
    name: 'a service may ask for any pause',
    rule: '429: wait, 60 s at most.',
    changes: [{ in: 'longestAsked', find: '60_000', put: '600_000' }],
    killers: [repeat],
  },
  {
    name: 'only the first copy of a secret is hidden',
    rule: 'No secret of this run leaves it.',
    changes: [{ in: 'Secrets.hidden', find: 'merged(spans)', put: 'merged(spans).slice(0, 1)' }],
    killers: [lib('redact/secrets')],
  },
  {
    name: 'a zombie holds its payments',
    rule: 'A lease ends when its holder is gone.',
    changes: [{ in: 'startOf', find: '/[ZX]/.test(state)', put: '/[X]/.test(state)' }],
    killers: [lib('journal/holder')],
  },
  {
    name: 'how long opening takes tells whether the key came out',
    rule: 'The one failure of opening never says why.',
    changes: [
      { in: 'openAes', find: 'const bytes = decrypt($$given)', put: 'const bytes = symmetric && decrypt($$given)' },
    ],
    killers: [lib('envelope/envelope')],
  },
  {
    name: 'the pauses of a wait grow without end',
    rule: 'What is waited for is read every 5 s at least.',
    changes: [{ in: 'waitUntilFinal', find: 'Math.min(longestPause, $next)', put: '$next' }],
    killers: [lib('desk/line/poll')],
  },
  {
    name: 'an order can be paid as long as any other, whatever its validUntil',
    rule: 'An order expires at its validUntil.',
    changes: [
      {
        in: 'accepted',
        find: 'validUntil ?? now + unpaidOrderLifetime * 1000',
        put: 'now + unpaidOrderLifetime * 1000',
      },
    ],
    killers: [lib('sandbox/tables/limits')],
  },
  {
    name: 'an order with a validUntil ends with its first failed try',
    rule: 'A failed try leaves another chance until validUntil.',
    changes: [{ in: 'write', find: 'valid_until: terms.validUntil', put: 'valid_until: null' }],
    killers: [lib('sandbox/tables/payloads')],
  },
  {
    name: 'a connection may take ten times as long as help says',
    rule: 'connect 5 s, answer 30 s, a command 120 s.',
    changes: [{ in: 'usualSettings', find: 'connectTimeout: 5_000', put: 'connectTimeout: 50_000' }],
    killers: [lib('cli/flags/shared')],
  },
  {
    name: 'a lease is shorter than what it covers',
    rule: 'A run holds its payment as long as it may take, its last request included.',
    changes: [
      {
        in: 'heldFor',
        find: 'settings.timeout + settings.connectTimeout + settings.answerTimeout',
        put: 'settings.timeout',
      },
    ],
    killers: [lib('desk/line/repeats')],
  },
  {
    name: 'a connection may outlast its command',
    rule: 'All waiting lies inside --timeout.',
    changes: [{ in: 'exchange', find: 'Math.min(settings.connectTimeout, left)', put: 'settings.connectTimeout' }],
    killers: [lib('desk/line/exchange')],
  },
  {
    name: 'an answer may outlast its command',
    rule: 'All waiting lies inside --timeout.',
    changes: [{ in: 'exchange', find: 'Math.min(settings.answerTimeout, left)', put: 'settings.answerTimeout' }],
    killers: [lib('desk/line/exchange')],
  },
  {
    name: 'the log keeps a hundredth of what help says',
    rule: 'The newest 5,000 requests are kept.',
    changes: [{ in: 'newest', find: '5000', put: '50' }],
    killers: [lib('sandbox/log/log')],
  },
  {
    name: 'a text that breaks off in the middle of a secret shows its beginning',
    rule: 'No secret of this run leaves it, cut off or whole.',
    changes: [{ in: 'cutOff', find: '12', put: '1200' }],
    killers: [lib('cli/output/redact')],
  },
  {
    name: 'a sum that is also a short secret is told wrong',
    rule: 'Of fewer than eight letters a secret may stand in a sum by accident: a result is not touched.',
    changes: [{ in: 'shortestInResult', find: '8', put: '4' }],
    killers: [lib('cli/output/redact')],
  },
  ...(
    [
      ['journal list', 'JournalList.flags', 100, command('journal/list')],
      ['callback list', 'CallbackList.flags', 100, command('callback/list')],
      ['sandbox requests', 'SandboxRequests.flags', 50, command('sandbox/requests')],
    ] as const
  ).map(([name, symbol, usual, killer]) => ({
    name: `${name} shows ten without --limit`,
    rule: 'Lists have the default limit that help names.',
    changes: [{ in: symbol, find: atMost(usual), put: atMost(10) }],
    killers: [killer],
  })),
]
