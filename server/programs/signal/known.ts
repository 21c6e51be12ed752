import { hashOf } from '../../identity/secret.ts'
import { signalRoot } from '../../identity/signals/signals.ts'
import type { SignalCalls } from '../../signals/calls.ts'

/** For how long the list of the addresses that are on is believed. */
const listedMs = 30_000

export type KnownSignalsOptions = {
  readonly calls: Pick<SignalCalls, 'addressesOn'>
  readonly now: () => number
  readonly onFault: (cause: unknown) => void
}

/**
 * The signal addresses that are on, by the hash of their secret. A charting service sends the alerts of all its customers, and any of them can
 * make it send something else to the exchange, until its network is limited or shut out. These addresses go on working then.
 */
export class KnownSignals {
  readonly #options: KnownSignalsOptions
  /** Accounts of the addresses by hash. */
  #listed: Map<string, string> = new Map()
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> = Promise.resolve()

  constructor(options: KnownSignalsOptions) {
    this.#options = options
  }

  /** The address that a request is for, if it is on as far as is known at once; a list that is old is read for the next request. */
  addressIn(url: string | undefined): { readonly hash: string; readonly account: string } | undefined {
    const secret = url === undefined ? '' : secretIn(url)
    if (secret === '') return undefined
    const hash = hashOf(secret).toString('hex')
    void this.#read()
    const account = this.#listed.get(hash)
    return account === undefined ? undefined : { hash, account }
  }

  /** Notes an address that was just looked up in the tables. `account`: undefined when it is not on. */
  lookedUp(hash: string, account: string | undefined): void {
    if (account === undefined) this.#listed.delete(hash)
    else this.#listed.set(hash, account)
  }

  /** Waits for a list that is old, but only for an address that is not on it. */
  async isOn(hash: string): Promise<boolean> {
    const reading = this.#read()
    if (!this.#listed.has(hash)) await reading
    return this.#listed.has(hash)
  }

  #read(): Promise<void> {
    const { calls, now, onFault } = this.#options
    if (now() < this.#readAt + listedMs) return this.#reading
    this.#readAt = now()
    this.#reading = calls.addressesOn().then((listed) => void (this.#listed = listed), onFault)
    return this.#reading
  }
}

/** The secret in the URL of a request; empty where there is none. */
export function secretIn(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.startsWith(signalRoot) ? path.slice(signalRoot.length) : ''
}
