import type { Command } from '@candor/core/protocol/command/index.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'

const keptMax = 20_000

/** What programs call their cancels, from the request until the order's end is told: events don't carry it. */
export class CancelNames {
  readonly #names = new Map<string, string>()

  /** Sees each command that leaves this gateway. */
  note(command: Command): void {
    if (command.type !== 'spot.cancel' || command.clientId === '') return
    const { user, order, orderClientId, clientId } = command
    this.#names.set(order === 0 ? `${user} ${orderClientId}` : String(order), clientId)
    if (this.#names.size > keptMax) this.#names.delete(this.#names.keys().next().value as string)
  }

  /** Undefined: it was not cancelled by name. */
  of({ order, user, clientId }: { readonly order: OrderId; readonly user: UserId; readonly clientId: string }): string | undefined {
    return this.#names.get(String(order)) ?? this.#names.get(`${user} ${clientId}`)
  }
}
