/**
 * Flags for the JavaScript engine of a process that runs the core. They must be set before the core is loaded. The core consists
 * of many small functions, and the compiler's default inlining budget runs out before all of them are inlined. The compiler also
 * skips call sites that are rare among all calls of a function: code that every order with a client id needs is rare while an
 * exchange is being filled with accounts, and would never be inlined afterwards. Sums of money are added as float64: the compiler
 * would otherwise turn them into 64-bit integers and back for each addition, with a check that they are safe.
 */
export const compilerFlags = [
  '--max-inlined-bytecode-size=2000',
  '--max-inlined-bytecode-size-cumulative=10000',
  '--min-inlining-frequency=0.005',
  '--max-inlined-bytecode-size-absolute=10000',
  '--no-additive-safe-int-feedback',
] as const

/**
 * Environment of such a process: it makes the C library ask for large pages for large arrays. Accounts and orders are accessed in
 * random order, so with 4 kB pages most accesses would also miss the page-table cache. Only glibc reads this variable.
 */
export const coreEnvironment = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' } as const
