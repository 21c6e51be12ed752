import type { Mode } from '@candor/core/protocol/command/mode.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import { withMode } from '../production.ts'
import type { Loose } from '../scripts.ts'

/** A core that executes unbranded commands one at a time, stamped as by the engine. */
export class Desk {
  exchange = Exchange.create()
  readonly #commands = new Records(256)
  readonly #events = new Records(4096)
  /** Called with every event, outcomes included. */
  onEvent: (event: Event) => void = () => undefined
  atMs = 1_790_000_000_000

  /** Executes a command at the current time. */
  run(command: Loose): OutcomeEvent {
    this.#commands.clear()
    this.#events.clear()
    encodeCommand(command as Command, { seq: this.exchange.seq + 1, at: this.atMs, keyId: 0 }, this.#commands)
    this.exchange.execute(this.#commands.data, 0, this.#events)
    const events = decodeEvents(this.#events.data, 0, this.#events.length)
    for (const event of events) this.onEvent(event)
    return events.at(-1) as OutcomeEvent
  }

  /** Executes a command and throws if it is refused. */
  must(command: Loose): OutcomeEvent {
    const outcome = this.run(command)
    if (outcome.refusal !== undefined) throw new Error(`${command.type} was refused: ${outcome.refusal}`)
    return outcome
  }

  /** Plays with production's rules. The data has practice funds, so its mode is changed in a dump, and changed back afterwards. */
  inProduction(play: () => void): void {
    const before = this.exchange.mode
    this.#setMode('production')
    play()
    this.#setMode(before)
  }

  #setMode(mode: Mode | undefined): void {
    this.exchange = withMode(this.exchange, mode)
  }

  /** Sends clock ticks until nothing is due, at most `portions`. Returns their number. */
  catchUp(portions = 10_000): number {
    let done = 0
    while (done < portions && this.exchange.nextDueAtMs <= this.atMs) {
      this.run({ type: 'clock.tick' })
      done++
    }
    return done
  }
}
