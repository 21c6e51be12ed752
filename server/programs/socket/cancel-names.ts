import type { CancelOrder } from '@candor/core/protocol/command/spot.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'

const keptMax = 10_000

/** The user who sent a cancel, and its client id. */
type Named = { readonly user: UserId; readonly clientId: string }

/**
 * The client ids of cancels, which events do not contain, kept from the request until the end of the order is reported. Only for
 * users with a listener.
 */
export class CancelNames {
  /** By the order's number, or by user and client id. Kept in two halves; the older half is dropped as a whole. */
  #names = new Map<OrderId | string, Named>()
  #before = new Map<OrderId | string, Named>()

  note({ user, order, orderClientId, clientId }: CancelOrder): void {
    if (clientId === '') return
    if (this.#names.size >= keptMax) {
      this.#before = this.#names
      this.#names = new Map()
    }
    this.#names.set(order === 0 ? `${user} ${orderClientId}` : this.#numberFor(user, order), { user, clientId })
  }

  /** Undefined when the order was not cancelled under a client id. */
  of({ order, user, clientId }: { readonly order: OrderId; readonly user: UserId; readonly clientId: string }): string | undefined {
    return this.#find(order, user) ?? this.#find(`${user}#${order}`, user) ?? this.#find(`${user} ${clientId}`, user)
  }

  /** A user who names another user's order by its number must not replace that user's entry. */
  #numberFor(user: UserId, order: OrderId): OrderId | string {
    const named = this.#names.get(order)
    return named === undefined || named.user === user ? order : `${user}#${order}`
  }

  #find(key: OrderId | string, user: UserId): string | undefined {
    const named = this.#names.get(key)
    if (named?.user === user) return named.clientId
    const before = this.#before.get(key)
    return before?.user === user ? before.clientId : undefined
  }
}
