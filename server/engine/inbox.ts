import type { Sink } from './batch.ts'

/** Encoded commands from one sink, one after another, and the request number of each. */
export type Chunk = { readonly sink: Sink | undefined; readonly data: Float64Array; readonly requests: readonly number[] }

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
