/** A type without its brands, at any depth, so that a test can write literals. */
export type Loose<T> = T extends number
  ? number
  : T extends string | boolean | bigint | symbol | null | undefined | ArrayBufferView
    ? T
    : T extends (...args: never[]) => unknown
      ? Plain<T>
      : { [K in keyof T]: Loose<T[K]> }

type Plain<T> = T extends (...args: infer A) => infer R ? (...args: { [K in keyof A]: Loose<A[K]> }) => R : T

/** The functions of a module for tests: they take plain numbers in place of branded ones. */
export function plain<M extends object>(module: M): { readonly [K in keyof M]: Plain<M[K]> } {
  return module as { readonly [K in keyof M]: Plain<M[K]> }
}
