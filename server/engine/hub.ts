type Listener = (topic: string, value: unknown) => void

/**
 * Small facts between linked processes (feed status, the projector's progress). Not journaled; a new process gets the last
 * value of each.
 */
export class Hub {
  readonly #listeners = new Set<Listener>()
  readonly last = new Map<string, unknown>()

  join(listener: Listener): void {
    for (const [topic, value] of this.last) listener(topic, value)
    this.#listeners.add(listener)
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener)
  }

  /** Sends to all listeners except the publisher. */
  publish(topic: string, value: unknown, from?: Listener): void {
    this.last.set(topic, value)
    for (const listener of this.#listeners) if (listener !== from) listener(topic, value)
  }
}
