const pageBits = 10
const pageMask = 2 ** pageBits - 1

/** Things by number, in pages of 1,024, so that no new one waits for a copy of the others. */
export class ByNumber<T> {
  readonly #pages: ((T | undefined)[] | undefined)[] = []

  get(number: number): T | undefined {
    return this.#pages[number >>> pageBits]?.[number & pageMask]
  }

  set(number: number, value: T | undefined): void {
    const at = number >>> pageBits
    while (this.#pages.length <= at) this.#pages.push(undefined)
    const page = (this.#pages[at] ??= Array.from<T | undefined>({ length: pageMask + 1 }))
    page[number & pageMask] = value
  }

  /** All that are there, by number. */
  all(): T[] {
    return this.#pages.flatMap((page) => page?.filter((value) => value !== undefined) ?? [])
  }
}
