import { modes } from '../../protocol/command/mode.ts'
import { Exchange } from '../exchange.ts'
import type { World } from './world.ts'

/** Position of the mode in a dump, in slots. */
const modeSlot = 6

/** Turns the exchange into production by its dump, because tests have only practice funds. */
export function asProduction(world: World): void {
  const slots = new Float64Array(new Uint8Array(world.exchange.dump()).buffer)
  slots[modeSlot] = 1 + modes.indexOf('production')
  world.exchange = Exchange.restore(new Uint8Array(slots.buffer))
}
