import type { CancelOrder } from '@candor/core/protocol/command/spot.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'

const keptMax = 10_000

/** Who asked, and what they call their cancel. */
type Named = { readonly user: UserId; readonly clientId: string }

/** The client ids of cancels, which events don't carry, from the request until the order's end is told. Only for users with a listener. */
export class CancelNames {
  /** In two halves, the older of which is forgotten whole. By the order's number; or by who asked, and its client id. */
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

  /** Undefined: it was not cancelled by name. */
  of({ order, user, clientId }: { readonly order: OrderId; readonly user: UserId; readonly clientId: string }): string | undefined {
    return this.#find(order, user) ?? this.#find(`${user}#${order}`, user) ?? this.#find(`${user} ${clientId}`, user)
  }

  /** Whoever names the order of somebody else by its number takes nobody's place. */
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
