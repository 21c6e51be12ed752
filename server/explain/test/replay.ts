/** Commands of a workload, executed again with looks on the way. */
import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Step } from '../../../simulator/workload.ts'
import type { Look, LookFault } from '../../journal/looks.ts'

export function execute(exchange: Exchange, { command, stamp }: Step): readonly Event[] {
  const [commands, events] = [new Records(), new Records()]
  encodeCommand(command, stamp, commands)
  exchange.execute(commands.data, 0, events)
  return decodeEvents(events.data, 0, events.length)
}

export type Asked<T> = {
  readonly looks: readonly Look[]
  result(missed: ReadonlyMap<Look, LookFault>): T | LookFault
}

/**
 * Executes the same commands on an exchange of its own, takes all looks on the way, and calls `watch` after each command with an exchange
 * that must not be changed.
 */
export function replay(ran: readonly Step[], asked: readonly Asked<unknown>[], watch?: (seq: number, exchange: Exchange) => void): void {
  const exchange = Exchange.create()
  const looks = Map.groupBy(
    asked.flatMap((one) => one.looks),
    ({ seq }) => seq,
  )
  for (const step of ran) {
    const { command, stamp } = step
    const mine = looks.get(stamp.seq) ?? []
    const seen = { seq: stamp.seq, at: stamp.at as Millis, command }
    for (const look of mine) look.before?.(exchange, seen)
    const events = execute(exchange, step)
    for (const look of mine) look.after?.(exchange, events, seen)
    watch?.(stamp.seq, exchange)
  }
}
