import type { Session } from '../ports.ts'
import { Refused } from '../refused.ts'

/** How long a session is trusted without another look-up, from the begin of the last. A revocation message ends it at once. */
const believedMs = 5_000
const keptMax = 100_000

type Known = { readonly session: Session; readonly until: number }

/**
 * Sessions in memory, so that an order needs no query. Only existing sessions are kept: made-up tokens are looked up each time
 * and are limited per address.
 */
export class Sessions {
  readonly #lookup: (token: string) => Promise<Session | undefined>
  readonly #known = new Map<string, Known>()
  readonly #now: () => number
  /** Counts revocations: a session looked up before a revocation may have been ended by it. */
  #revocations = 0

  constructor(lookup: (token: string) => Promise<Session | undefined>, now: () => number = () => performance.now()) {
    this.#lookup = lookup
    this.#now = now
  }

  /** The session if it is in memory. Undefined means only that it must be looked up. */
  remembered(token: string): Session | undefined {
    const known = this.#known.get(token)
    return known && known.until > this.#now() ? known.session : undefined
  }

  /** Whether the token opened a session recently, even if it no longer does. A made-up token never did. */
  wasGood(token: string): boolean {
    return this.#known.has(token)
  }

  /** The user of such a token. */
  userOf(token: string): number | undefined {
    return this.#known.get(token)?.session.user
  }

  async find(token: string): Promise<Session | undefined> {
    const remembered = this.remembered(token)
    if (remembered) return remembered
    const revocations = this.#revocations
    const until = this.#now() + believedMs
    const session = await this.#lookup(token).catch(() => {
      // Nothing has been changed yet, so the answer is "unavailable", not "status unknown".
      throw new Refused('UNAVAILABLE')
    })
    this.#known.delete(token)
    if (!session || revocations !== this.#revocations) return session
    if (this.#known.size >= keptMax) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(token, { session, until })
    return session
  }

  forget(token: string): void {
    this.#revocations++
    this.#known.delete(token)
  }

  /** Called when sessions of one account ended somewhere: all of the account's sessions are looked up again. */
  forgetAccount(account: string): void {
    this.#revocations++
    for (const [token, { session }] of this.#known) if (session.account === account) this.#known.delete(token)
  }
}
