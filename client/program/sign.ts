/** Signs a text in the form that the exchange checks. */
export type Signer = {
  readonly kind: 'hmac' | 'ed25519' | 'rsa'
  readonly sign: (message: string) => Promise<string>
}

const utf8 = new TextEncoder()

/**
 * HMAC-SHA256 in hexadecimal digits.
 *
 * secret  shown once when the key was created
 */
export function hmacSigner(secret: string): Signer {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['sign'])
  return {
    kind: 'hmac',
    async sign(message) {
      const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await key, utf8.encode(message)))
      let digits = ''
      for (const byte of bytes) digits += byte.toString(16).padStart(2, '0')
      return digits
    },
  }
}

/**
 * Ed25519 in base64: the only kind of key that can open a session on the WebSocket API.
 *
 * privateKey  a CryptoKey, or PKCS#8 as PEM (`-----BEGIN PRIVATE KEY-----`)
 */
export function ed25519Signer(privateKey: CryptoKey | string): Signer {
  return keySigner('ed25519', 'Ed25519', privateKey)
}

/**
 * RSA with SHA-256 (PKCS #1 version 1.5) in base64.
 *
 * privateKey  a CryptoKey, or PKCS#8 as PEM (`-----BEGIN PRIVATE KEY-----`)
 */
export function rsaSigner(privateKey: CryptoKey | string): Signer {
  return keySigner('rsa', { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, privateKey)
}

function keySigner(kind: 'ed25519' | 'rsa', algorithm: string | RsaHashedImportParams, privateKey: CryptoKey | string): Signer {
  const key = typeof privateKey === 'string' ? imported(privateKey, algorithm) : Promise.resolve(privateKey)
  // Without a signature the broken key is never used, so it must not become an unhandled rejection.
  key.catch(() => undefined)
  return {
    kind,
    async sign(message) {
      const bytes = new Uint8Array(await crypto.subtle.sign(algorithm, await key, utf8.encode(message)))
      let binary = ''
      for (const byte of bytes) binary += String.fromCharCode(byte)
      return btoa(binary)
    },
  }
}

async function imported(pem: string, algorithm: string | RsaHashedImportParams): Promise<CryptoKey> {
  const text = pem.replace(/-----[A-Z ]+-----/g, '').replace(/\s/g, '')
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  return crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign'])
}
