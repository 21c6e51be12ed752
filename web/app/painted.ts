/** Resolves when React's last changes are on the screen. Content below the fold is loaded after that. */
export function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
