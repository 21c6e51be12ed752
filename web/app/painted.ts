/** Resolves when what React has just drawn is on the screen: what stands below the fold is asked for then, not before. */
export function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
