import type { FastifyBaseLogger } from 'fastify'
import type { FirmsDesk } from '../firms/desk.ts'
import type { Link } from '../engine/link.ts'
import type { ChainsDoor } from '../app/chains/desks.ts'
import type { AddressBook } from '../chains/book/book.ts'
import type { NetworkConfig } from '../chains/config.ts'
import type { Deletions } from '../identity/gates/deletions.ts'
import type { Identity } from '../identity/identity.ts'
import type { Inbox } from '../messages/inbox.ts'
import type { Announcements } from '../announcements/announcements.ts'
import type { Changes } from '../operations/changes.ts'
import type { DepositsDesk } from '../console/deposits/routes.ts'
import type { OperationsDesk } from '../console/operations/routes.ts'
import type { WithdrawalsDesk } from '../console/withdrawals/routes.ts'
import type { Store } from '../store/open.ts'
import type { Notices } from '../notices/notices.ts'
import type { Push } from '../notices/push.ts'
import type { LimitsDesk } from '../identity/limits/desk.ts'
import type { StaffMarks } from '../customers/marks.ts'
import type { PapersDesk } from '../papers/desk.ts'
import type { Staff } from '../staff/staff.ts'
import type { SupportDesk } from '../support/desk.ts'
import type { SurveillanceDesk } from '../surveillance/surveillance.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { FaucetTerms } from '../live/context.ts'

export type GatewayOptions = {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly mode: 'sandbox' | 'production'
  /** Public addresses, if they differ from the one it listens on. If the first is https, cookies are secure. */
  readonly publicUrls: readonly string[]
  /** A port of its own for the operators' console, which then answers by no other. */
  readonly consolePort?: number | undefined
  /** The console's address, if it is not among the public ones. */
  readonly consoleUrl?: string | undefined
  /** Networks of the operator's own proxies. */
  readonly trustedProxies: readonly string[]
  /** Host names of this exchange besides those of its public addresses. */
  readonly hosts?: readonly string[]
  readonly metricsToken: string | undefined
  /** Requests that took longer are logged; 0: none. Default: a second. */
  readonly slowMs?: number | undefined
  /** Address of a collector of traces; undefined: nothing is traced. */
  readonly traces?: string | undefined
  /** 32 bytes from which listen keys are derived. */
  readonly listenSecret: Buffer
  readonly version: string
  readonly commit: string
  readonly webFolder: string
  readonly consoleFolder?: string
  /** A folder on the disk whose space the console shows. */
  readonly diskFolder?: string
  readonly faucet: readonly FaucetTerms[]
  /** Where customers write to: a mail address or a URL. */
  readonly support?: string | undefined
  /** Countries whose residents get no account. Default: none. */
  readonly unservedCountries?: readonly string[] | undefined
  readonly link: Link
  readonly store: Store
  readonly identity: Identity
  readonly deletions: Deletions
  readonly webhooks: Webhooks
  /** The withdrawal addresses of customers. */
  readonly book: AddressBook
  /** The networks on which coins come and go. */
  readonly chains: Pick<ChainsDoor, 'config' | 'attest'>
  readonly papers: PapersDesk
  readonly notices: Notices
  readonly push: Push
  /** Customers' own limits and pauses. */
  readonly own: LimitsDesk
  readonly staff: Staff
  readonly desk: OperationsDesk
  readonly changes: Changes
  readonly announcements: Announcements
  readonly marks: StaffMarks
  /** Tickets of customers. */
  readonly tickets: SupportDesk
  readonly firms: FirmsDesk
  readonly surveillance: SurveillanceDesk
  readonly withdrawals: WithdrawalsDesk
  readonly deposits: DepositsDesk
  /** Networks on which coins come and go. */
  readonly networks: readonly NetworkConfig[]
  readonly inbox: Inbox | undefined
  readonly logger: FastifyBaseLogger
  /** Sockets that one address may have open at the same time. Default: 200. */
  readonly socketsPerAddress?: number | undefined
  readonly patience?: Patience
}

/**
 * Timeouts that tests shorten: how long `/wss` may be silent, how long a client may read nothing of an answer, and how long a
 * reader waits for tables that lag behind the reader's own writes.
 */
export type Patience = { readonly wssSilentMs?: number; readonly unreadMs?: number; readonly lagMs?: number }

/** Whether browsers reach the exchange by https. Cookies are then sent only by https, and answers require https. */
export function isSecure({ publicUrls }: Pick<GatewayOptions, 'publicUrls'>): boolean {
  return publicUrls[0]?.startsWith('https:') ?? false
}

/** Logs a problem that did not fail a request. */
export type Log = (message: string, cause?: unknown) => void

export function logOf({ logger }: Pick<GatewayOptions, 'logger'>): Log {
  return (message, cause) => logger.warn(cause === undefined ? {} : { err: cause }, message)
}
