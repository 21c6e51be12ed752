import type { Command } from '@candor/core/protocol/command/index.ts'
import type { EntryEvent, Event } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'

/** Checks firms by commands and events alone: who belongs together, and that money moves only within a firm, exactly as asked for. */
export class FirmAudit {
  readonly #mains = new Map<UserId, UserId>()
  moves = 0

  /** Takes the events of one command. Throws when they are impossible. */
  follow(command: Command, events: readonly Event[]): void {
    for (const event of events) if (event.type === 'firm.joined') this.#join(event.user, event.main)
    const moved = events.filter((event): event is EntryEvent => event.type === 'entry' && event.reason === 'firm-move')
    if (moved.length === 0) return
    if (command.type !== 'firm.move') throw new Error(`${command.type} moved money within a firm`)
    const [out, into, ...others] = moved
    const { user, to, asset, amount } = command
    if (out === undefined || into === undefined || others.length > 0) throw new Error('a move of other than two entries')
    const isRight = isOf(out, user, asset, -amount) && isOf(into, to, asset, amount)
    if (!isRight) throw new Error('a move differs from its command')
    if (this.#mains.get(user) === undefined || this.#mains.get(user) !== this.#mains.get(to)) throw new Error('money left a firm')
    this.moves++
  }

  #join(user: UserId, main: UserId): void {
    if (this.#mains.has(user)) throw new Error(`account ${user} joined twice`)
    if (user !== main && this.#mains.get(main) !== main) throw new Error(`account ${user} joined what is no firm`)
    this.#mains.set(user, main)
  }
}

function isOf({ account, delta, heldDelta }: EntryEvent, user: UserId, asset: number, amount: number): boolean {
  return (
    'kind' in account && account.kind === 'spot' && account.user === user && account.asset === asset && delta === amount && heldDelta === 0
  )
}
