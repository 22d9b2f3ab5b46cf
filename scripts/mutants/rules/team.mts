/** One journal for many machines: the database's clock, leases that end by time, servers that lost something, and older builds. */
import { command, lib, playing, safety } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

const teamJournal = lib('journal/team')

export const team: readonly Mutant[] = [
  {
    name: 'a profile behind the letter of a switch does not name its store',
    rule: 'The store of the profile that a line names holds its payments, however it is spelled.',
    changes: [{ in: 'tokensOf', find: 'left.unshift(...leftOf($$found))', put: ';' }],
    killers: [lib('cli/flags/typed'), safety('typed-profile')],
  },
  {
    name: 'a profile that oclif reads otherwise is paid from the journal of another',
    rule: 'The profile that is used is the one by which the journal was chosen.',
    changes: [{ in: 'mustBeProfileOf', find: 'typed === profile', put: 'typed !== null' }],
    killers: [lib('cli/flags/typed')],
  },
  {
    name: 'the lease of another machine is read by the clock of this one',
    rule: 'Leases and windows count by the clock that all who write share.',
    changes: [
      { in: 'DatabaseClock.#now', find: 'return this.#reading.told + $since', put: 'return this.#machine.now()' },
    ],
    killers: [teamJournal],
  },
  {
    name: 'after a lease that ended by time a refund is sent again',
    rule: 'A process that nobody can look up may wake: only a service that recognises the id is asked again.',
    changes: [
      { in: 'isCleared', find: 'attempts <= clearance && !mayWake(intent, present)', put: 'attempts <= clearance' },
    ],
    killers: [teamJournal],
  },
  {
    name: 'what a transaction found that was undone is told',
    rule: 'The decision to send is made in the transaction that opens the attempt, on what it reads there.',
    changes: [{ in: 'together', find: 'tell = []', put: ';' }],
    killers: [teamJournal, lib('store/postgres/lost')],
  },
  {
    name: 'a transaction that died with its server stands by the number that another one has since',
    rule: 'A commit whose answer was lost stands only where its stamp does.',
    changes: [{ in: 'isCommitted', find: 'return hasStamp($$all)', put: 'return true' }],
    killers: [lib('store/postgres/lost'), playing('team', 1001)],
  },
  {
    name: 'a run sends to the last moment of its lease',
    rule: 'A holder sends no more a little before another machine may think that its lease is over.',
    changes: [{ in: 'isOverdue', find: '-holdReserve - milliseconds', put: '-milliseconds' }],
    killers: [teamJournal],
  },
  {
    name: 'a store that was restored is written on',
    rule: 'After a failover nothing is written until somebody has made sure.',
    changes: [
      {
        in: 'serverDoubt',
        find: 'if (system === present_system && $same) return null',
        put: 'if (system) return null',
      },
    ],
    killers: [command('team/confirm')],
  },
  {
    name: 'a store that is behind what a machine has seen is written on',
    rule: 'A store that was restored inside its server is not written until somebody has made sure.',
    changes: [{ in: 'StoreAsSeen.#objection', find: 'if ((links ?? 0) < seen.links) return $why', put: 'void links' }],
    killers: [safety('team-restored')],
  },
  {
    name: 'a store that was restored and has grown since is written on',
    rule: 'The newest link that a machine has seen is that link for ever.',
    changes: [{ in: 'isSameLink', find: 'hash.startsWith(seen.digits)', put: 'hash !== seen.digits' }],
    killers: [safety('team-restored')],
  },
  {
    name: 'tables that were made anew are written to as if they were the ones before',
    rule: 'Another store at an address is not written until somebody has made sure.',
    changes: [{ in: 'StoreAsSeen.#objection', find: 'if (!followed) return $why', put: 'void followed' }],
    killers: [safety('team-restored')],
  },
  {
    name: 'an older build sends under a newer schema',
    rule: 'A build that does not know the schema begins nothing new.',
    changes: [
      {
        in: 'Journal.#opening',
        find: 'if (this.#store.outdated) throw this.#store.outdated',
        put: 'if (this.#store.outdated) void 0',
      },
    ],
    killers: [teamJournal],
  },
  {
    name: 'an older build opens rows under a newer schema',
    rule: 'A build that does not know the schema begins nothing new.',
    changes: [{ in: 'Journal.constructor', find: 'failure ? $failed : $begun', put: '$begun' }],
    killers: [teamJournal],
  },
  {
    name: 'a clock of the database that is set makes a refund of another machine old',
    rule: 'A clock that is set makes no evidence older, in a team either.',
    changes: [{ in: 'ageOf', find: '(await knownFor($$of)) ?? sent', put: 'sent' }],
    killers: [safety('team-clock')],
  },
  {
    name: 'a clock of the database that is set makes a refund of this machine old',
    rule: 'A clock that is set makes no evidence older, in a team either.',
    changes: [{ in: 'ageOf', find: '!last || isOfThisStart($$of)', put: 'true' }],
    killers: [safety('team-clock')],
  },
  {
    name: 'a plan that workers have is denied by a command that ends early',
    rule: 'Whatever ends a command early, it denies nothing that others may be about to pay.',
    changes: [{ in: 'mayBeWorked', find: '(await plans.isHandedOver(planId))', put: 'false' }],
    killers: [command('worker/start')],
  },
  {
    name: 'an empty balance ends one chunk, and the fleet goes on',
    rule: 'The reason that ends a run ends the plan for every worker.',
    changes: [{ in: 'Worker.#ended', find: 'await this.#parts.fleet.stop($plan, $why, $kind)', put: 'null' }],
    killers: [command('worker/start')],
  },
  {
    name: 'what others of the team have paid today does not count',
    rule: 'People who share a store cannot exceed the limit of a day together.',
    changes: [{ in: 'shortagesOf', find: 'used + needed <= limit.most', put: 'needed <= limit.most' }],
    killers: [playing('team'), safety('team-store')],
  },
  {
    name: 'each worker has the whole rate for itself',
    rule: 'A rate is shared by the fleet.',
    changes: [{ in: 'Turns.pass', find: 'wait > 0', put: 'false' }],
    killers: [command('worker/start')],
  },
  {
    name: 'a run that slept does not ask whose its plan is',
    rule: 'A run that slept through its lease sends nothing more.',
    changes: [{ in: 'Lease.keep', find: 'await renew()', put: 'void renew' }],
    killers: [safety('batch-overslept'), lib('batch/run/lease')],
  },
  {
    name: 'a row leaves after the lease of its plan',
    rule: 'A run that slept through its lease sends nothing more.',
    changes: [{ in: 'Lease.keep', find: 'this.#age >= leaseTime - reserve', put: 'reserve < 0' }],
    killers: [lib('batch/run/lease')],
  },
  {
    name: 'a worker that slept sends what it had on its way',
    rule: 'A worker that may be taken for gone sends nothing more.',
    changes: [{ in: 'watched', find: 'steadyNow(clock) - last > overAfter', put: 'overAfter < 0' }],
    killers: [lib('fleet/watch')],
  },
  {
    name: 'a row that another write has the id of is no work for the fleet',
    rule: 'What was handed over is sent, or told.',
    changes: [{ in: 'rowsWithIntents', find: "$join.on('intents.operation', '=', client.operation)", put: '$join' }],
    killers: [lib('store/fleet/fleet')],
  },
  {
    name: 'a row whose key was refused with another body is no work for the fleet',
    rule: 'What was handed over is sent, or told.',
    changes: [
      {
        in: 'Fleet.handOver',
        find: 'this.#lookThrough(db, row, plan, true)',
        put: 'this.#lookThrough(db, row, plan, false)',
      },
    ],
    killers: [command('worker/start')],
  },
]
