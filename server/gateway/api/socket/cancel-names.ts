import type { Command } from '@candor/core/protocol/command/index.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'

const keptMax = 10_000

/** What programs call their cancels, from the request until the order's end is told: events don't carry it. */
export class CancelNames {
  /** In two halves, the older of which is forgotten whole. By order's number, or by user and client id. */
  #names = new Map<number | string, string>()
  #before = new Map<number | string, string>()

  /** Sees each command that leaves this gateway. */
  note(command: Command): void {
    if (command.type !== 'spot.cancel' || command.clientId === '') return
    const { user, order, orderClientId, clientId } = command
    if (this.#names.size >= keptMax) {
      this.#before = this.#names
      this.#names = new Map()
    }
    this.#names.set(order === 0 ? `${user} ${orderClientId}` : order, clientId)
  }

  /** Undefined: it was not cancelled by name. */
  of({ order, user, clientId }: { readonly order: OrderId; readonly user: UserId; readonly clientId: string }): string | undefined {
    return this.#find(order) ?? this.#find(`${user} ${clientId}`)
  }

  #find(key: number | string): string | undefined {
    return this.#names.get(key) ?? this.#before.get(key)
  }
}
