/** The payees of a profile, held against beneficiaries: the known name with another account is the classic of fraud. */
import { plainName, sameName } from '../../person-name.ts'
import type { Payee } from './payees.ts'

/** A payee that is known otherwise than it is named now. */
export interface PayeeAlarm {
  readonly says: string
  /** The accounts or the name that are known. */
  readonly known: readonly string[]
  /** All of it. */
  readonly inWords: string
}

function alarm(says: string, known: readonly string[]): PayeeAlarm {
  return { says, known, inWords: `${says}: ${known.join(', ')}` }
}

/** The payees of a profile, asked about one beneficiary after the other. */
export class KnownPayees {
  readonly #byAccount: ReadonlyMap<string, Payee>
  readonly #byName = new Map<string, Payee[]>()

  constructor(payees: readonly Payee[]) {
    this.#byAccount = new Map(payees.map((payee) => [payee.account, payee]))
    for (const payee of payees) {
      const name = plainName(payee.name)
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), payee])
    }
  }

  get isEmpty(): boolean {
    return this.#byAccount.size === 0
  }

  has(account: string): boolean {
    return this.#byAccount.has(account)
  }

  /** Null where neither name nor account is known with another. */
  alarm({ name, account }: { readonly name: string | null; readonly account: string }): PayeeAlarm | null {
    if (name === null) return null
    const own = this.#byAccount.get(account)
    if (own && sameName(own.name, name)) return null
    if (own) return alarm('this account is known as that of another payee', [own.name])
    const others = (this.#byName.get(plainName(name)) ?? []).map((each) => each.account)
    return others.length === 0 ? null : alarm(`${name} is known with another account`, others)
  }
}
