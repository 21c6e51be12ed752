import type { Random } from '../random.ts'

/** Numbers that programs send by mistake and attackers on purpose. */
export const odd = [0, -1, 1, 2, 3, 7, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 40, 2 ** 46, 2 ** 52, 2 ** 53 - 1, -(2 ** 53) + 1]

/** A sum of mostly at most `most`, often exactly at this limit or next to it. */
export function sum(random: Random, most: number): number {
  const kind = random.weighted({ part: 50, small: 10, whole: 12, below: 5, above: 5, odd: 3, tiny: 10, half: 5 })
  switch (kind) {
    case 'part':
      return Math.max(1, Math.floor(most * random.unit()))
    case 'small':
      return Math.max(1, Math.floor(most * random.unit() * 0.01))
    case 'whole':
      return most
    case 'below':
      return most - 1
    case 'above':
      return most + 1
    case 'half':
      return Math.floor(most / 2)
    case 'tiny':
      return random.between(1, 4)
    case 'odd':
      return random.pick(odd)
  }
}

/** A price around `mid`, mostly close to it. */
export function near(random: Random, mid: number): number {
  const spread = random.weighted({ '0.0005': 30, '0.003': 30, '0.02': 20, '0.1': 8, '0.5': 4, '3': 1 })
  const away = mid * Number(spread) * (random.unit() * 2 - 1)
  return Math.max(1, Math.round(mid + away))
}

/** A command with one of its numbers, at any depth, changed to another. */
export function twist<T>(random: Random, value: T): T {
  const places: ((by: number) => void)[] = []
  const copy = structuredClone(value)
  const look = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return
    for (const [key, inner] of Object.entries(node)) {
      const holder = node as Record<string, unknown>
      if (typeof inner === 'number') {
        places.push((by) => {
          holder[key] = by
        })
      } else look(inner)
    }
  }
  look(copy)
  if (places.length > 0) random.pick(places)(random.chance(0.5) ? random.between(-2, 1000) : random.pick(odd))
  return copy
}
