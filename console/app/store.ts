/** A value that several components share. */
import { useSyncExternalStore } from 'react'

export class Shared<T> {
  #value: T
  readonly #listeners = new Set<() => void>()

  constructor(value: T) {
    this.#value = value
  }

  readonly get = (): T => this.#value

  set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of this.#listeners) listener()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

export function useShared<T>(shared: Shared<T>): T {
  return useSyncExternalStore(shared.subscribe, shared.get)
}
