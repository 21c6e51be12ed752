import { accountKey } from './account.ts'
import type { Account } from './account.ts'

/** Accounts with debt, ordered by user and market, so that pages of them are the same in a restored exchange. */
export class Indebted {
  readonly #accounts: Account[] = []

  get size(): number {
    return this.#accounts.length
  }

  /** The account at a place in the order. */
  at(place: number): Account | undefined {
    return this.#accounts[place]
  }

  has(account: Account): boolean {
    return this.#accounts[this.placeOf(accountKey(account.user, account.market))] === account
  }

  add(account: Account): void {
    const place = this.placeOf(accountKey(account.user, account.market))
    if (this.#accounts[place] !== account) this.#accounts.splice(place, 0, account)
  }

  delete(account: Account): void {
    const place = this.placeOf(accountKey(account.user, account.market))
    if (this.#accounts[place] === account) this.#accounts.splice(place, 1)
  }

  /** Place of the first account whose key is at least this one. */
  placeOf(key: number): number {
    let [low, high] = [0, this.#accounts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const { user, market } = this.#accounts[middle]!
      if (accountKey(user, market) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
