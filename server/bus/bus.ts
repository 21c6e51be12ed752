import { connect, type NatsConnection, type TlsOptions } from '@nats-io/transport-node'
import { randomBytes } from 'node:crypto'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'

/** The most bytes in one message. Servers take a megabyte by default. */
export const messageBytes = 512 * 1024
/** Room for what stands before these bytes. */
const headMax = 1_024

type Hear = (bytes: Buffer, subject: string) => void

/**
 * A connection to the bus between machines. Messages may be lost; those of one sender arrive in order. A sender doesn't get its
 * own messages.
 */
export type Bus = AsyncDisposable & {
  /** 16 hexadecimal digits, drawn anew by each process. */
  readonly id: string
  readonly isUp: boolean
  /** The message is lost if the bus is away: nothing is kept to be sent later. */
  send(subject: string, bytes: Uint8Array): void
  /** `bytes` are valid during the call only. Returns a function that stops it. */
  hear(subject: string, listener: Hear): () => void
  /** Called on each change, with whether the bus is up. Returns a function that stops it. */
  onState(listener: (isUp: boolean) => void): () => void
}

export type BusOptions = {
  /** Addresses of NATS servers, separated by commas: nats://USER:PASSWORD@HOST:PORT, or tls://… */
  readonly url: string
  /** Name of this process, for people who look at the servers. */
  readonly name: string
}

/**
 * Waits for the bus if it is away, and reconnects by itself from then on. Throws when it refuses user or password, or takes only shorter
 * messages.
 */
export async function openBus({ url, name }: BusOptions): Promise<Bus> {
  const { servers, user, pass, isSecure } = addressesIn(url)
  const options = {
    ...{ servers, name, noEcho: true, waitOnFirstConnect: true, maxReconnectAttempts: -1 },
    ...{ reconnectTimeWait: 100, reconnectJitter: 50, timeout: 2_000, pingInterval: 1_000, maxPingOut: 2 },
    ...(user === undefined ? {} : { user, pass: pass ?? '' }),
    ...(isSecure ? { tls: secured(servers) } : {}),
  }
  const first = await connect(options)
  const payloadMax = first.info?.max_payload ?? 0
  await first.close()
  if (payloadMax < messageBytes + headMax) throw new Error(`max_payload of the NATS server is ${payloadMax}: it must be 1 MB at least`)
  // At the start, a refusal is a mistake in the settings. Later the client of NATS would give up for good after the second one.
  return new NatsBus(await connect({ ...options, ignoreAuthErrorAbort: true }))
}

/**
 * A server's certificate must name one of the addresses that were given. The client of NATS compares it with `localhost` when a server
 * is named by its IP address.
 */
function secured(servers: readonly string[]): TlsOptions {
  const hosts = servers.map((server) => new URL(`tls://${server}`).hostname.replace(/^\[|\]$/g, ''))
  const check = (_: string, certificate: PeerCertificate): Error | undefined => {
    const faults = hosts.map((host) => checkServerIdentity(host, certificate))
    return faults.includes(undefined) ? undefined : faults[0]
  }
  return { checkServerIdentity: check } as TlsOptions
}

class NatsBus implements Bus {
  readonly id = randomBytes(8).toString('hex')
  readonly #connection: NatsConnection
  readonly #listeners = new Set<(isUp: boolean) => void>()
  readonly #watched: Promise<void>
  #isUp = true

  constructor(connection: NatsConnection) {
    this.#connection = connection
    this.#watched = this.#watch()
  }

  get isUp(): boolean {
    return this.#isUp
  }

  send(subject: string, bytes: Uint8Array): void {
    if (this.#isUp && !this.#connection.isClosed()) this.#connection.publish(subject, bytes)
  }

  hear(subject: string, listener: Hear): () => void {
    const subscription = this.#connection.subscribe(subject, {
      callback: (failure, { data, subject: from }) => {
        if (failure) return
        try {
          listener(Buffer.from(data.buffer, data.byteOffset, data.byteLength), from)
        } catch (cause) {
          // The client of NATS would take it for a broken connection, and the process would go on without this message.
          queueMicrotask(() => {
            throw cause
          })
        }
      },
    })
    return () => {
      if (!this.#connection.isClosed()) subscription.unsubscribe()
    }
  }

  onState(listener: (isUp: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#become(false)
    await this.#connection.close()
    await this.#watched
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') this.#become(false)
      else if (type === 'reconnect') this.#become(true)
    }
  }

  #become(isUp: boolean): void {
    if (this.#isUp === isUp) return
    this.#isUp = isUp
    for (const listener of this.#listeners) listener(isUp)
  }
}

type Addresses = { readonly servers: string[]; readonly user?: string; readonly pass?: string; readonly isSecure: boolean }

/**
 * The parts of the addresses of a bus. All servers of a cluster share one user, named in the first address. Throws an Error when one
 * is no such address.
 */
function addressesIn(text: string): Addresses {
  const urls = text.split(',').map((one) => URL.parse(one.trim()))
  const servers = urls.map((url) => {
    if (!url || !/^(nats|tls):$/.test(url.protocol) || url.hostname === '')
      throw new Error('addresses of NATS servers are nats://USER:PASSWORD@HOST:PORT, with commas between them')
    return `${url.hostname}:${url.port || 4222}`
  })
  const [first] = urls
  const user = decodeURIComponent(first!.username)
  return {
    servers,
    ...(user === '' ? {} : { user, pass: decodeURIComponent(first!.password) }),
    isSecure: urls.some((url) => url!.protocol === 'tls:'),
  }
}

/** Whether these are addresses of a bus. */
export function isBusUrl(text: string): boolean {
  try {
    addressesIn(text)
    return true
  } catch {
    return false
  }
}
