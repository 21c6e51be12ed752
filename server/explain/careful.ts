/** Does a look of one explanation. One that fails must not end the pass that others share. */
export function careful(look: () => void, onFault: (cause: unknown) => void): void {
  try {
    look()
  } catch (cause) {
    onFault(cause)
  }
}
