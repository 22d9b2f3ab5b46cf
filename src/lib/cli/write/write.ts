/** A write from the command line on: the checked request, then a dry run of it, or consent and the work. */
import type { RequestOf, WriteOperation } from '../../contract/operation.ts'
import type { Desk } from '../../desk/desk.ts'
import { isBuiltIn } from '../../profile/built-in.ts'
import type { Profile } from '../../profile/profile.ts'
import { DeskAccess } from '../desk/desk.ts'
import { sameWrite } from '../desk/journal.ts'
import type { SharedFlags } from '../flags/shared.ts'
import { RequestFile } from '../input.ts'
import type { Capability, Invocation } from '../invocation.ts'
import { askForMissing } from '../prompts/ask.ts'
import type { DryRun } from '../unsent.ts'
import { type AgreedTo, consentOf, type Proposal } from './consent.ts'
import { type DryWish, dryRunOf } from './dry-run.ts'
import { type WriteFlags, wantsDryRun } from './flags.ts'
import { type RequestFields, type RequestMaker, refuseFlags, requestOf, type Wanted } from './request.ts'

interface Before {
  /** Lines that a person at the terminal is told besides. */
  readonly look?: (desk: Desk, request: RequestFields) => Promise<readonly string[]>
  readonly check?: (request: RequestFields, desk: (() => Promise<Desk>) | null) => Promise<void>
}

interface Asked {
  readonly look?: (request: RequestFields) => Promise<readonly string[]>
  readonly check?: (request: RequestFields) => Promise<void>
}

/** The complaint of a check about an answer, which names no flag; null where it passes. */
async function complaintAbout(check: () => Promise<void>): Promise<string | null> {
  const { complaintOf } = await import('./at-terminal.ts')
  const [said] = await complaintOf(check)
  return said === undefined ? null : `${said.replace(/^--amount /, '')}.`
}

export class WriteAccess implements Capability {
  readonly acts = true
  readonly desk: DeskAccess
  readonly #maker: RequestMaker
  /** The id of what the write is done to, once a person has typed it. */
  #answered: string | undefined

  constructor(invocation: Invocation) {
    const { line, edge } = invocation
    const typed = line.value('--file')
    const file = new RequestFile(typed, edge.stdin)
    const fileAt = (path: string) => (path === typed ? file : new RequestFile(path, edge.stdin))
    this.desk = new DeskAccess(
      invocation,
      sameWrite(fileAt, () => this.#answered),
    )
    this.#maker = { invocation, file, journal: () => this.desk.journal() }
    invocation.attach(this)
  }

  /** The profile of a payout; flags that are wrong for every profile are refused before the sandbox is opened. */
  async profile(operation: WriteOperation, flags: SharedFlags & WriteFlags): Promise<Profile> {
    if (isBuiltIn(await this.desk.profiles.name(flags))) refuseFlags(this.#maker.invocation, operation, flags)
    return this.desk.profile(flags, 'payouts')
  }

  /** The order that a word names, and the profile that it is the order of. Throws a Failure as `orderOfId`. */
  async order(flags: SharedFlags, id: string) {
    const profile = await this.desk.profile(flags, 'orders')
    const journal = await this.desk.journal()
    const { orderOfId } = await import('../../desk/orders.ts')
    return { profile, journal, found: await orderOfId({ profile, journal }, id) }
  }

  /** A person has typed the id of what the write is done to: however the command ends, it was about that. */
  isAbout(id: string): void {
    this.#answered = id
  }

  request<Op extends WriteOperation>(operation: Op, wanted: Wanted): Promise<RequestOf<Op>> {
    return requestOf(this.#maker, operation, wanted)
  }

  /** The request as it was agreed to. `look`: lines that a person is told besides; `check` throws for what can only fail. */
  consent<Op extends WriteOperation>(
    operation: Op,
    request: RequestOf<Op>,
    wish: Pick<Wanted, 'knows'> & Proposal,
    { look = async () => [], check = async () => undefined }: Asked = {},
  ): Promise<AgreedTo<RequestOf<Op>>> {
    const editor = async () => (await import('./at-terminal.ts')).editorOf(this.#maker, operation, wish, check)
    return consentOf(this.#maker, operation, request, wish, { look, editor })
  }

  /** The request as it would leave, or the refusal that the run would meet before it sends. Nothing is written. */
  async dryRun(operation: WriteOperation, request: RequestFields, wish: DryWish): Promise<DryRun> {
    return dryRunOf(this.#maker, operation, request, wish)
  }

  /** The whole way: the work begins when the request is agreed to; a dry run ends before that. */
  async run<Op extends WriteOperation, Result>(
    operation: Op,
    wish: Wanted & Proposal & { readonly flags: SharedFlags },
    work: (desk: Desk, request: RequestOf<Op>, wasSeen: boolean) => Promise<Result>,
    { look, check = async () => undefined }: Before = {},
  ): Promise<Result | DryRun> {
    const { flags, profile } = wish
    let opened: Promise<Desk> | null = null
    const desk = () => {
      opened ??= this.desk.openAs(profile, flags)
      return opened
    }
    const isDry = wantsDryRun(flags)
    // A sum that can only fail is asked for again.
    const ask: Wanted['ask'] = (asker, asked, members) =>
      askForMissing(asker, asked, members, {
        amount: { wrong: (amount) => complaintAbout(() => check({ ...members, amount }, isDry ? null : desk)) },
      })
    const typed = await this.request(operation, { ask, ...wish })
    await check(typed, isDry ? null : desk)
    if (isDry) return this.dryRun(operation, typed, wish)
    const { request, wasSeen } = await this.consent(operation, typed, wish, {
      look: async (asked) => (look ? look(await desk(), asked) : []),
      check: (asked) => check(asked, null),
    })
    return work(await desk(), request, wasSeen)
  }
}
