import { Exchange } from '@candor/core/exchange/exchange.ts'
import { Refused } from '../../refused.ts'
import type { Sink } from '../batch.ts'
import { Hub } from '../hub.ts'
import type { Chunk } from '../inbox.ts'
import { RecentBatches } from '../recent.ts'

/** The part of an engine that a link uses. */
export class FakeEngine {
  readonly hub = new Hub()
  readonly recent = new RecentBatches(1_000)
  readonly sinks = new Set<Sink>()
  readonly listeners = new Set<() => void>()
  readonly offered: Chunk[] = []
  state = 'up'
  seq = 0
  epoch = 1
  exchange: Exchange | undefined = Exchange.create()
  get place() {
    return { epoch: this.epoch, acceptedEpoch: 0, seq: this.seq, hash: new Uint8Array(32) }
  }
  attach = (sink: Sink): unknown => this.sinks.add(sink)
  detach = (sink: Sink): unknown => this.sinks.delete(sink)
  onState = (listener: () => void): unknown => this.listeners.add(listener)
  offState = (listener: () => void): unknown => this.listeners.delete(listener)
  offer = (chunk: Chunk): unknown => this.offered.push(chunk)
  ask = async <T>(question: (exchange: Exchange) => T): Promise<T> => {
    if (this.exchange === undefined) throw new Refused('UNAVAILABLE')
    return question(this.exchange)
  }
  become(state: string): void {
    this.state = state
    for (const listener of this.listeners) listener()
  }
}
