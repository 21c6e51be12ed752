import { networkOf } from '../networks.ts'
import { NetworkCounts } from './network-counts.ts'

/** Requests of one network that may be in progress at the same time; of a wide network eight times as many. */
const perNetwork = 256
/** Beyond them, known customers of the network may have this part of their number. */
const customersPart = 4
/** Of these, one account may have this part, so that it can't use up those of the others. */
const accountPart = 8

/**
 * The requests in progress of each network. When strangers use up a network's number, its known customers have some of their own:
 * 64, and 8 of each account.
 */
export class InProgress {
  readonly #all: NetworkCounts
  readonly #customers: NetworkCounts
  readonly #accountMax: number
  /** By network and account. */
  readonly #accounts = new Map<string, number>()

  constructor(max = perNetwork) {
    this.#all = new NetworkCounts(max)
    this.#customers = new NetworkCounts(Math.ceil(max / customersPart))
    this.#accountMax = Math.ceil(max / customersPart / accountPart)
  }

  /**
   * Counts a request. Returns the function that ends it, or undefined when there is no room.
   *
   * accountOf  the account of a known customer; called only if everybody's number is used up
   */
  enter(ip: string, accountOf: () => string | undefined): (() => void) | undefined {
    if (this.#all.enter(ip)) return () => this.#all.leave(ip)
    const account = accountOf()
    if (account === undefined) return undefined
    const name = `${networkOf(ip)} ${account}`
    const count = this.#accounts.get(name) ?? 0
    if (count >= this.#accountMax || !this.#customers.enter(ip)) return undefined
    this.#accounts.set(name, count + 1)
    return () => {
      this.#customers.leave(ip)
      const left = this.#accounts.get(name)! - 1
      if (left > 0) this.#accounts.set(name, left)
      else this.#accounts.delete(name)
    }
  }
}
