/** A line on its way to another price: held by a finger or by keys, then confirmed or given up. */
import type { OwnLine } from './line.ts'

export type Move = {
  readonly id: string
  /** Of the line when the move began. */
  readonly version: string
  /** In ticks. */
  readonly from: number
  readonly to: number
  /**
   * `held`: the pointer is down. `asked`: waits for the confirmation. `sending`: the exchange has not answered yet. `done`: it has, and the
   * list of orders does not show it yet.
   */
  readonly stage: 'held' | 'asked' | 'sending' | 'done'
}

/** What a market must be for an order of it to be moved. */
export type Gate = { readonly isTrading: boolean; readonly isLive: boolean }

/** Why a move can't go on: the thing is gone or has changed, there are no live prices, or the market is halted. */
export type Stop = 'gone' | 'changed' | 'offline' | 'halted'

/** Why a move stops here, if it does. One that was sent goes on: the exchange decides it. */
export function stopOf(move: Move, lines: readonly OwnLine[], gate: Gate): Stop | undefined {
  if (move.stage === 'sending' || move.stage === 'done') return undefined
  const found = lines.find((line) => line.id === move.id)?.move
  if (found === undefined) return 'gone'
  if (found.version !== move.version) return 'changed'
  return found.needsMarket ? blockOf(gate) : undefined
}

/** Whether the lines show what was moved. Until then the moved line stays where it was put. */
export function isShown(move: Move, lines: readonly OwnLine[]): boolean {
  return move.stage === 'done' && lines.find((line) => line.id === move.id)?.move?.version !== move.version
}

/** Why no move begins, if none does. */
export function blockOf({ isTrading, isLive }: Gate): 'offline' | 'halted' | undefined {
  return isLive ? (isTrading ? undefined : 'halted') : 'offline'
}

/** The move at another price. A price is at least one tick. */
export function movedTo(move: Move, ticks: number): Move {
  return { ...move, to: Math.max(1, Math.round(ticks)) }
}

/** After the pointer went up: a move back to its own price is none. */
export function released(move: Move): Move | undefined {
  return move.to === move.from ? undefined : { ...move, stage: 'asked' }
}
