import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'

/** 256 random bits as cookie text. */
export function newToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

/** The stored form of a token. Tokens are random and long, so a fast hash is enough. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Six digits, each equally likely. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Nine random digits, which reveal neither when nor after whom somebody registered. */
export function newUid(): string {
  return String(randomInt(100_000_000, 1_000_000_000))
}

/** Letters and digits that can't be confused on a poster. */
const readable = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

export function newInvitation(): string {
  return Array.from({ length: 8 }, () => readable[randomInt(readable.length)]).join('')
}

/** Sixteen such letters and digits in groups of four: 79 random bits. */
export function newRecoveryCode(): string {
  return Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => readable[randomInt(readable.length)]).join('')).join('-')
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const keyLength = 64

/** 64 letters and digits, 381 random bits: an API key or its secret. */
export function newApiKey(): string {
  return Array.from({ length: keyLength }, () => letters[randomInt(letters.length)]).join('')
}

/** 64 letters and digits that depend only on secret and seed, and can't be computed without the secret. */
export function lettersFrom(secret: Buffer, seed: Buffer): string {
  // Bytes from here on are skipped, because they would make some letters more likely than others.
  const end = 256 - (256 % letters.length)
  let text = ''
  for (let block = 0; text.length < keyLength; block++) {
    const bytes = createHmac('sha512', secret).update(seed).update(Buffer.of(block)).digest()
    for (const byte of bytes) if (byte < end && text.length < keyLength) text += letters[byte % letters.length]
  }
  return text
}
