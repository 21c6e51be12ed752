import { Exchange } from '@candor/core/exchange/exchange.ts'
import { type Mode, modes } from '@candor/core/protocol/command/mode.ts'

/** Position of the mode in a dump, in slots. */
const modeSlot = 6

/**
 * The same exchange in another mode. A simulation has practice funds, with which no command gives production's rules, so the mode is
 * changed in a dump.
 */
export function withMode(exchange: Exchange, mode: Mode | undefined): Exchange {
  const slots = new Float64Array(new Uint8Array(exchange.dump()).buffer)
  slots[modeSlot] = mode === undefined ? 0 : 1 + modes.indexOf(mode)
  return Exchange.restore(new Uint8Array(slots.buffer))
}
