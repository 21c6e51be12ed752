import { createHash } from 'node:crypto'
import type { Bus } from './bus.ts'
import { messageBytes } from './bus.ts'

/** What a message on a line is for. */
export const kinds = { open: 1, data: 2, end: 3 } as const
export type Kind = (typeof kinds)[keyof typeof kinds]

/** Length of a session's id in bytes. */
export const sessionBytes = 8
const headBytes = sessionBytes + 16

/** How often an end that has nothing to say says so. */
const beatMs = 300
/** An end that heard nothing for this long takes the line for broken. */
const silentMs = 2_000

/**
 * The id that stands in answers on a session, and in broadcasts for it. All clients may hear these: the session's own id, with which one
 * speaks on it, does not follow from it.
 */
export const answersOf = (session: string): string =>
  createHash('sha256')
    .update(session)
    .digest('hex')
    .slice(0, 2 * sessionBytes)

/** The head of a message on a line, and what follows it. `mark`: see `LineOptions`. */
export type LineMessage = {
  readonly session: string
  readonly kind: Kind
  readonly index: number
  readonly mark: number
  readonly body: Buffer
}

export type LineOptions = {
  readonly bus: Bus
  /** Where the other end listens. */
  readonly to: string
  /** 16 hexadecimal digits: the session, or on the end that answers `answersOf` it. */
  readonly session: string
  /** A number that goes with each message of this end: how much it has broadcast beside the line. */
  readonly mark?: () => number
  /** Bytes from the other end, and the mark that came with them. Valid during the call only. */
  readonly onData: (bytes: Buffer, mark: number) => void
  /** Called once, unless this end was destroyed by its owner. */
  readonly onEnd: () => void
}

/**
 * One end of a line over the bus: bytes arrive whole and in order, or the line ends. Each message has a number, so that a lost one is
 * noticed with the next, at the latest with the next beat. A line that ended is never continued: its owner opens another.
 */
export class Line {
  readonly #options: LineOptions
  readonly #timer: NodeJS.Timeout
  #sent = 0
  #received = 0
  #hasSent = false
  #heardAt = performance.now()
  #isOpen = true

  constructor(options: LineOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#beat(), beatMs)
  }

  /** Begins the line on this end: the first message, by which the other end learns of it. */
  open(greeting: Uint8Array): void {
    this.#send(kinds.open, greeting)
  }

  /** A message of several parts goes out as one, as far as it fits. */
  write(...parts: readonly Uint8Array[]): void {
    if (!this.#isOpen) return
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    for (let at = 0; at < bytes.length; at += messageBytes) this.#send(kinds.data, bytes.subarray(at, at + messageBytes))
  }

  /** Sends the mark, with whatever bytes there are. */
  touch(): void {
    if (this.#isOpen) this.#send(kinds.data, new Uint8Array())
  }

  /** Takes a message of this session from the other end. */
  take({ kind, index, mark, body }: LineMessage): void {
    if (!this.#isOpen) return
    if (kind === kinds.end || index !== this.#received) return this.#broken()
    this.#received = (index + 1) >>> 0
    this.#heardAt = performance.now()
    this.#options.onData(body, mark)
  }

  /** Ends the line, and tells the other end. */
  destroy(): void {
    if (!this.#isOpen) return
    this.#send(kinds.end, new Uint8Array())
    this.#close()
  }

  #broken(): void {
    this.destroy()
    this.#options.onEnd()
  }

  #close(): void {
    this.#isOpen = false
    clearInterval(this.#timer)
  }

  #beat(): void {
    if (performance.now() - this.#heardAt > silentMs) return this.#broken()
    if (!this.#hasSent) this.touch()
    this.#hasSent = false
  }

  #send(kind: Kind, body: Uint8Array): void {
    const { bus, to, session, mark } = this.#options
    const message = Buffer.allocUnsafe(headBytes + body.length)
    message.write(session, 0, 'hex')
    message.writeUInt32LE(kind, sessionBytes)
    message.writeUInt32LE(this.#sent, sessionBytes + 4)
    message.writeDoubleLE(mark?.() ?? 0, sessionBytes + 8)
    message.set(body, headBytes)
    this.#sent = (this.#sent + 1) >>> 0
    this.#hasSent = true
    bus.send(to, message)
  }
}

/** Reads a message on a line; undefined when it is none. */
export function lineMessage(bytes: Buffer): LineMessage | undefined {
  if (bytes.length < headBytes) return undefined
  const kind = bytes.readUInt32LE(sessionBytes)
  if (kind !== kinds.open && kind !== kinds.data && kind !== kinds.end) return undefined
  return {
    session: bytes.toString('hex', 0, sessionBytes),
    kind,
    index: bytes.readUInt32LE(sessionBytes + 4),
    mark: bytes.readDoubleLE(sessionBytes + 8),
    body: bytes.subarray(headBytes),
  }
}
