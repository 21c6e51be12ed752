import { setTimeout as sleep } from 'node:timers/promises'
import type { Pair, PriceBoard, PriceKind } from '../board.ts'
import type { Log } from '../log.ts'
import type { Reader, Venue } from '../venue/venue.ts'
import { frames, RecordingFault, type Frame } from './recording.ts'

/** Contents of a recording, found by reading it once. */
export type Contents = {
  readonly firstMs: number
  readonly lastMs: number
  readonly venues: readonly string[]
  /** First price by kind and pair, at 1e-8. */
  readonly firstPrices: ReadonlyMap<string, number>
  readonly pairs: readonly Pair[]
}

/** Frames due within this time are played together: finer than visible, with far fewer timers. */
const togetherMs = 10

/** Throws a `RecordingFault` when the file has no price for any of these pairs. */
export async function contentsOf(path: string, wanted: readonly Pair[]): Promise<Contents> {
  const readers = new Readers(wanted)
  const firstPrices = new Map<string, number>()
  const pairs = new Map<string, Pair>()
  const venues = new Set<string>()
  let firstMs: number | undefined
  let lastMs = 0
  for await (const frame of frames(path)) {
    for (const reading of readers.read(frame)) {
      firstMs ??= frame.atMs
      lastMs = frame.atMs
      venues.add(frame.venue.name)
      if (!firstPrices.has(reading.key)) firstPrices.set(reading.key, reading.price)
      pairs.set(`${reading.pair.base}/${reading.pair.quote}`, reading.pair)
    }
  }
  if (firstMs === undefined) throw new RecordingFault(`the recording has no price for any market of the exchange: ${path}`)
  return { firstMs, lastMs, venues: [...venues], firstPrices, pairs: [...pairs.values()] }
}

export type PlayerOptions = {
  readonly path: string
  readonly contents: Contents
  readonly wanted: readonly Pair[]
  readonly board: PriceBoard
  readonly now: () => number
  readonly log: Log
}

/**
 * Plays a recording on the board with its own timing, repeatedly. At each restart prices are scaled to continue where they
 * stopped. The scale returns to 1 in the course of the pass, so that many passes don't drift away:
 *
 *   price = recorded × (last played ÷ first recorded) ^ (1 − completed share of the pass)
 */
export class ReplayPlayer {
  readonly #options: PlayerOptions
  readonly #stop = new AbortController()
  readonly #playing: Promise<void>

  constructor(options: PlayerOptions) {
    this.#options = options
    for (const venue of options.contents.venues) options.board.expect(venue, options.now())
    this.#playing = this.#play()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#playing
  }

  async #play(): Promise<void> {
    const { contents, log, now } = this.#options
    const last = new Map<string, number>()
    try {
      for (let pass = 0; ; pass += 1) {
        const scales = new Map<string, number>()
        if (pass > 0) {
          for (const [key, first] of contents.firstPrices) scales.set(key, (last.get(key) ?? first) / first)
          log.info({ pass }, 'the recording starts over')
        }
        const startedAt = now()
        await this.#pass(startedAt, scales, last)
        // Without a minimum, a recording of a single instant would loop without pause.
        await this.#until(startedAt + Math.max(contents.lastMs - contents.firstMs, 1_000))
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) log.error({ err: error }, 'the recording stopped')
    }
  }

  async #pass(startedAt: number, scales: ReadonlyMap<string, number>, last: Map<string, number>): Promise<void> {
    const { contents, board, now, path, wanted } = this.#options
    const readers = new Readers(wanted)
    const lengthMs = Math.max(1, contents.lastMs - contents.firstMs)
    for await (const frame of frames(path)) {
      const afterMs = frame.atMs - contents.firstMs
      if (afterMs > 0 && startedAt + afterMs > now() + togetherMs) await this.#until(startedAt + afterMs)
      this.#stop.signal.throwIfAborted()
      for (const reading of readers.read(frame)) {
        const scale = scales.get(reading.key) ?? 1
        const left = 1 - Math.min(1, Math.max(0, afterMs / lengthMs))
        const price = scale === 1 ? reading.price : Math.max(1, Math.round(reading.price * scale ** left))
        last.set(reading.key, price)
        board.put(frame.venue.name, reading.pair, price, reading.kind, now())
      }
    }
  }

  async #until(at: number): Promise<void> {
    for (;;) {
      const wait = at - this.#options.now()
      if (wait <= 0) return
      await sleep(Math.min(wait, 1_000), undefined, { signal: this.#stop.signal })
    }
  }
}

/** One reader per venue of a recording; it reports only prices. */
class Readers {
  readonly #wanted: readonly Pair[]
  readonly #readers = new Map<Venue, Reader>()

  constructor(wanted: readonly Pair[]) {
    this.#wanted = wanted
  }

  read(frame: Frame): readonly { readonly key: string; readonly pair: Pair; readonly price: number; readonly kind: PriceKind }[] {
    let reader = this.#readers.get(frame.venue)
    if (reader === undefined) {
      reader = frame.venue.reader(this.#wanted)
      this.#readers.set(frame.venue, reader)
    }
    const prices = []
    for (const reading of reader.read(frame.text)) {
      if (reading.kind === 'book' || reading.kind === 'last') {
        prices.push({ ...reading, key: `${reading.kind} ${reading.pair.base}/${reading.pair.quote}` })
      }
    }
    return prices
  }
}
