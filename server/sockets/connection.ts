import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { joinFrames } from './frame.ts'

/**
 * Bytes that wait for a slow reader. Above the first limit, messages that newer ones replace are held back; above the second, the
 * connection is cut.
 */
export const slowBytes = 64 * 1024
export const queuedMax = 1024 * 1024

/** Room between the two limits for one burst of a bundle. */
const tooSlow = 1013

/** Of all sockets of this process, since its start: see the metrics. */
export const socketCounts = { conflated: 0, cut: 0 }

/** Bytes that a client may send: messages are short, and parsing a long one delays everybody else. */
const receivedBurst = 256 * 1024
const receivedPerSecond = 64 * 1024
/** Messages of a client that does not count as busy. */
const calmBurst = 20
const calmPerSecond = 2

/**
 * One client socket. Frames are collected and sent in one write: at the end of a tick or a released batch (`flush`), or on their
 * own a moment later.
 */
export class Connection {
  readonly ws: WebSocket
  readonly #raw: Duplex
  #queued: (Buffer | string)[] = []
  #isScheduled = false
  #tokens: number
  #tokensAt = performance.now()
  #bytes = receivedBurst
  readonly #perSecond: number
  readonly #queuedMax: number
  #askedAt: number | undefined
  #isClosing = false
  #calm = calmBurst

  /**
   * raw        the stream below the WebSocket
   * perSecond  messages that the client may send; Infinity: other limits apply, also for bytes
   * waitMax    bytes that may wait for the reader
   */
  constructor(ws: WebSocket, raw: Duplex, perSecond: number, waitMax = queuedMax) {
    this.ws = ws
    this.#raw = raw
    this.#perSecond = perSecond
    this.#tokens = perSecond
    this.#queuedMax = waitMax
    ws.on('pong', () => {
      this.#askedAt = undefined
    })
  }

  get isOpen(): boolean {
    return this.ws.readyState === 1 && !this.#raw.destroyed
  }

  get isSlow(): boolean {
    return this.#raw.writableLength > slowBytes
  }

  /** Whether the client has recently sent more than an app or a program that only listens. */
  get isBusy(): boolean {
    return this.#calm < 1
  }

  /** Cuts off a client that has not answered a ping for this long. */
  cutIfSilent(now: number, silentMaxMs: number): void {
    if (this.#askedAt !== undefined && now - this.#askedAt >= silentMaxMs) this.ws.terminate()
  }

  /** Sends a ping. */
  ping(now: number): void {
    if (this.ws.readyState !== 1) return
    this.#askedAt ??= now
    this.ws.ping()
  }

  /** `text`: a message, or a complete frame that many sockets share. */
  sendText(text: string | Buffer): void {
    this.queue(text)
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => this.flush())
  }

  /** Queues a complete frame, or the text of one. */
  queue(frame: Buffer | string): void {
    this.#queued.push(frame)
  }

  flush(): void {
    this.#isScheduled = false
    if (this.#queued.length === 0) return
    const queued = this.#queued
    this.#queued = []
    this.write(queued.length === 1 && typeof queued[0] !== 'string' ? queued[0]! : joinFrames(queued))
  }

  /** Complete frames only. A reader that does not keep up is cut off before it costs more memory. */
  write(frames: Buffer): void {
    if (!this.isOpen) return
    if (this.#raw.writableLength + frames.length > this.#queuedMax && this.#raw.writableLength > 0) {
      socketCounts.cut++
      this.ws.close(tooSlow, 'too slow')
      // The close frame waits behind all unread bytes, so a client that reads nothing never gets it.
      setTimeout(() => this.ws.terminate(), 5_000).unref()
      return
    }
    this.#raw.write(frames)
  }

  /** Whether a message may be read: false when the client sends more than it may, or was already told to close. */
  mayReceive(bytes: number): boolean {
    const now = performance.now()
    const seconds = (now - this.#tokensAt) / 1_000
    this.#tokens = Math.min(this.#perSecond, this.#tokens + seconds * this.#perSecond)
    this.#bytes = Math.min(receivedBurst, this.#bytes + seconds * receivedPerSecond)
    this.#calm = Math.max(0, Math.min(calmBurst, this.#calm + seconds * calmPerSecond) - 1)
    this.#tokensAt = now
    if (!this.isOpen || this.#tokens < 1 || this.#bytes < bytes) return false
    this.#tokens -= 1
    this.#bytes -= bytes
    return true
  }

  /** Sends the close frame. A second call, for a client that keeps sending, cuts it off. */
  close(code: number, reason: string): void {
    if (this.#isClosing) return this.ws.terminate()
    this.#isClosing = true
    this.flush()
    this.ws.close(code, reason)
    // A client that does not close is cut off after five seconds.
    setTimeout(() => this.ws.terminate(), 5_000).unref()
  }
}
