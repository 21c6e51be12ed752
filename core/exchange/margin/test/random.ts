/** Pseudo-random integers from 0 to `below` − 1, the same for the same seed. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
