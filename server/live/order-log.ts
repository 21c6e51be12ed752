import type { Millis } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'

export type Logged = { readonly event: Event; readonly at: Millis; readonly seq: number }

/** Records the order events of users while the engine is asked about them: when its answer arrives, it may be older than these events. */
export class OrderLog {
  readonly #open = new Map<UserId, Logged[]>()

  begin(user: UserId): void {
    this.#open.set(user, [])
  }

  /** Records an event if its user is being asked about. */
  note(event: Event, at: Millis, seq: number): void {
    if (this.#open.size === 0) return
    if (event.type === 'traded') {
      this.#add(event.makerUser, event, at, seq)
      if (event.takerUser !== event.makerUser) this.#add(event.takerUser, event, at, seq)
    } else if (event.type.startsWith('order.') || event.type === 'match.prevented')
      this.#add((event as { user: UserId }).user, event, at, seq)
  }

  /** Returns the recorded events of the user and stops recording. */
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
