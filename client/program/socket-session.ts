import { type CallOptions, type Credentials, type Params, paramText, type Route, signerOf } from './call.ts'
import { ProgramError } from './errors.ts'
import type { Signer } from './sign.ts'
import type { Asks } from './socket-asks.ts'

export type SessionOptions = Credentials & { readonly recvWindowMs?: number }

/** Signs requests on a socket. After a logon they carry only the time. Corrects the time by the exchange's clock. */
export class SocketSession {
  readonly #options: SessionOptions
  readonly #signer: Signer | undefined
  readonly #asks: Asks
  readonly #now: () => number
  #isOpen = false
  #offsetMs = 0

  constructor(options: SessionOptions, asks: Asks, now: () => number) {
    this.#options = options
    this.#signer = signerOf(options)
    this.#asks = asks
    this.#now = now
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** throws  TypeError for a key that can't open a session */
  checkKey(): void {
    if (this.#signer?.kind !== 'ed25519') throw new TypeError('only an Ed25519 key can open a session')
  }

  async logOn(): Promise<void> {
    await this.timed('session.logon', () => this.signed({}))
    this.#isOpen = true
  }

  /**
   * Sends the parameters that `make` returns. If the exchange refuses the time, it sends them once more with the exchange's time;
   * a refused request had no effect.
   */
  async timed(method: string, make: () => Promise<object>, callOptions: CallOptions = {}): Promise<unknown> {
    try {
      return await this.#asks.ask(method, await make(), callOptions)
    } catch (error) {
      if (!(error instanceof ProgramError) || error.code !== -1021) throw error
      const before = this.#now()
      const { serverTime } = (await this.#asks.ask('time', {}, callOptions)) as { readonly serverTime: number }
      this.#offsetMs = Math.round(serverTime - (before + this.#now()) / 2)
      return this.#asks.ask(method, await make(), callOptions)
    }
  }

  /** The parameters with the time, and without a session also with key and signature. */
  async dressed(route: Route, params: Params): Promise<object> {
    if (route.security === undefined) return textsOf(params)
    if (this.#isOpen) return route.security === 'key' ? textsOf(params) : { ...textsOf(params), timestamp: this.#time() }
    return route.security === 'key' ? { ...textsOf(params), apiKey: this.#options.key } : this.signed(params)
  }

  async signed(params: Params): Promise<object> {
    const { key, recvWindowMs } = this.#options
    if (key === undefined || this.#signer === undefined) throw new TypeError('this request needs a key and its secret or private key')
    const window = recvWindowMs === undefined ? {} : { recvWindow: recvWindowMs }
    const whole: Record<string, unknown> = { ...textsOf(params), apiKey: key, timestamp: this.#time(), ...window }
    const names = Object.keys(whole).sort()
    const signature = await this.#signer.sign(names.map((name) => `${name}=${paramText(whole[name])}`).join('&'))
    return { ...whole, signature }
  }

  #time(): number {
    return this.#now() + this.#offsetMs
  }
}

/** Lists and objects as JSON text; undefined parameters are left out. */
function textsOf(params: Params): Record<string, unknown> {
  const texts: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) texts[name] = typeof value === 'number' || typeof value === 'boolean' ? value : paramText(value)
  }
  return texts
}
