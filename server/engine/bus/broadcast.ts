import { type Bus, messageBytes } from '../../bus/bus.ts'
import { sessionBytes } from '../../bus/line.ts'
import type { ReleasedBatch } from '../batch.ts'
import { layoutOf } from '@candor/core/protocol/codec/records.ts'
import { bytesOf, slotsOf } from '../frames.ts'
import { subjects } from './subjects.ts'

/** The engine's id, the number of the message, its place among the parts of a batch, and how many these are. */
const headBytes = 8 + 8 + 4 + 4
const partBytes = messageBytes - headBytes
/** A whole batch, before the shares and the events. `slots`: of all three together. */
const BATCH = layoutOf('slots', 'firstSeq', 'lastSeq', 'sessions')
/** A session's share: its id as eight bytes, the count of its own slots, and these. */
const SHARE = layoutOf('session', 'count')

/** A session that hears all batches, and what it has of its own in the one that is released. */
export type Share = { readonly session: string; readonly own: readonly number[] }

export type Shared = { readonly batch: ReleasedBatch; readonly shares: readonly Share[] }

/** For each session that hears all batches, and bounds. */
const [eachMs, leastMs, mostMs] = [3, 4, 12]

/**
 * Batches that are released within this time of the last broadcast wait until it is over, and go out in one message: every message wakes
 * every gateway, which costs more than reading a few orders, and more gateways have fewer of their own in each. A single batch does not wait.
 */
export const togetherMs = (listeners: number): number => Math.min(mostMs, Math.max(leastMs, listeners * eachMs))

/** Sends each batch once, for all sessions of an engine. */
export class Broadcaster {
  readonly #bus: Bus
  #count = 0

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /** Number of the next message. */
  get next(): number {
    return this.#count
  }

  /** One message for these batches, which follow one another, or several if it would be too long. */
  send(batches: readonly Shared[]): void {
    const body = Buffer.concat(batches.flatMap((shared) => [bytesOf(headOf(shared)), bytesOf(shared.batch.events)]))
    const parts = Math.max(1, Math.ceil(body.length / partBytes))
    for (let part = 0; part < parts; part++) this.#sendPart(body.subarray(part * partBytes, (part + 1) * partBytes), part, parts)
  }

  #sendPart(bytes: Buffer, part: number, parts: number): void {
    const message = Buffer.allocUnsafe(headBytes + bytes.length)
    message.write(this.#bus.id, 0, 'hex')
    message.writeDoubleLE(this.#count++, 8)
    message.writeUInt32LE(part, 16)
    message.writeUInt32LE(parts, 20)
    message.set(bytes, headBytes)
    this.#bus.send(subjects.released, message)
  }
}

/** The slots before the events of a batch: its numbers and the sessions' shares. */
function headOf({ batch: { firstSeq, lastSeq, events }, shares }: Shared): Float64Array {
  const head = new Float64Array(BATCH.length + shares.reduce((sum, { own }) => sum + SHARE.length + own.length, 0))
  head[BATCH.slots] = head.length + events.length
  head[BATCH.firstSeq] = firstSeq
  head[BATCH.lastSeq] = lastSeq
  head[BATCH.sessions] = shares.length
  let at = BATCH.length
  for (const { session, own } of shares) {
    Buffer.from(head.buffer).write(session, (at + SHARE.session) * 8, 'hex')
    head[at + SHARE.count] = own.length
    head.set(own, at + SHARE.length)
    at += SHARE.length + own.length
  }
  return head
}

/** Puts an engine's broadcasts together, for one session. */
export class BroadcastReader {
  readonly #session: string
  /** The slots of a frame of type `released`, as the session's line would have brought it. */
  readonly #onBatch: (slots: Float64Array) => void
  readonly #engine: string
  /** Number of the message after the last one that came, whether or not it counted. */
  #heard = 0
  #expected: number | undefined
  #parts: Buffer[] = []

  constructor(engine: string, session: string, onBatch: (slots: Float64Array) => void) {
    this.#engine = engine
    this.#session = session
    this.#onBatch = onBatch
  }

  /** Batches count from this message on. Returns whether none of them has come before this was known. */
  join(next: number): boolean {
    this.#expected = next
    return this.#heard <= next
  }

  get hasJoined(): boolean {
    return this.#expected !== undefined
  }

  /** Number of the message that comes next. */
  get expected(): number | undefined {
    return this.#expected
  }

  /** Takes a message of any engine. Returns whether none is missing before it, and it is whole. */
  take(message: Buffer): boolean {
    if (message.length < headBytes || message.toString('hex', 0, 8) !== this.#engine) return true
    const index = message.readDoubleLE(8)
    this.#heard = index + 1
    if (this.#expected === undefined || index < this.#expected) return true
    if (index !== this.#expected) return false
    this.#expected++
    this.#parts.push(Buffer.from(message.subarray(headBytes)))
    if (message.readUInt32LE(16) + 1 < message.readUInt32LE(20)) return true
    const body = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    this.#parts = []
    if (body.length % 8 !== 0) return false
    const slots = slotsOf(body)
    for (let from = 0; from < slots.length; ) {
      const to = from + slots[from + BATCH.slots]!
      if (!(to > from && to <= slots.length)) return false
      this.#onBatch(ownSlots(slots.subarray(from, to), this.#session))
      from = to
    }
    return true
  }
}

/** A released batch for one session, as the slots of a frame of type `released`. */
function ownSlots(slots: Float64Array, session: string): Float64Array {
  let at = BATCH.length
  let own = slots.subarray(0, 0)
  for (let n = 0; n < slots[BATCH.sessions]!; n++) {
    const from = at + SHARE.length
    const to = from + slots[at + SHARE.count]!
    const id = slots.subarray(at + SHARE.session, at + SHARE.session + 1)
    if (Buffer.from(bytesOf(id)).toString('hex', 0, sessionBytes) === session) own = slots.subarray(from, to)
    at = to
  }
  const events = slots.subarray(at)
  const head = [slots[BATCH.firstSeq]!, slots[BATCH.lastSeq]!, 1, own.length]
  const all = new Float64Array(head.length + own.length + events.length)
  all.set(head)
  all.set(own, head.length)
  all.set(events, head.length + own.length)
  return all
}
