import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from './state.ts'

/**
 * Decides the command whose slots begin at `start`. First it checks, and may refuse with nothing changed. Then it applies the
 * command, which can't fail. The rest of a long job is left to clock ticks.
 */
export type Handler = (x: State, data: Float64Array, start: number) => Refusal | undefined
