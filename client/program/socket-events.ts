import type { Answer } from './socket-asks.ts'
import type { SocketSession } from './socket-session.ts'
import type { SpotEvent } from './user-types.ts'

export type EventListener = (event: SpotEvent) => void

/** The id of a listener that has no subscription now. */
const noSubscription = -1

/** Listeners to events of the account, each with the id of its subscription on the current socket. */
export class SocketEvents {
  readonly #session: SocketSession
  readonly #listeners = new Map<EventListener, number>()
  /** Events may come together with the answer that has their subscription's id: they wait until it is known. */
  #early: Answer[] = []
  #subscribing = 0

  constructor(session: SocketSession) {
    this.#session = session
  }

  heard(message: Answer): void {
    const event = message.event as SpotEvent
    let isHeard = false
    for (const [listener, id] of this.#listeners) {
      if (id !== message.subscriptionId) continue
      isHeard = true
      listener(event)
    }
    if (!isHeard && this.#subscribing > 0) this.#early.push(message)
  }

  async subscribe(listener: EventListener): Promise<void> {
    const session = this.#session
    const method = session.isOpen ? 'userDataStream.subscribe' : 'userDataStream.subscribe.signature'
    this.#subscribing += 1
    try {
      const result = await session.timed(method, async () => (session.isOpen ? {} : session.signed({})))
      const { subscriptionId } = result as { readonly subscriptionId: number }
      this.#listeners.set(listener, subscriptionId)
      for (const { event, subscriptionId: of } of this.#early) if (of === subscriptionId && event !== undefined) listener(event)
      this.#early = this.#early.filter((one) => one.subscriptionId !== subscriptionId)
    } finally {
      this.#subscribing -= 1
      if (this.#subscribing === 0) this.#early = []
    }
  }

  /** Subscribes all listeners on a new socket. */
  async subscribeAgain(): Promise<void> {
    for (const listener of this.#listeners.keys()) await this.subscribe(listener)
  }

  /** Removes a listener and returns its subscription; undefined when it had none. */
  forget(listener: EventListener): number | undefined {
    const subscriptionId = this.#listeners.get(listener)
    this.#listeners.delete(listener)
    return subscriptionId
  }

  /** Ids of subscriptions belong to one socket: another socket has its own. */
  lost(): void {
    for (const listener of this.#listeners.keys()) this.#listeners.set(listener, noSubscription)
    this.#early = []
  }
}
