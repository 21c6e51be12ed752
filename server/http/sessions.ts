import type { Session } from '../ports.ts'
import { Refused } from '../refused.ts'

/** How long a session is believed without asking again. A revocation by message ends it at once. */
const believedMs = 5_000
const keptMax = 100_000

type Known = { readonly session: Session; readonly until: number }

/**
 * Sessions in memory, so that an order costs no query. Only sessions that exist are kept: made-up tokens go to the
 * lookup each time and are bounded by the limits of an address.
 */
export class Sessions {
  readonly #lookup: (token: string) => Promise<Session | undefined>
  readonly #known = new Map<string, Known>()
  readonly #now: () => number
  /** Counts revocations: an answer that was looked up before one may be of a session that it ended. */
  #revocations = 0

  constructor(lookup: (token: string) => Promise<Session | undefined>, now: () => number = () => performance.now()) {
    this.#lookup = lookup
    this.#now = now
  }

  /** The session if it is in memory; `undefined` says only that it must be looked up. */
  remembered(token: string): Session | undefined {
    const known = this.#known.get(token)
    return known && known.until > this.#now() ? known.session : undefined
  }

  /** Whether it opened a session lately, whatever it does now: no made-up token does. */
  wasGood(token: string): boolean {
    return this.#known.has(token)
  }

  async find(token: string): Promise<Session | undefined> {
    const remembered = this.remembered(token)
    if (remembered) return remembered
    const revocations = this.#revocations
    const session = await this.#lookup(token).catch(() => {
      // Nothing was done yet: not "unknown", but "not now".
      throw new Refused('UNAVAILABLE')
    })
    this.#known.delete(token)
    if (!session || revocations !== this.#revocations) return session
    if (this.#known.size >= keptMax) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(token, { session, until: this.#now() + believedMs })
    return session
  }

  forget(token: string): void {
    this.#revocations++
    this.#known.delete(token)
  }

  /** Sessions of one account ended somewhere: all of its own are asked for again. */
  forgetAccount(account: string): void {
    this.#revocations++
    for (const [token, { session }] of this.#known) if (session.account === account) this.#known.delete(token)
  }
}
