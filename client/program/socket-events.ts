import type { Answer } from './socket-asks.ts'
import type { SocketSession } from './socket-session.ts'
import type { SpotEvent } from './user-types.ts'

export type EventListener = (event: SpotEvent) => void

/** Of a listener that no socket tells anything now. */
const noSubscription = -1

/** Events of the account: who listens, each with the number of a subscription of the present socket. */
export class SocketEvents {
  readonly #session: SocketSession
  readonly #listeners = new Map<EventListener, number>()
  /** Events may come in one piece with the answer that names their subscription: they wait until it is known. */
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

  /** On another socket. */
  async subscribeAgain(): Promise<void> {
    for (const listener of this.#listeners.keys()) await this.subscribe(listener)
  }

  /** The subscription that ends with the listener; undefined when there was none. */
  forget(listener: EventListener): number | undefined {
    const subscriptionId = this.#listeners.get(listener)
    this.#listeners.delete(listener)
    return subscriptionId
  }

  /** Numbers of subscriptions are the socket's: another socket counts anew. */
  lost(): void {
    for (const listener of this.#listeners.keys()) this.#listeners.set(listener, noSubscription)
    this.#early = []
  }
}
