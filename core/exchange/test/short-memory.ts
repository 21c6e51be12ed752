import type { TestContext } from 'node:test'

/** From now on, until the test's mocks are restored, the system gives no array of a size in bytes that `isRefused` returns true for. */
export function refuseMemory(t: TestContext, isRefused: (bytes: number) => boolean): void {
  for (const name of ['Uint8Array', 'Int32Array', 'Float64Array', 'ArrayBuffer'] as const) {
    const kind = globalThis[name]
    const unit = 'BYTES_PER_ELEMENT' in kind ? kind.BYTES_PER_ELEMENT : 1
    const short = new Proxy(kind, {
      construct(target, given: unknown[], newTarget) {
        if (typeof given[0] === 'number' && isRefused(given[0] * unit)) throw new RangeError('Array buffer allocation failed')
        return Reflect.construct(target, given, newTarget) as object
      },
    })
    t.mock.property(globalThis, name, short)
  }
}

/** Refuses array number `refused`, from 0, of those larger than 8 MB, and gives all others. Returns whether it came to that. */
export function refuseLarge(t: TestContext, refused: number): () => boolean {
  let seen = 0
  refuseMemory(t, (bytes) => bytes > 2 ** 23 && seen++ === refused)
  return () => seen > refused
}
