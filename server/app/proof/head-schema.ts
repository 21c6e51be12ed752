import { z } from 'zod'

export const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))

export const head = z.strictObject({
  n: z.int(),
  text: z.string().meta({ description: 'What is signed, byte by byte.' }),
  signature: hex(64).meta({ description: 'Ed25519, in hex.' }),
})

export const key = z.strictObject({
  key: z.int(),
  publicKey: hex(32),
  signature: hex(64).nullable().meta({ description: 'Of the key before it; null for the first.' }),
})
