import { hkdfSync } from 'node:crypto'

/** A key of the server: 32 bytes, and the name under which sealed secrets say which one opens them. */
export type ServerKey = { readonly id: string; readonly bytes: Buffer }

const idBytes = 4

/** Names a key without telling anything about it. bytes  32; returns  8 hexadecimal digits */
export function serverKey(bytes: Buffer): ServerKey {
  if (bytes.length !== 32) throw new RangeError('a server key has 32 bytes')
  return { id: Buffer.from(hkdfSync('sha256', bytes, '', 'id', idBytes)).toString('hex'), bytes }
}

/**
 * Whether a key was typed rather than drawn: of 32 random bytes fewer than 20 differ from each other once in 10^13 draws, of
 * repeated words and digits in a row always.
 */
export function isWeak(bytes: Buffer): boolean {
  const steps = new Set(bytes.map((byte, at) => byte - (bytes[at - 1] ?? 0)))
  return new Set(bytes).size < 20 || steps.size < 16
}

/**
 * The keys of this server: the newest seals, all of them open. They are read again before each sealing and whenever a secret
 * names a key that is not known yet, so that a process that runs follows a rotation.
 */
export class ServerKeys {
  readonly #read: () => readonly Buffer[]
  #known: readonly ServerKey[] = []

  /** read  newest first, at least one */
  constructor(read: () => readonly Buffer[]) {
    this.#read = read
  }

  static of(...keys: readonly Buffer[]): ServerKeys {
    return new ServerKeys(() => keys)
  }

  get newest(): ServerKey {
    return this.#again()[0]!
  }

  /** Newest first. */
  get all(): readonly ServerKey[] {
    return this.#known.length > 0 ? this.#known : this.#again()
  }

  find(id: string): ServerKey | undefined {
    return this.#known.find((key) => key.id === id) ?? this.#again().find((key) => key.id === id)
  }

  #again(): readonly ServerKey[] {
    this.#known = this.#read().map(serverKey)
    return this.#known
  }
}
