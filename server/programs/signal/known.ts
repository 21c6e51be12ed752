import { hashOf } from '../../identity/secret.ts'
import { signalRoot } from '../../identity/signals/signals.ts'
import type { SignalCalls } from '../../signals/calls.ts'

/** For how long the list of the addresses that are on is believed. */
const listedMs = 30_000

export type KnownSignalsOptions = {
  readonly calls: Pick<SignalCalls, 'hashes'>
  readonly now: () => number
  readonly onFault: (cause: unknown) => void
}

/**
 * The signal addresses that are on, by the hash of their secret. A charting service sends the alerts of all its customers, and any of them can
 * make it send something else to the exchange, until its network is limited or shut out. These addresses go on working then.
 */
export class KnownSignals {
  readonly #options: KnownSignalsOptions
  #listed = new Set<string>()
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> = Promise.resolve()

  constructor(options: KnownSignalsOptions) {
    this.#options = options
  }

  /** The hash of the address that a request is for, if it is on as far as is known at once; a list that is old is read for the next request. */
  hashIn(url: string | undefined): string | undefined {
    const secret = url === undefined ? '' : secretIn(url)
    if (secret === '') return undefined
    const hash = hashOf(secret).toString('hex')
    void this.#read()
    return this.#listed.has(hash) ? hash : undefined
  }

  /** Notes an address that was just found in the tables. */
  found(hash: string): void {
    this.#listed.add(hash)
    void this.#read()
  }

  async isOn(hash: string): Promise<boolean> {
    await this.#read()
    return this.#listed.has(hash)
  }

  #read(): Promise<void> {
    const { calls, now, onFault } = this.#options
    if (now() < this.#readAt + listedMs) return this.#reading
    this.#readAt = now()
    this.#reading = calls.hashes().then((hashes) => void (this.#listed = hashes), onFault)
    return this.#reading
  }
}

/** The secret in the URL of a request; empty where there is none. */
export function secretIn(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.startsWith(signalRoot) ? path.slice(signalRoot.length) : ''
}
