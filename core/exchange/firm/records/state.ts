import type { Units } from '../../../money/brand.ts'
import type { TierNumber, UserId } from '../../../protocol/ids.ts'

/** What a firm has by its own terms. `tier`: its accounts pay at most the fees of this tier. `withdrawMax`: a UTC day, in USDT units. */
export type FirmTerms = { readonly tier: TierNumber; readonly withdrawMax: Units }

/** Firms: which accounts belong together, and what each firm has by its own terms. */
export class FirmState {
  /** Main account by account. A main account has itself. Nothing is ever taken out. */
  readonly mains = new Map<UserId, UserId>()
  /** By main account, in the order in which they joined. */
  readonly #accounts = new Map<UserId, UserId[]>()
  /** By main account. */
  readonly terms = new Map<UserId, FirmTerms>()

  join(user: UserId, main: UserId): void {
    this.mains.set(user, main)
    const accounts = this.#accounts.get(main)
    if (accounts === undefined) this.#accounts.set(main, [user])
    else accounts.push(user)
  }

  /** Main account of the user's firm; 0 for a person. */
  mainOf(user: UserId): UserId {
    return this.mains.get(user) ?? (0 as UserId)
  }

  /** Whether the user is an account of a firm, other than its main account. */
  isSub(user: UserId): boolean {
    const main = this.mainOf(user)
    return main !== 0 && main !== user
  }

  /** Whose limits as a customer the user's are: the firm's main account for all its accounts, a person for themselves. */
  customerOf(user: UserId): UserId {
    return this.mains.get(user) ?? user
  }

  /** The other accounts of the user's firm, in no particular order; none for a person. */
  othersOf(user: UserId): readonly UserId[] {
    return this.#accounts.get(this.mainOf(user))?.filter((other) => other !== user) ?? []
  }

  termsOf(user: UserId): FirmTerms | undefined {
    return this.terms.get(this.mainOf(user))
  }
}
