import type { EngineState } from './options.ts'

/** The engine's state, its reason, and the listeners that hear each change. */
export class Condition {
  readonly #listeners = new Set<(state: EngineState) => void>()
  #state: EngineState = 'down'
  #reason = 'starting'
  /** Whether the disk is nearly full: no commands are accepted then. */
  isDiskFull = false

  get state(): EngineState {
    return this.#state
  }

  /** The reason of the current state, for people. */
  get reason(): string {
    return this.#reason
  }

  /** Whether questions are answered. */
  get isAnswering(): boolean {
    return this.#state === 'up' || this.#state === 'full'
  }

  on(listener: (state: EngineState) => void): void {
    this.#listeners.add(listener)
  }

  off(listener: (state: EngineState) => void): void {
    this.#listeners.delete(listener)
  }

  /** Accepts commands, unless the disk is full. */
  setUp(reason: string): void {
    if (this.isDiskFull) this.set('full', 'the disk is nearly full')
    else this.set('up', reason)
  }

  /** A halted engine stays halted, and a fenced one fenced. */
  set(state: EngineState, reason: string): void {
    if (this.#state === 'halted' || this.#state === 'fenced') return
    this.#reason = reason
    if (this.#state === state) return
    this.#state = state
    for (const listener of this.#listeners) listener(state)
  }
}
