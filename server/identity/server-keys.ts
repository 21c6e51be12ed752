import { hkdfSync } from 'node:crypto'

/** A server key: 32 bytes, and the name by which encrypted secrets refer to it. */
export type ServerKey = { readonly id: string; readonly bytes: Buffer }

const idBytes = 4

/** A name for a key that reveals nothing about it. */
export function serverKey(bytes: Buffer): ServerKey {
  if (bytes.length !== 32) throw new RangeError('a server key has 32 bytes')
  return { id: Buffer.from(hkdfSync('sha256', bytes, '', 'id', idBytes)).toString('hex'), bytes }
}

/**
 * Whether a key was typed rather than generated: 32 random bytes have fewer than 20 different values once in 10^13 keys;
 * repeated words and digits always do.
 */
export function isWeak(bytes: Buffer): boolean {
  const steps = new Set(bytes.map((byte, at) => byte - (bytes[at - 1] ?? 0)))
  return new Set(bytes).size < 20 || steps.size < 16
}

/**
 * The keys of this server: the newest encrypts, all decrypt. They are read again before each encryption, and whenever a secret
 * names an unknown key, so that a running process follows a rotation.
 */
export class ServerKeys {
  readonly #read: () => readonly Buffer[]
  #known: readonly ServerKey[] = []

  /** read  returns the keys, newest first, at least one */
  constructor(read: () => readonly Buffer[]) {
    this.#read = read
  }

  static of(...keys: readonly Buffer[]): ServerKeys {
    return new ServerKeys(() => keys)
  }

  get newest(): ServerKey {
    return this.#again()[0]!
  }

  /** All keys, newest first. */
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
