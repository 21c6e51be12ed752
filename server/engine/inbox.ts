import { commandLength } from '@candor/core/protocol/codec/command.ts'
import { commandCodes } from '@candor/core/protocol/codec/layout.ts'
import { opcodeOf } from '@candor/core/protocol/codec/records.ts'
import type { DecidedBatch, Sink } from './batch.ts'

/** Encoded commands from one sink, one after another, and the request number of each. */
export type Chunk = { readonly sink: Sink | undefined; readonly data: Float64Array; readonly requests: readonly number[] }

/** The sink of a command, and its request number there. */
export type Taken = { readonly sink: Sink | undefined; readonly request: number }

const newOrders = new Set<number>(
  (['spot.place', 'spot.placeOco', 'spot.placeList', 'perp.place', 'perp.reverse', 'option.open', 'algo.place'] as const).map(
    (type) => commandCodes[type],
  ),
)

/** Commands that wait to be decided, in order of arrival. Bounded: commands beyond the limit are refused at once. */
export class Inbox {
  readonly #max: number
  readonly #chunks: Chunk[] = []
  #waiting = 0
  #slot = 0
  #index = 0

  constructor(max: number) {
    this.#max = max
  }

  get waiting(): number {
    return this.#waiting
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  /** Returns false when there is no room. */
  add(chunk: Chunk): boolean {
    if (chunk.requests.length === 0) return true
    if (this.#waiting + chunk.requests.length > this.#max) return false
    this.#waiting += chunk.requests.length
    this.#chunks.push(chunk)
    return true
  }

  /** The chunk with the next command. The inbox must not be empty. */
  get chunk(): Chunk {
    return this.#chunks[0] as Chunk
  }

  get slot(): number {
    return this.#slot
  }

  get request(): number {
    return this.chunk.requests[this.#index] as number
  }

  advance(slots: number): void {
    this.#slot += slots
    this.#index++
    this.#waiting--
    if (this.#index === this.chunk.requests.length) this.#leaveChunk()
  }

  /** Moves the next commands into the batch, at most `max`; their sinks go into `taken`, in order. New orders need a clock that is synced. */
  take(batch: DecidedBatch, max: number, isSynced: boolean, taken: Taken[]): void {
    while (!this.isEmpty && taken.length < max) {
      const { chunk, slot, request } = this
      const length = commandLength(chunk.data, slot)
      this.advance(length)
      if (!isSynced && newOrders.has(opcodeOf(chunk.data[slot]!))) {
        chunk.sink?.refuse([request], 'CLOCK_UNSYNCED')
        continue
      }
      batch.commands.append(chunk.data, slot, slot + length)
      taken.push({ sink: chunk.sink, request })
    }
  }

  /** Empties the inbox and hands over the rest of each chunk. */
  drain(visit: (sink: Sink | undefined, requests: readonly number[]) => void): void {
    while (!this.isEmpty) {
      const rest = this.chunk.requests.slice(this.#index)
      visit(this.chunk.sink, rest)
      this.#waiting -= rest.length
      this.#leaveChunk()
    }
  }

  #leaveChunk(): void {
    this.#chunks.shift()
    this.#slot = 0
    this.#index = 0
  }
}
