import { answersOf, Line, type LineMessage, kinds, lineMessage } from '../../bus/line.ts'
import type { Bus } from '../../bus/bus.ts'
import type { ReleasedBatch, Sink } from '../batch.ts'
import type { Engine } from '../engine.ts'
import { FrameReader } from '../frames.ts'
import { Served } from '../link/served.ts'
import { beaconBytes } from './beacon.ts'
import { Broadcaster, type Share, type Shared, togetherMs } from './broadcast.ts'
import { factIn, subjects, topicOf } from './subjects.ts'

/** How often the leader looks whether it has something to say, and how often it says at least that it is there. */
const beaconMs = 50
const quietMs = 200
/** Events that do not wait for more, in slots. */
const enough = 16_384

/**
 * Lets processes on all machines reach the leading engine through the bus. Its clients find it by its beacon, so that an engine is
 * served only while it leads.
 */
export function serveBus(engine: Engine, bus: Bus): Disposable {
  const server = new BusServer(engine, bus)
  return { [Symbol.dispose]: () => server.end() }
}

class BusServer implements Sink {
  readonly #engine: Engine
  readonly #bus: Bus
  readonly #broadcaster: Broadcaster
  readonly #sessions = new Map<string, Session>()
  /** Shares in the batch that is being released: those of all sessions come before this sink's own turn. */
  #shares: Share[] = []
  /** Released batches that wait to be broadcast. */
  #held: Shared[] = []
  #heldSlots = 0
  #heldTimer: NodeJS.Timeout | undefined
  #broadcastAt = 0
  readonly #stops: (() => void)[]
  readonly #timer: NodeJS.Timeout
  #told = { seq: -1, at: 0 }
  readonly #tell = (topic: string, value: unknown) => this.#bus.send(subjects.topic(topic), Buffer.from(JSON.stringify(value)))

  constructor(engine: Engine, bus: Bus) {
    this.#engine = engine
    this.#bus = bus
    this.#broadcaster = new Broadcaster(bus)
    this.#stops = [
      bus.hear(subjects.engine(bus.id), (bytes) => this.#take(bytes)),
      bus.hear(subjects.topics, (bytes, subject) => {
        const fact = factIn(bytes)
        if (fact !== undefined) engine.hub.publish(topicOf(subject), fact, this.#tell)
      }),
      bus.onState((isUp) => {
        if (!isUp) for (const session of [...this.#sessions.values()]) session.end()
      }),
    ]
    engine.attach(this)
    engine.hub.join(this.#tell)
    this.#timer = setInterval(() => this.#beacon(), beaconMs)
    this.#beacon()
  }

  get wantsAll(): boolean {
    return this.#shares.length > 0
  }

  release(batch: ReleasedBatch): void {
    this.#held.push({ batch, shares: this.#shares })
    this.#heldSlots += batch.events.length
    this.#shares = []
    const waitMs = this.#broadcastAt + togetherMs(this.#listeners) - performance.now()
    if (waitMs <= 0 || this.#heldSlots >= enough) this.#broadcast()
    else this.#heldTimer ??= setTimeout(() => this.#broadcast(), waitMs)
  }

  get #listeners(): number {
    let count = 0
    for (const { hearsAll } of this.#sessions.values()) count += Number(hearsAll)
    return count
  }

  #broadcast(): void {
    clearTimeout(this.#heldTimer)
    this.#heldTimer = undefined
    if (this.#held.length === 0) return
    this.#broadcaster.send(this.#held)
    this.#held = []
    this.#heldSlots = 0
    this.#broadcastAt = performance.now()
  }

  advanced(): void {}

  refuse(): void {}

  end(): void {
    clearInterval(this.#timer)
    this.#broadcast()
    for (const stop of this.#stops) stop()
    for (const session of [...this.#sessions.values()]) session.end()
    this.#engine.detach(this)
    this.#engine.hub.leave(this.#tell)
  }

  #take(bytes: Buffer): void {
    const message = lineMessage(bytes)
    if (message === undefined) return
    const session = this.#sessions.get(message.session)
    if (session) session.take(message)
    else if (message.kind === kinds.open && message.index === 0 && /^[0-9a-f]{16}$/.test(message.body.toString('latin1')))
      this.#open(message)
  }

  #open(message: LineMessage): void {
    const answers = answersOf(message.session)
    const session: Session = new Session({
      ...{ engine: this.#engine, bus: this.#bus, broadcaster: this.#broadcaster },
      client: message.body.toString('latin1'),
      session: answers,
      onShare: (own) => this.#shares.push({ session: answers, own }),
      beforeWrite: () => this.#broadcast(),
      onEnd: () => this.#sessions.delete(message.session),
    })
    this.#sessions.set(message.session, session)
    session.take({ ...message, body: Buffer.alloc(0) })
    // Sinks are served in the order in which they were attached: this one comes last.
    this.#engine.detach(this)
    this.#engine.attach(this)
  }

  #beacon(): void {
    const { state, place } = this.#engine
    if (place === undefined || state === 'fenced' || state === 'halted') return
    const now = performance.now()
    if (place.seq === this.#told.seq && now - this.#told.at < quietMs) return
    this.#told = { seq: place.seq, at: now }
    this.#bus.send(subjects.leader, beaconBytes({ engine: this.#bus.id, ...place }))
  }
}

type SessionOptions = {
  readonly engine: Engine
  readonly bus: Bus
  readonly broadcaster: Broadcaster
  readonly client: string
  readonly session: string
  readonly onShare: (own: readonly number[]) => void
  /** Called before each write to the line: it must not overtake batches that were released earlier. */
  readonly beforeWrite: () => void
  readonly onEnd: () => void
}

/** A client's line, and the client as the engine sees it. */
class Session {
  readonly #line: Line
  readonly #served: Served
  readonly #onEnd: () => void
  #hearsAll = false

  constructor({ engine, bus, broadcaster, client, session, onShare, beforeWrite, onEnd }: SessionOptions) {
    this.#onEnd = onEnd
    this.#line = new Line({
      ...{ bus, to: subjects.client(client), session },
      mark: () => (this.#hearsAll ? 1 + broadcaster.next : 0),
      onData: (bytes) => this.#read(bytes),
      onEnd: () => this.#close(),
    })
    const write = (...parts: readonly Uint8Array[]): void => {
      beforeWrite()
      this.#line.write(...parts)
    }
    const join = (): void => {
      beforeWrite()
      this.#hearsAll = true
      this.#line.touch()
    }
    this.#served = new Served(engine, { write, broadcast: { join, take: onShare } })
    this.#reader = new FrameReader((type, body) => this.#served.take(type, body))
  }

  readonly #reader: FrameReader

  /** Whether broadcasts are for this client, too. */
  get hearsAll(): boolean {
    return this.#hearsAll
  }

  take(message: LineMessage): void {
    this.#line.take(message)
  }

  end(): void {
    this.#line.destroy()
    this.#close()
  }

  #read(bytes: Buffer): void {
    try {
      // The reader keeps what is incomplete, and the bytes are gone after this call.
      this.#reader.push(Buffer.from(bytes))
    } catch {
      // The other end does not follow the protocol, so nothing more is read from it.
      this.end()
    }
  }

  #close(): void {
    this.#served.close()
    this.#onEnd()
  }
}
