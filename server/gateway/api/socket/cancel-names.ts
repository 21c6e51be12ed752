import type { Command } from '@candor/core/protocol/command/index.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'

const keptMax = 10_000

/** What programs call their cancels, from the request until the order's end is told: events don't carry it. */
export class CancelNames {
  /** In two halves, the older of which is forgotten whole. By who asked, and the order's number or client id. */
  #names = new Map<string, string>()
  #before = new Map<string, string>()

  /** Sees each command that leaves this gateway. */
  note(command: Command): void {
    if (command.type !== 'spot.cancel' || command.clientId === '') return
    const { user, order, orderClientId, clientId } = command
    if (this.#names.size >= keptMax) {
      this.#before = this.#names
      this.#names = new Map()
    }
    this.#names.set(order === 0 ? named(user, orderClientId) : numbered(user, order), clientId)
  }

  /** Undefined: it was not cancelled by name. */
  of({ order, user, clientId }: { readonly order: OrderId; readonly user: UserId; readonly clientId: string }): string | undefined {
    return this.#find(numbered(user, order)) ?? this.#find(named(user, clientId))
  }

  #find(key: string): string | undefined {
    return this.#names.get(key) ?? this.#before.get(key)
  }
}

/** Nobody's request names the orders of others. */
const numbered = (user: UserId, order: OrderId): string => `${user}#${order}`
const named = (user: UserId, clientId: string): string => `${user} ${clientId}`
