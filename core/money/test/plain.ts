/** The same without brands, at any depth: what a test writes as literals. */
export type Loose<T> = T extends number
  ? number
  : T extends string | boolean | bigint | symbol | null | undefined | ArrayBufferView
    ? T
    : T extends (...args: never[]) => unknown
      ? Plain<T>
      : { [K in keyof T]: Loose<T[K]> }

type Plain<T> = T extends (...args: infer A) => infer R ? (...args: { [K in keyof A]: Loose<A[K]> }) => R : T

/** The functions of a module as tests call them: with plain numbers where the house takes brands. */
export function plain<M extends object>(module: M): { readonly [K in keyof M]: Plain<M[K]> } {
  return module as { readonly [K in keyof M]: Plain<M[K]> }
}
