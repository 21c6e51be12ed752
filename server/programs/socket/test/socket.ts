import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawData, WebSocket } from 'ws'
import type { TestExchange, TestUser } from '../../../main/test/exchange.ts'

/** Longer than anything that a test waits for takes on a busy machine. */
const patienceMs = 30_000

/** A program's socket in a test: it keeps all messages, in order. */
export class Socket {
  readonly ws: WebSocket
  readonly received: any[] = []
  /** Code of the close frame. */
  readonly closed: Promise<number>
  #id = 0

  private constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.ws = new WebSocket(url, { headers })
    this.closed = new Promise((done) => this.ws.once('close', done))
    this.ws.on('message', (data: RawData) => this.received.push(JSON.parse(String(data))))
  }

  static async open({ url }: Pick<TestExchange, 'url'>, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Socket> {
    const socket = new Socket(url.replace('http', 'ws') + path, headers)
    await new Promise((done, fail) => socket.ws.once('open', done).once('error', fail))
    return socket
  }

  send(message: object | string): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** The whole answer to a request. */
  async ask(method: string, params?: object, more: object = {}): Promise<any> {
    const id = `t${++this.#id}`
    this.send({ id, method, ...(params === undefined ? {} : { params }), ...more })
    return this.find((message) => message.id === id)
  }

  /** The result of a request that must succeed. */
  async done(method: string, params?: object): Promise<any> {
    const answer = await this.ask(method, params)
    assert.equal(answer.status ?? 200, 200, `${method}: ${JSON.stringify(answer)}`)
    return answer.result
  }

  /** The first message, past or future, that fits. */
  async find(fits: (message: any) => boolean, from = 0): Promise<any> {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(10)) {
      const found = this.received.slice(from).find(fits)
      if (found) return found
    }
    throw new Error(`no such message among ${JSON.stringify(this.received).slice(0, 3_000)}`)
  }

  /** The user stream's events so far, without their envelope. */
  get events(): readonly any[] {
    return this.received.flatMap((message) => message.event ?? (message.e ? message : (message.data ?? [])))
  }

  [Symbol.dispose](): void {
    this.ws.terminate()
  }
}

/** An API key in the form that a socket needs. */
export type Key = { readonly id: string; readonly key: string; readonly sign: (params: object) => object }

/** Signs by parameter name, as the documents of the API describe. */
function signer(key: string, signature: (message: string) => string): Key['sign'] {
  return (params) => {
    const all: Record<string, unknown> = { ...params, apiKey: key, timestamp: Date.now() }
    const message = Object.keys(all)
      .sort()
      .map((name) => `${name}=${typeof all[name] === 'string' ? all[name] : JSON.stringify(all[name])}`)
      .join('&')
    return { ...all, signature: signature(message) }
  }
}

async function make(user: TestUser, form: object): Promise<any> {
  const { status, body } = await user.call('POST', '/keys', { label: 'socket', ips: [], password: user.password, ...form })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

export async function hmacKey(user: TestUser, scopes: readonly string[] = ['read', 'trade']): Promise<Key> {
  const { key, secret } = await make(user, { scopes })
  return { id: key.id, key: key.key, sign: signer(key.key, (text) => createHmac('sha256', secret).update(text).digest('hex')) }
}

export async function ed25519Key(user: TestUser, scopes: readonly string[] = ['read', 'trade']): Promise<Key> {
  const pair = generateKeyPairSync('ed25519')
  const { key } = await make(user, { scopes, publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString() })
  const signed = (text: string, privateKey: KeyObject) => sign(null, Buffer.from(text), privateKey).toString('base64')
  return { id: key.id, key: key.key, sign: signer(key.key, (text) => signed(text, pair.privateKey)) }
}

/** Waits until the condition holds. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(10)) if (await holds()) return
  throw new Error(`still waiting: ${what}`)
}
