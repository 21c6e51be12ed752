import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PushPayload, WirePushTarget } from '@candor/core/protocol/wire/notices.ts'

export type Pushed = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
  readonly payload: PushPayload
  /** The exchange's public key and the claims, once the signature was verified. */
  readonly signer: { readonly key: string; readonly aud: string; readonly sub: string; readonly exp: number }
}

/** A browser that subscribed at the push service. */
export type TestBrowser = { readonly target: WirePushTarget; readonly path: string }

/** A push service on this machine, with the browsers for which it decrypts: what a real one only passes on. */
export type PushService = AsyncDisposable & {
  readonly url: string
  readonly pushed: readonly Pushed[]
  /** Answers from now on. Default: 201. */
  answer: (response: ServerResponse, path: string) => void
  browser(): TestBrowser
  /** Forgets the messages so far. */
  forget(): void
  /** Resolves with the messages once `count` have come. */
  until(count: number): Promise<readonly Pushed[]>
}

export async function startPushService(): Promise<PushService> {
  const pushed: Pushed[] = []
  const browsers = new Map<string, { readonly curve: ECDH; readonly auth: string }>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const bytes = Buffer.concat(chunks)
      const known = browsers.get(path)
      if (known === undefined) return void response.writeHead(404).end()
      const plain = decrypt(bytes, known.curve, Buffer.from(known.auth, 'base64url'))
      pushed.push({
        path,
        headers: request.headers,
        bytes,
        payload: JSON.parse(plain.toString()) as PushPayload,
        signer: signerOf(request),
      })
      service.answer(response, path)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service: PushService = {
    url,
    pushed,
    answer: (response) => response.writeHead(201).end(),
    browser() {
      const path = `/push/${randomBytes(12).toString('hex')}`
      const curve = createECDH('prime256v1')
      const p256dh = curve.generateKeys().toString('base64url')
      const auth = randomBytes(16).toString('base64url')
      browsers.set(path, { curve, auth })
      return { path, target: { endpoint: `${url}${path}`, keys: { p256dh, auth } } }
    },
    forget: () => void pushed.splice(0),
    async until(count) {
      for (let attempt = 0; attempt < 3_000; attempt++) {
        if (pushed.length >= count) return pushed
        await sleep(10)
      }
      throw new Error(`${pushed.length} of ${count} push messages came`)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

/** What a browser does with a message: RFC 8291 with one record of RFC 8188. */
function decrypt(bytes: Buffer, curve: ECDH, auth: Buffer): Buffer {
  const [salt, sender] = [bytes.subarray(0, 16), bytes.subarray(21, 86)]
  if (bytes[20] !== 65) throw new Error('the sender has no key of P-256')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender])
  const shared = Buffer.from(hkdfSync('sha256', curve.computeSecret(sender), auth, info, 32))
  const draw = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${purpose}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', draw('aes128gcm', 16), draw('nonce', 12)).setAuthTag(bytes.subarray(-16))
  const padded = Buffer.concat([decipher.update(bytes.subarray(86, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2))
}

/** Verifies the signature of RFC 8292. */
function signerOf({ headers }: IncomingMessage): Pushed['signer'] {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') }
  const isGood = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isGood) throw new Error('the signature is wrong')
  return { key, ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as Omit<Pushed['signer'], 'key'>) }
}
