/**
 * Flags for the JavaScript engine of a process that runs the core, set before the core is loaded. The core is many small
 * functions, and the compiler's usual budget ends before they are all in one. Nor does it look at calls that are rare among all
 * calls of a function: what every order with a client id does is rare while an exchange is being filled with accounts, and would stay
 * out of the code for good.
 */
export const compilerFlags = [
  '--max-inlined-bytecode-size=2000',
  '--max-inlined-bytecode-size-cumulative=10000',
  '--min-inlining-frequency=0.005',
  '--max-inlined-bytecode-size-absolute=10000',
] as const

/**
 * Environment that such a process is started with: the C library asks for large pages for large arrays. Accounts and orders
 * are met in no order, so with pages of 4 kB most of them cost a look-up of the page besides. Only glibc reads it.
 */
export const coreEnvironment = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' } as const
