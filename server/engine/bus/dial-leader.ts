import { randomBytes } from 'node:crypto'
import type { Bus } from '../../bus/bus.ts'
import { answersOf, Line, lineMessage, sessionBytes } from '../../bus/line.ts'
import type { Dial, WireEvents } from '../link/wire.ts'
import { beaconIn, type ToldBeacon } from './beacon.ts'
import { BroadcastReader } from './broadcast.ts'
import { factIn, subjects, topicOf } from './subjects.ts'

/**
 * Connects to the engine that leads, over the bus. It is found by its beacon. When another one leads, under a later epoch, the
 * connection to the former one breaks, and nothing that it still says counts.
 *
 * onBeacon  hears each beacon of the newest epoch
 */
export const dialLeader =
  (bus: Bus, onBeacon: (beacon: ToldBeacon) => void = () => undefined): Dial =>
  (events) => {
    const dialled = new LeaderDial(bus, events, onBeacon)
    return {
      end: () => dialled.end(),
      publish: (topic, value) => bus.send(subjects.topic(topic), Buffer.from(JSON.stringify(value))),
    }
  }

class LeaderDial {
  readonly #bus: Bus
  readonly #events: WireEvents
  readonly #onBeacon: (beacon: ToldBeacon) => void
  readonly #stops: (() => void)[]
  #epoch = 0
  #engine = ''
  /** The id on answers; '' without a line. */
  #answers = ''
  #line: Line | undefined
  #broadcasts: BroadcastReader | undefined
  /** Whether the engine has answered on this line. */
  #isOpen = false
  #hearsAll = false

  constructor(bus: Bus, events: WireEvents, onBeacon: (beacon: ToldBeacon) => void) {
    this.#bus = bus
    this.#events = events
    this.#onBeacon = onBeacon
    this.#stops = [
      bus.hear(subjects.leader, (bytes) => this.#hear(beaconIn(bytes))),
      bus.hear(subjects.client(bus.id), (bytes) => this.#take(bytes)),
      bus.hear(subjects.topics, (bytes, subject) => {
        const fact = factIn(bytes)
        if (fact !== undefined) events.published(topicOf(subject), fact)
      }),
      bus.onState((isUp) => {
        if (!isUp) this.#lost()
      }),
    ]
  }

  end(): void {
    for (const stop of this.#stops) stop()
    this.#line?.destroy()
    this.#line = undefined
  }

  #hear(beacon: ToldBeacon | undefined): void {
    if (beacon === undefined || beacon.epoch < this.#epoch) return
    if (this.#line !== undefined && beacon.engine !== this.#engine) this.#lost()
    this.#epoch = beacon.epoch
    this.#engine = beacon.engine
    this.#onBeacon(beacon)
    if (this.#line === undefined) this.#open()
  }

  #open(): void {
    const session = randomBytes(sessionBytes).toString('hex')
    this.#answers = answersOf(session)
    this.#broadcasts = new BroadcastReader(this.#engine, this.#answers, (slots) => this.#events.released(slots))
    this.#line = new Line({
      ...{ bus: this.#bus, to: subjects.engine(this.#engine), session },
      onData: (bytes, mark) => this.#data(bytes, mark),
      onEnd: () => this.#lost(),
    })
    this.#line.open(Buffer.from(this.#bus.id, 'latin1'))
  }

  /** Only those that ask for all batches are sent them. */
  #hearAll(): void {
    if (this.#hearsAll) return
    this.#hearsAll = true
    this.#stops.push(
      this.#bus.hear(subjects.released, (bytes) => {
        if (this.#broadcasts?.take(bytes) === false) this.#lost()
      }),
    )
  }

  #take(bytes: Buffer): void {
    const message = lineMessage(bytes)
    if (message?.session === this.#answers) this.#line?.take(message)
  }

  #data(bytes: Buffer, mark: number): void {
    if (!this.#isOpen) {
      this.#isOpen = true
      this.#events.opened({
        write: (sent) => this.#line?.write(sent),
        hearAll: () => this.#hearAll(),
      })
    }
    if (mark > 0 && !this.#isInStep(mark - 1)) return this.#lost()
    // What is incomplete is kept, and the bytes are gone after this call.
    if (bytes.length > 0) this.#events.data(Buffer.from(bytes))
  }

  /** Whether all that the engine has broadcast has come, and nothing of it too early. */
  #isInStep(next: number): boolean {
    const broadcasts = this.#broadcasts!
    return broadcasts.hasJoined ? broadcasts.expected === next : broadcasts.join(next)
  }

  /** The connection is broken. The next beacon opens another. */
  #lost(): void {
    const wasOpen = this.#isOpen
    this.#line?.destroy()
    this.#line = undefined
    this.#broadcasts = undefined
    this.#answers = ''
    this.#isOpen = false
    if (wasOpen) this.#events.closed()
  }
}
