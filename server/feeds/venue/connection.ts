import { WebSocket } from 'ws'
import type { Pair, PriceBoard } from '../board.ts'
import type { Log } from '../log.ts'
import type { Venue } from './venue.ts'

export type ConnectionOptions = {
  readonly venue: Venue
  readonly pairs: readonly Pair[]
  readonly board: PriceBoard
  readonly log: Log
  readonly now: () => number
  readonly retryMs?: number
  readonly retryMaxMs?: number
  /** Without a recognized message for this long, the connection counts as lost. */
  readonly silenceMs?: number
  readonly random?: () => number
}

/** Keeps one venue's prices on the board: connects, subscribes, listens, and reconnects with jittered back-off after any failure. */
export class VenueConnection {
  readonly #options: ConnectionOptions
  #socket: WebSocket | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #ping: ReturnType<typeof setInterval> | undefined
  #failures = 0
  #isClosed = false

  constructor(options: ConnectionOptions) {
    this.#options = options
    options.board.expect(options.venue.name, options.now())
    this.#connect()
  }

  /** Consecutive attempts without a price. */
  get failures(): number {
    return this.#failures
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#leave()
  }

  #connect(): void {
    const { venue, pairs, board, log, now } = this.#options
    const reader = venue.reader(pairs)
    const socket = new WebSocket(venue.socketUrl, { handshakeTimeout: 10_000, maxPayload: 32 << 20, followRedirects: false })
    this.#socket = socket
    const fail = (why: string): void => {
      if (this.#socket === socket) this.#lost(why)
    }
    socket.on('error', (error) => fail(error.message))
    socket.on('close', (code) => fail(`closed with ${code}`))
    socket.on('open', () => {
      for (const text of reader.subscriptions) socket.send(text)
      if (venue.ping !== undefined) {
        const { text, everyMs } = venue.ping
        this.#ping = setInterval(() => socket.readyState === WebSocket.OPEN && socket.send(text), everyMs)
      }
      this.#listen(fail)
    })
    socket.on('message', (data, isBinary) => {
      if (isBinary || this.#socket !== socket) return
      const at = now()
      for (const reading of reader.read(String(data))) {
        if (reading.kind === 'problem') {
          log.warn({ venue: venue.name, problem: reading.message }, 'a price venue refuses a request')
          continue
        }
        if (reading.kind === 'leaving') {
          fail('it asks to be called again')
          return
        }
        if (reading.kind === 'alive') board.touch(venue.name, at)
        else {
          this.#failures = 0
          board.put(venue.name, reading.pair, reading.price, reading.kind, at)
        }
        this.#listen(fail)
      }
    })
  }

  #listen(fail: (why: string) => void): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(fail, this.#options.silenceMs ?? 10_000, 'silent')
  }

  #lost(why: string): void {
    this.#leave()
    this.#options.board.lose(this.#options.venue.name)
    if (this.#isClosed) return
    this.#failures += 1
    const { retryMs = 500, retryMaxMs = 30_000, random = Math.random, venue, log } = this.#options
    const wait = Math.min(retryMaxMs, retryMs * 2 ** Math.min(this.#failures - 1, 10)) * (0.5 + random() / 2)
    // Logged once per outage: repeated failures would fill the log while there is no network.
    if (this.#failures === 1) log.warn({ venue: venue.name, why }, 'a price venue is lost')
    this.#retry = setTimeout(() => this.#connect(), wait)
  }

  #leave(): void {
    clearTimeout(this.#silence)
    clearInterval(this.#ping)
    const socket = this.#socket
    this.#socket = undefined
    socket?.terminate()
  }
}
