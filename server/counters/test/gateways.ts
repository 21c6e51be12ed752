import type { UserId } from '@candor/core/protocol/ids.ts'
import { Limits } from '../../http/limits.ts'
import { NetworkCounts } from '../../http/network-counts.ts'
import { OrderCounts } from '../../programs/order-counts.ts'
import { MinuteCounts } from '../../programs/signal/counts.ts'
import { Weights } from '../../programs/weights.ts'
import { gossipMs } from '../counts.ts'
import { Gossip } from '../gossip.ts'

type Post = { readonly from: number; readonly at: number; readonly text: string }

/** Counts of one gateway, with a connection to the others. */
export type Counting = {
  readonly gossip: Gossip
  readonly weights: Weights
  readonly orders: OrderCounts
  readonly limits: Limits
  readonly sockets: NetworkCounts
  readonly signals: MinuteCounts<number>
}

export const user = 7 as UserId
export const socketsMax = 10

/** Gateways that tell each other their counts, with a clock of the test and a bus that may delay and lose what is told. */
export class Gateways implements Disposable {
  readonly all: Counting[] = []
  /** Wall clock in milliseconds. */
  at: number
  delayMs = 0
  /** Whether a message is lost. */
  loses: (text: string) => boolean = () => false
  readonly #listeners: (((value: unknown) => void) | undefined)[] = []
  readonly #underway: Post[] = []
  sent = 0

  constructor(count: number, at = Date.UTC(2026, 0, 5, 12)) {
    this.at = at
    for (let i = 0; i < count; i++) this.join()
    // All have told each other everything.
    if (count > 1) for (let i = 0; i < 10; i++) this.pass(gossipMs)
  }

  join(): Counting {
    const i = this.#listeners.length
    const clock = (): number => this.at
    const parts = {
      weights: new Weights(clock),
      orders: new OrderCounts(clock),
      limits: new Limits(clock),
      sockets: new NetworkCounts(socketsMax),
      signals: new MinuteCounts<number>(clock),
    }
    const gossip = new Gossip({
      publish: (value) => {
        this.sent++
        this.#underway.push({ from: i, at: this.at + this.delayMs, text: JSON.stringify(value) })
      },
      onPublished: (listener) => void (this.#listeners[i] = listener),
      kinds: parts,
      now: clock,
    })
    const made = { gossip, ...parts }
    this.all.push(made)
    return made
  }

  /** Something arrives that no gateway of this build sends. */
  tell(value: unknown): void {
    for (const listener of this.#listeners) listener?.(value)
  }

  /** The gateway ends, or is cut off without a word. */
  end(one: Counting, isKilled = false): void {
    const i = this.all.indexOf(one)
    if (!isKilled) one.gossip[Symbol.dispose]()
    this.#deliver()
    this.#listeners[i] = undefined
    one.limits.close()
    one.weights.close()
  }

  /** Lets time pass, and the gateways tell what they have counted when it is their time. */
  pass(ms: number): void {
    for (const end = this.at + ms; this.at < end; ) {
      const step = Math.min(end - this.at, gossipMs - (this.at % gossipMs))
      this.at += step
      this.#deliver()
      if (this.at % gossipMs === 0) this.all.forEach(({ gossip }, i) => this.#listeners[i] !== undefined && gossip.tick())
      this.#deliver()
    }
  }

  [Symbol.dispose](): void {
    for (const { limits, weights } of this.all) {
      limits.close()
      weights.close()
    }
  }

  #deliver(): void {
    for (let i = 0; i < this.#underway.length; ) {
      const { from, at, text } = this.#underway[i] as Post
      if (at > this.at) {
        i++
        continue
      }
      this.#underway.splice(i, 1)
      this.#listeners.forEach((listener, to) => {
        if (to !== from && !this.loses(text)) listener?.(JSON.parse(text))
      })
    }
  }
}
