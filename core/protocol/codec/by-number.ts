const pageBits = 10
const pageMask = 2 ** pageBits - 1

/** Items by number, in pages of 1,024, so that adding one never copies the others. */
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

  /** All items, by number. */
  all(): T[] {
    return this.#pages.flatMap((page) => page?.filter((value) => value !== undefined) ?? [])
  }
}
