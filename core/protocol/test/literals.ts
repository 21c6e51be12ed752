/** Commands, events and markets as tests write them: complete, with plain numbers where the house has brands. */
import type { Loose } from '../../money/test/plain.ts'
import type { Command } from '../command/index.ts'
import type { Event } from '../event/index.ts'
import type { Candle, Market } from '../market.ts'

export function commandOf(command: Loose<Command>): Command {
  return command as Command
}

export function eventOf(event: Loose<Event>): Event {
  return event as Event
}

export function marketOf(market: Loose<Market>): Market {
  return market as Market
}

export function candleOf(candle: Loose<Candle>): Candle {
  return candle as Candle
}
