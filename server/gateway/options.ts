import type { FastifyBaseLogger } from 'fastify'
import type { Link } from '../engine/link.ts'
import type { Identity } from '../identity/identity.ts'
import type { Inbox } from '../messages/inbox.ts'
import type { Store } from '../store/open.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { FaucetTerms } from '../live/context.ts'

export type GatewayOptions = {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly mode: 'sandbox' | 'production'
  /** Addresses that people reach the exchange at, when it is not the one it listens on. The first one https: cookies are secure. */
  readonly publicUrls: readonly string[]
  /** Networks of the operator's own proxies. */
  readonly trustedProxies: readonly string[]
  /** Names of this exchange besides those of its public addresses. */
  readonly hosts?: readonly string[]
  readonly metricsToken: string | undefined
  /** 32 bytes that listen keys are drawn from. */
  readonly listenSecret: Buffer
  readonly version: string
  readonly commit: string
  readonly webFolder: string
  readonly consoleFolder?: string
  readonly faucet: readonly FaucetTerms[]
  readonly link: Link
  readonly store: Store
  readonly identity: Identity
  readonly webhooks: Webhooks
  readonly inbox: Inbox | undefined
  readonly logger: FastifyBaseLogger
  /** Sockets that one address may have open at a time. Default: 200. */
  readonly socketsPerAddress?: number | undefined
  readonly patience?: Patience
}

/**
 * Test only: how long `/wss` may be silent, how long somebody may read nothing of an answer, and how long a reader waits
 * for tables that lag behind what they wrote.
 */
export type Patience = { readonly wssSilentMs?: number; readonly unreadMs?: number; readonly lagMs?: number }

/** Whether browsers reach the exchange by https: cookies are for https alone, and answers say so. */
export function isSecure({ publicUrls }: Pick<GatewayOptions, 'publicUrls'>): boolean {
  return publicUrls[0]?.startsWith('https:') ?? false
}

/** Notes what went wrong without having failed a request. */
export type Log = (message: string, cause?: unknown) => void

export function logOf({ logger }: Pick<GatewayOptions, 'logger'>): Log {
  return (message, cause) => logger.warn(cause === undefined ? {} : { err: cause }, message)
}
