import { commandLength, decodeCommand } from '@candor/core/protocol/codec/command.ts'
import { refusals } from '@candor/core/protocol/refusal.ts'
import { StoreFault } from '../../store/fault.ts'
import type { ReleasedBatch, Sink } from '../batch.ts'
import type { Engine } from '../engine.ts'
import { bytesOf, type FrameType, frame, frameHead, frameTypes, jsonFrame, parseJson, slotsOf } from '../frames.ts'
import { HeadTeller } from '../head-teller.ts'
import { answerQuestion, type Question } from '../questions.ts'

/** How a linked process is reached. */
export type Way = {
  write(...parts: Uint8Array[]): void
  /** Where whole batches and small facts go to all linked processes at once. */
  readonly broadcast?: {
    /**
     * The next whole batch, and all after it, come by broadcast. Called after those that the process missed were written: if one of them is
     * lost, the process does not learn of this either, and no later batch overtakes it.
     */
    join(): void
    /** The process's own commands in the batch that is being released: it is broadcast right after. */
    take(own: readonly number[]): void
  }
}

/** Slots of the command at `at`. Throws when it can't be read. */
const readableLength = (data: Float64Array, at: number): number => decodeCommand(data, at).length

/** One linked process, seen from the engine. */
export class Served implements Sink {
  wantsAll = false
  #wantsHead = false
  readonly #teller = new HeadTeller((seq) => this.#way.write(jsonFrame(frameTypes.head, seq)))
  readonly #engine: Engine
  readonly #way: Way
  readonly #hear = (topic: string, value: unknown) => this.#way.write(jsonFrame(frameTypes.publish, { topic, value }))
  readonly #tellState = () => this.#way.write(jsonFrame(frameTypes.state, this.#engine.state === 'up' ? 'up' : 'down'))

  constructor(engine: Engine, way: Way) {
    this.#engine = engine
    this.#way = way
    engine.attach(this)
    this.#tellState()
    engine.onState(this.#tellState)
    if (way.broadcast === undefined) engine.hub.join(this.#hear)
    else for (const [topic, value] of engine.hub.last) this.#hear(topic, value)
  }

  take(type: FrameType, body: Buffer): void {
    if (type === frameTypes.submit) return this.#offer(body)
    if (type === frameTypes.ask) return this.#ask(parseJson(body))
    if (type === frameTypes.head) {
      this.#wantsHead = true
      return this.advanced(this.#engine.seq)
    }
    if (type === frameTypes.subscribe) return this.#subscribe(parseJson(body))
    // Over the bus, facts go beside the line: NATS decides who may tell which, and the engine may tell all of them.
    if (type !== frameTypes.publish || this.#way.broadcast !== undefined)
      throw new StoreFault(`A linked process sent a frame of type ${type}`)
    const { topic, value } = parseJson(body) as { topic: string; value: unknown }
    this.#engine.hub.publish(topic, value, this.#hear)
  }

  release(batch: ReleasedBatch, own: readonly number[]): void {
    if (this.wantsAll && this.#way.broadcast) this.#way.broadcast.take(own)
    else this.#send(batch, own)
  }

  #send({ firstSeq, lastSeq, events }: ReleasedBatch, own: readonly number[]): void {
    const head = new Float64Array(4 + own.length)
    head[0] = firstSeq
    head[1] = lastSeq
    head[2] = this.wantsAll ? 1 : 0
    head[3] = own.length
    if (this.wantsAll) {
      head.set(own, 4)
      // The events are sent as they are, shared with all receivers; the system joins both parts in one write.
      this.#way.write(frameHead(frameTypes.released, head.byteLength + events.byteLength, bytesOf(head)), bytesOf(events))
      return
    }
    const slices: Uint8Array[] = []
    let at = 0
    for (let i = 0; i < own.length; i += 3) {
      const from = own[i + 1] as number
      const to = own[i + 2] as number
      head[4 + i] = own[i] as number
      head[5 + i] = at
      at += to - from
      head[6 + i] = at
      slices.push(bytesOf(events.subarray(from, to)))
    }
    this.#way.write(frame(frameTypes.released, bytesOf(head), ...slices))
  }

  advanced(seq: number): void {
    if (this.#wantsHead) this.#teller.advanced(seq)
  }

  refuse(requests: readonly number[], refusal: keyof typeof refusals): void {
    this.#way.write(frame(frameTypes.refused, bytesOf(Uint32Array.of(refusals[refusal].id, ...requests))))
  }

  close(): void {
    this.#teller.stop()
    this.#engine.detach(this)
    this.#engine.offState(this.#tellState)
    this.#engine.hub.leave(this.#hear)
  }

  /**
   * Count, request numbers, then the records; checks that they are complete, so that the engine can walk them, and whole numbers: the core
   * counts on that, and halts or keeps a fraction where it is wrong. Over the bus they come from other machines: each must be readable as a
   * command. Otherwise one that is malformed ends the engine, or stays in the journal, where the follower can never pass it.
   */
  #offer(body: Buffer): void {
    const count = body.readUInt32LE(0)
    const start = 4 + count * 4
    const data = slotsOf(body.subarray(start))
    const requests = Array.from({ length: count }, (_, i) => body.readUInt32LE(4 + i * 4))
    let at = 0
    const lengthAt = this.#way.broadcast === undefined ? commandLength : readableLength
    for (let i = 0; i < count; i++) at += lengthAt(data, at)
    if (at !== data.length) throw new StoreFault('The commands of a linked process do not fill their frame exactly')
    for (let slot = 0; slot < data.length; slot++)
      if (!Number.isSafeInteger(data[slot])) throw new StoreFault('A command of a linked process has a slot that is no whole number')
    this.#engine.offer({ sink: this, data, requests })
  }

  #ask({ id, question }: { id: number; question: Question }): void {
    answerQuestion(this.#engine, question).then(
      (answer) => this.#way.write(jsonFrame(frameTypes.answer, { id, answer })),
      () => this.#way.write(jsonFrame(frameTypes.answer, { id, isUnavailable: true })),
    )
  }

  /** Stands for missed batches that are no longer kept: the gap shows at once, and not only with the next batch. */
  #none(): ReleasedBatch {
    const { seq } = this.#engine
    return { firstSeq: seq + 1, lastSeq: seq, events: new Float64Array() }
  }

  #subscribe({ after }: { after: number }): void {
    this.wantsAll = true
    for (const batch of after === 0 ? [] : (this.#engine.recent.since(after) ?? [this.#none()])) this.#send(batch, [])
    this.#way.broadcast?.join()
  }
}
