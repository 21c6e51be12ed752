/**
 * Flags for the JavaScript engine of a process that runs the core, set before the core is loaded. The core is many small
 * functions, and the compiler's usual budget ends before they are all in one.
 */
export const compilerFlags = ['--max-inlined-bytecode-size=2000', '--max-inlined-bytecode-size-cumulative=5000'] as const
