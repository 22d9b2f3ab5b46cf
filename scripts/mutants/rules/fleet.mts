/** A team at work: answers that its store could not take, and plans that many pay at once. */
import { command, lib, safety } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

export const fleet: readonly Mutant[] = [
  {
    name: 'a worker keeps what it could not give free',
    rule: "What a worker could not give free while the store was away is anybody's when its lease is over.",
    changes: [{ in: 'HeldRows.giveFree', find: 'await this.#leave().catch(() => null)', put: '0' }],
    killers: [safety('team-keeps')],
  },
  {
    name: 'a worker gives free what is on its way',
    rule: "What a worker could not give free while the store was away is anybody's when its lease is over.",
    changes: [{ in: 'leaveHeld', find: 'certainlyPassed({ iso: held_until, steady }, present) >= 0', put: 'true' }],
    killers: [lib('journal/hold/left')],
  },
  {
    name: 'what a worker lost stays with it',
    rule: "What a worker could not give free while the store was away is anybody's when its lease is over.",
    changes: [{ in: 'leaveHeld', find: 'unmoved.has($$state) ? noHold : $left', put: 'noHold' }],
    killers: [lib('journal/hold/left')],
  },
  {
    name: 'a refusal that comes while the store is away is lost',
    rule: 'No reading of the journal stands between an answer and its verdict.',
    changes: [
      {
        in: 'Run.#answered',
        find: 'return besideRead($$rest)',
        put: 'await knownOf(desk, this.#intent, number); return besideRead($$rest)',
      },
    ],
    killers: [safety('answers-kept')],
  },
  {
    name: 'a reading beside a code that fails takes the code with it',
    rule: 'A code that proves something only beside a read is kept as no definite answer where that fails.',
    changes: [{ in: 'besideRead', find: "return { kind: 'unknown', ...$$rest }", put: 'throw error' }],
    killers: [safety('answers-kept')],
  },
  {
    name: 'what is left of a plan is weighed by itself when its approval is over',
    rule: 'Four eyes on a plan are asked for to its last row.',
    changes: [{ in: 'wholeOf', find: 'plan?.totals ?? {}', put: '{}' }],
    killers: [lib('journal/approvals/approvals'), safety('four-eyes')],
  },
  {
    name: 'rows of a plan count against it twice',
    rule: 'The rows of a plan before one are a part of it, and not added to it.',
    changes: [
      { in: 'wholeReached', find: 'reachedBy(rules, whole, maker, [])', put: 'reachedBy(rules, whole, maker, day)' },
    ],
    killers: [lib('journal/approvals/approvals')],
  },
  {
    name: 'a worker holds limits and rules against its own rows alone',
    rule: 'A plan that is held is held whole, by workers, too.',
    changes: [{ in: 'heldAtAll', find: '(await parts.heldOf?.()) ?? heldWhole(parts)', put: 'heldWhole(parts)' }],
    killers: [safety('fleet/whole')],
  },
  {
    name: 'an open row lets a plan be handed over unlooked',
    rule: 'A plan that is held is held whole, by workers, too.',
    changes: [{ in: 'runWhole', find: 'flags.workers || !hasRepeats(before)', put: '!hasRepeats(before)' }],
    killers: [safety('fleet/whole')],
  },
  {
    name: 'a plan that workers were held by ends as one that was not sent',
    rule: 'The reason of a worker has the exit code of every run.',
    changes: [{ in: 'stopOf', find: 'kind ? $failure : $enough', put: '$enough' }],
    killers: [safety('fleet/whole')],
  },
  {
    name: 'a plan ends while a killed worker has a row of it',
    rule: 'The rows of a worker that was killed come back when their leases end.',
    changes: [{ in: 'Fleet.#lookThrough', find: '$over && !(await hasLeased($$all))', put: '$over' }],
    killers: [safety('fleet/whole')],
  },
  {
    name: 'an older worker stops the plan for the fleet',
    rule: 'A build that does not know the schema begins nothing new, and decides nothing for those that do.',
    changes: [{ in: 'Fleet.stop', find: 'if (this.#store.outdated) return this.#store.outdated', put: ';' }],
    killers: [safety('fleet/whole')],
  },
  {
    name: 'a worker counts from the answer that it slept over',
    rule: 'A worker that slept looks whose plan it is before its next row.',
    changes: [{ in: 'watched', find: 'last = Math.max(last, asked)', put: 'last = steadyNow(clock)' }],
    killers: [lib('fleet/watch')],
  },
  {
    name: 'a worker that slept before its first row sends it unlooked',
    rule: 'A worker that slept looks whose plan it is before its first row.',
    changes: [{ in: 'watched', find: 'let last = since', put: 'let last = steadyNow(clock)' }],
    killers: [lib('fleet/watch')],
  },
  {
    name: 'a look that failed is kept',
    rule: 'A worker whose store was away pays its plan when the store is back.',
    changes: [{ in: 'WholePlans.of', find: 'this.#looks.delete(planId)', put: ';' }],
    killers: [lib('fleet/whole-plans')],
  },
  {
    name: 'what a run has still to send is told as not sent',
    rule: 'While a run or workers may send, nobody says that no money moves.',
    changes: [{ in: 'kindOfWait', find: '(goesOn && unsent > 0)', put: 'false' }],
    killers: [safety('team-plans')],
  },
  {
    name: 'the address of a store leads where its parameters say',
    rule: 'What goes to another machine is encrypted, and one store has one place.',
    changes: [{ in: 'strangeParameter', find: '!parameters.includes(name) || $twice', put: '$twice' }],
    killers: [lib('store/postgres/address')],
  },
  {
    name: 'a payment that was sent from both is brought along under another spelling of its service',
    rule: 'A journal is brought along whole, and nothing of it that the team has sent.',
    changes: [{ in: 'knownAmong', find: 'if (there) return there', put: ';' }],
    killers: [command('journal/import')],
  },
  {
    name: 'a command without time waits for the lock for ever',
    rule: 'A command ends in its time, whoever has the lock of the store.',
    changes: [{ in: 'settingsFor', find: 'Math.max(1, Math.ceil(patience))', put: 'Math.floor(patience)' }],
    killers: [lib('store/postgres/store')],
  },
  {
    name: 'what a process has in flight is brought along before its answer',
    rule: 'A journal is brought along when all of it is settled.',
    changes: [{ in: 'mustBeSettled', find: 'held.length + unknown.length === 0', put: 'unknown.length === 0' }],
    killers: [command('journal/import')],
  },
  {
    name: 'rows that a killed worker has still leased stop the plan for the fleet',
    rule: 'A row that another process has in flight says nothing of the line.',
    changes: [
      {
        in: 'saidOfLine',
        find: "$failure?.kind === 'locked'",
        put: 'false',
      },
    ],
    killers: [lib('batch/run/stop'), safety('fleet/left-behind')],
  },
  {
    name: 'a worker whose note fails keeps its chunk for ever',
    rule: 'What was handed over is sent, or told.',
    changes: [{ in: 'Worker.#next', find: 'await presence.end(job)', put: ';' }],
    killers: [safety('fleet/left-behind')],
  },
  {
    name: 'a machine without a way to the service stops the plan for the fleet',
    rule: 'The trouble of one machine ends no work of the others.',
    changes: [{ in: 'leftBy', find: 'reason.isOfHere ? $trouble : null', put: 'null' }],
    killers: [safety('fleet/left-behind')],
  },
  {
    name: 'a session that may lose commits is written on',
    rule: 'Nothing is sent whose intent a crash could take away.',
    changes: [{ in: 'TeamStore.#within', find: 'keepingDoubt($$own) ?? $other', put: '$other' }],
    killers: [safety('team-keeps')],
  },
  {
    name: 'a plan that was paid is denied by a word about its approval',
    rule: 'Whatever ends a command early, it denies nothing that was paid.',
    changes: [{ in: 'ApprovalAccess.placed', find: 'return withMoneyOfPlans($$all)', put: 'return failure' }],
    killers: [command('approval/money')],
  },
  {
    name: 'what a plan has sent today is added to it when its approval is over',
    rule: 'The rows of a plan before one are a part of it, and not added to it.',
    changes: [{ in: 'wholeReached', find: 'rules.filter($$fewer)', put: 'rules' }],
    killers: [command('approval/plan-left')],
  },
  {
    name: 'turns that a worker could not use are made up for',
    rule: 'Behind a pause or a stall a fleet sends no more than its rate says.',
    changes: [{ in: 'Turns.#next', find: 'this.#clock.now() - turn <= this.#late', put: 'true' }],
    killers: [lib('fleet/turns')],
  },
  {
    name: 'repeats take no turn of the fleet',
    rule: 'The rate of a fleet is that of all its requests.',
    changes: [
      { in: 'pacing', find: 'await unlessAbandoned(turns.pass(until), until).catch($left)', put: 'void turns' },
    ],
    killers: [safety('fleet/rate')],
  },
]
