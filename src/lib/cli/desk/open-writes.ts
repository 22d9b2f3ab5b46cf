/** Writes that are to be resolved, each with the desk of the profile that sent it: the one that is named, or every unknown one. */
import { requireIntent } from '../../desk/payouts.ts'
import { Desks, describeOthers, type Named } from '../../desk/resume.ts'
import { findByName } from '../../journal/find.ts'
import type { Intent } from '../../journal/intent.ts'
import { isEvery, isNamed } from '../../profile/choose.ts'
import { storeNamed } from '../../profile/named-store.ts'
import { Profiles } from '../../profile/profiles.ts'
import { isSameStore } from '../../store/postgres/address.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { DeskAccess } from './desk.ts'
import { anyOpen } from './journal.ts'

export class OpenWrites {
  readonly #invocation: Invocation
  readonly #desk: DeskAccess

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#desk = new DeskAccess(invocation, anyOpen)
  }

  desks(flags: SharedFlags): Desks {
    return new Desks((profile, part) => this.#desk.open({ ...flags, profile }, part))
  }

  /** The present moment by the journal's clock, in milliseconds since 1970. */
  async now(): Promise<number> {
    return (await this.#desk.journal()).moment.now
  }

  /** The one that an id or a key means. Throws a Failure: usage, where the profile or the journal has none. */
  async named(id: string, flags: SharedFlags): Promise<Named> {
    const known = await findByName(await this.#desk.journal(), id)
    const byName = isNamed({ flag: flags.profile, env: this.#invocation.edge.env })
    const usual = this.#desk.profiles.name(flags)
    const profile = await (byName || known.by === null ? usual : usual.catch(() => null))
    const found = await this.desks(flags).named(id, known, { profile, isNamed: byName })
    if (found) return found
    // The journal knows nothing of it; this says so in the words of a profile.
    const desk = await this.#desk.open(flags, 'payouts')
    return { desk, intent: await requireIntent(desk, id) }
  }

  /**
   * All unknown intents of the profile, or of every profile (null), the oldest first. Reports those that are left to other profiles.
   */
  async every(
    flags: SharedFlags & { readonly all: boolean },
  ): Promise<{ readonly open: Intent[]; readonly profile: string | null }> {
    const { edge, output } = this.#invocation
    const open = (await (await this.#desk.journal()).list({ states: ['unknown'] })).toReversed()
    const isAll = flags.all && isEvery({ flag: flags.profile, env: edge.env })
    const only = isAll ? null : await this.#desk.profiles.name(flags)
    const meant = open.filter(({ profile }) => only === null || profile === only)
    if (isAll) for (const name of await this.#inOtherStores()) output.warn(inOtherStore(name))
    for (const left of describeOthers(open.filter((intent) => !meant.includes(intent)))) output.warn(left)
    return { open: meant, profile: only }
  }

  /** Profiles whose payments are not in the journal that is open. */
  async #inOtherStores(): Promise<readonly string[]> {
    const { config, team } = this.#invocation.places
    const { names } = await new Profiles(config).read()
    return names.filter((name) => {
      const found = storeNamed(config, name)
      return found !== null && (team === null || !isSameStore(found.address, team))
    })
  }
}

function inOtherStore(name: string): string {
  return `the payments of ${name} stand in a store of its own, which was not asked: paydesk resume --all -p ${name}`
}
