import type { Millis } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'

export type Logged = { readonly event: Event; readonly at: Millis; readonly seq: number }

/**
 * What happens to the orders of users that the engine is being asked about: its answer may be older than the events that have
 * come by the time it is here.
 */
export class OrderLog {
  readonly #open = new Map<UserId, Logged[]>()

  begin(user: UserId): void {
    this.#open.set(user, [])
  }

  /** Notes the events of users who are being asked about. */
  note(event: Event, at: Millis, seq: number): void {
    if (this.#open.size === 0) return
    if (event.type === 'traded') {
      this.#add(event.makerUser, event, at, seq)
      if (event.takerUser !== event.makerUser) this.#add(event.takerUser, event, at, seq)
    } else if (event.type.startsWith('order.')) this.#add((event as { user: UserId }).user, event, at, seq)
  }

  /** What was noted of the user; nothing more is. */
  end(user: UserId): readonly Logged[] {
    const logged = this.#open.get(user) ?? []
    this.#open.delete(user)
    return logged
  }

  clear(): void {
    this.#open.clear()
  }

  #add(user: UserId, event: Event, at: Millis, seq: number): void {
    this.#open.get(user)?.push({ event, at, seq })
  }
}
