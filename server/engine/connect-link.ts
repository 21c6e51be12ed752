import type { Released } from '@candor/core/protocol/released.ts'
import { refusals, type Refusal } from '@candor/core/protocol/refusal.ts'
import { Refused } from '../refused.ts'
import { bytesOf, FrameReader, type FrameType, frame, frameTypes, jsonFrame, numbersOf, parseJson, slotsOf } from './frames.ts'
import type { Link } from './link.ts'
import { ReceivedBatch } from './outcomes.ts'
import { makeAsk, type Question } from './questions.ts'
import { Requests } from './requests.ts'
import type { Dial, Dialled, Wire } from './link/wire.ts'

const refusalOfId = new Map<number, Refusal>(Object.entries(refusals).map(([name, { id }]) => [id, name as Refusal]))

export type LinkOptions = {
  /**
   * For how long after a break commands that have an id are sent again, to whichever engine leads then, before their outcome counts as
   * unknown; the core answers one that was executed with its first outcome. Default: 0.
   */
  readonly resendMs?: number
  /** What the link uses alone, and ends with it. */
  readonly owned?: AsyncDisposable
}

/** A link to the engine. Resolves once connected; reconnects by itself whenever it breaks. */
export async function connectLink(dial: Dial, options: LinkOptions = {}): Promise<Link> {
  const link = new RemoteLink(dial, options)
  await link.connected
  return link
}

class RemoteLink implements Link {
  readonly connected: Promise<void>
  readonly ask = makeAsk((question) => this.#ask(question))
  readonly #requests: Requests
  readonly #asks = new Map<number, { resolve: (answer: unknown) => void; reject: (cause: Error) => void }>()
  readonly #releasedListeners: ((released: Released) => void)[] = []
  readonly #headListeners = new Set<(seq: number) => void>()
  readonly #stateListeners: ((state: 'up' | 'down') => void)[] = []
  readonly #topics = new Map<string, ((value: unknown) => void)[]>()
  readonly #lastPublished = new Map<string, unknown>()
  readonly #dialled: Dialled
  readonly #owned: AsyncDisposable | undefined
  #wire: Wire | undefined
  #reader: FrameReader | undefined
  #state: 'up' | 'down' = 'down'
  #lastSeq = 0
  #lastAsk = 0
  #greeted: () => void = () => undefined

  constructor(dial: Dial, { resendMs = 0, owned }: LinkOptions) {
    this.#owned = owned
    this.#requests = new Requests((requests, commands) => this.#send(requests, commands), resendMs)
    this.connected = new Promise((resolve) => {
      this.#greeted = resolve
    })
    this.#dialled = dial({
      opened: (wire) => this.#opened(wire),
      data: (bytes) => this.#reader?.push(bytes),
      released: (slots) => this.#released(slots),
      closed: () => this.#broken(),
      published: (topic, value) => this.#hear({ topic, value }),
    })
  }

  readonly submit: Link['submit'] = (command, keyId = 0) => {
    if (this.#state !== 'up') return Promise.reject(new Refused('UNAVAILABLE'))
    return this.#requests.submit(command, keyId)
  }

  onReleased(listener: (released: Released) => void): void {
    this.#releasedListeners.push(listener)
    if (this.#releasedListeners.length === 1) this.#subscribe()
  }

  onHead(listener: (seq: number) => void): () => void {
    this.#headListeners.add(listener)
    if (this.#headListeners.size === 1) this.#askForHead()
    return () => void this.#headListeners.delete(listener)
  }

  sendOnce(): void {
    this.#requests.sendOnce()
  }

  publish(topic: string, value: unknown): void {
    if (this.#dialled.publish) this.#dialled.publish(topic, value)
    else this.#wire?.write(jsonFrame(frameTypes.publish, { topic, value }))
  }

  onPublished(topic: string, listener: (value: unknown) => void): void {
    this.#topics.set(topic, [...(this.#topics.get(topic) ?? []), listener])
    if (this.#lastPublished.has(topic)) listener(this.#lastPublished.get(topic))
  }

  onState(listener: (state: 'up' | 'down') => void): void {
    this.#stateListeners.push(listener)
    listener(this.#state)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#dialled.end()
    this.#broken()
    this.#requests.end()
    await this.#owned?.[Symbol.asyncDispose]()
  }

  #opened(wire: Wire): void {
    this.#wire = wire
    this.#reader = new FrameReader((type, body) => this.#take(type, body))
    if (this.#releasedListeners.length > 0) this.#subscribe()
    if (this.#headListeners.size > 0) this.#askForHead()
  }

  #broken(): void {
    this.#wire = undefined
    this.#setState('down')
    this.#requests.lost()
    for (const { reject } of this.#asks.values()) reject(new Refused('UNAVAILABLE'))
    this.#asks.clear()
  }

  #send(requests: readonly number[], commands: Float64Array): void {
    if (!this.#wire) return this.#requests.refused(requests, 'UNAVAILABLE')
    this.#wire.write(frame(frameTypes.submit, bytesOf(Uint32Array.of(requests.length, ...requests)), bytesOf(commands)))
  }

  #subscribe(): void {
    this.#wire?.hearAll?.()
    this.#wire?.write(jsonFrame(frameTypes.subscribe, { after: this.#lastSeq }))
  }

  #askForHead(): void {
    this.#wire?.write(jsonFrame(frameTypes.head, null))
  }

  #ask(question: Question): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.#wire) return reject(new Refused('UNAVAILABLE'))
      const id = ++this.#lastAsk
      this.#asks.set(id, { resolve, reject })
      this.#wire.write(jsonFrame(frameTypes.ask, { id, question }))
    })
  }

  #take(type: FrameType, body: Buffer): void {
    if (type === frameTypes.released) this.#released(slotsOf(body))
    else if (type === frameTypes.refused) {
      const [id, ...requests] = numbersOf(body)
      this.#requests.refused(requests, refusalOfId.get(id as number) ?? 'STATUS_UNKNOWN')
    } else if (type === frameTypes.answer) this.#answered(parseJson(body))
    else if (type === frameTypes.publish) this.#hear(parseJson(body))
    else if (type === frameTypes.head) for (const listener of this.#headListeners) listener(parseJson(body))
    else if (type === frameTypes.state) {
      this.#setState(parseJson(body))
      this.#greeted()
    }
  }

  #released(slots: Float64Array): void {
    const [firstSeq, lastSeq, isWhole, ownSlots] = slots as unknown as [number, number, number, number]
    const batch = new ReceivedBatch(firstSeq, lastSeq, slots, 4 + ownSlots)
    this.#requests.released(batch, slots.subarray(4, 4 + ownSlots))
    // Batches that arrive twice, once as missed and once as new, count once.
    if (isWhole !== 1 || lastSeq <= this.#lastSeq) return
    this.#lastSeq = lastSeq
    for (const listener of this.#releasedListeners) listener(batch)
  }

  #answered({ id, answer, isUnavailable }: { id: number; answer?: unknown; isUnavailable?: boolean }): void {
    const waiting = this.#asks.get(id)
    this.#asks.delete(id)
    if (isUnavailable) waiting?.reject(new Refused('UNAVAILABLE'))
    else waiting?.resolve(answer)
  }

  #hear({ topic, value }: { topic: string; value: unknown }): void {
    this.#lastPublished.set(topic, value)
    for (const listener of this.#topics.get(topic) ?? []) listener(value)
  }

  #setState(state: 'up' | 'down'): void {
    if (this.#state === state) return
    this.#state = state
    for (const listener of this.#stateListeners) listener(state)
    if (state === 'up') this.#requests.resume()
  }
}
