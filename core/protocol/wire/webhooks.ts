/** What a webhook can be told of. */
export const webhookKinds = [
  ...(['spot.fill', 'margin.fill', 'perp.fill'] as const),
  ...(['perp.liquidation', 'perp.deleverage', 'margin.liquidation'] as const),
  ...(['perp.funding', 'perp.close', 'option.settlement'] as const),
] as const
export type WebhookKind = (typeof webhookKinds)[number]

/** Why nothing is sent: its owner switched it off, or nothing arrived for days. */
export const webhookPauses = ['owner', 'failing'] as const
export type WebhookPause = (typeof webhookPauses)[number]

/** An address that is told what happens to its owner; never with its secret. */
export type WireWebhook = {
  readonly id: string
  readonly url: string
  readonly kinds: readonly WebhookKind[]
  readonly createdAt: number
  /** Missing: its address has answered a challenge. Until then nothing else is sent there. */
  readonly pending?: WirePending
  /** Missing: it is on. */
  readonly off?: { readonly at: number; readonly by: WebhookPause }
  /** Since when nothing arrives there; missing: what was sent last has arrived. */
  readonly failingSince?: number
  /** Until when what is sent is also signed with the secret before this one. */
  readonly oldSecretUntil?: number
}

/**
 * What became of the last challenge. `triedAt` missing: none was sent yet. `isDue`: another one is on its way.
 * `problem` missing: it was not sent yet.
 */
export type WirePending = {
  readonly isDue: boolean
  readonly triedAt?: number
  readonly problem?: ChallengeProblem
  readonly status?: number
  readonly answer?: string
}

/** `max`: how many one account may have. `hasLoopback`: whether plain http to the exchange's own machine is taken. */
export type WireWebhooks = { readonly webhooks: readonly WireWebhook[]; readonly max: number; readonly hasLoopback: boolean }

/** `password`: of the login, asked for anew. */
export type WireNewWebhook = { readonly url: string; readonly kinds: readonly WebhookKind[]; readonly password: string }

/** `secret`: told this once. */
export type WireWebhookMade = { readonly webhook: WireWebhook; readonly secret: string }

/** What is missing stays. A kind that comes in counts from then on. */
export type WireWebhookChange = { readonly kinds?: readonly WebhookKind[]; readonly isOn?: boolean }

/** `waiting`: it is under way or will be tried again. `failed`: nobody tries any more, unless its owner asks. */
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an address gave no answer that counts. `status`: one that is not 2xx. `refused`: it is none that may be called. */
export const deliveryProblems = ['status', 'timeout', 'connection', 'name', 'tls', 'refused', 'sealed'] as const
export type DeliveryProblem = (typeof deliveryProblems)[number]
/** `challenge`: it answered, but not with the value. */
export type ChallengeProblem = DeliveryProblem | 'challenge'

/** One event on its way to one webhook. */
export type WireDelivery = {
  /** Counts from 1 for each webhook, in the order in which things happened. */
  readonly sequence: number
  /** The same at every try. */
  readonly eventId: string
  readonly type: WebhookKind | 'test'
  readonly createdAt: number
  readonly state: DeliveryState
  readonly tries: number
  readonly lastTryAt?: number
  /** When it is tried again, while it waits. */
  readonly nextTryAt?: number
  readonly problem?: DeliveryProblem
  /** HTTP status of the last answer, and how it began: 200 bytes at most. */
  readonly status?: number
  readonly answer?: string
  readonly tookMs?: number
  /** The body that is sent. */
  readonly body: string
}

export type WireDeliveries = { readonly deliveries: readonly WireDelivery[]; readonly next?: string }

/** Everything that happened at this time (milliseconds) or later is sent again. */
export type WireReplay = { readonly since: number }
export type WireReplayed = { readonly count: number }

/** The body of the request that asks a new address whether it wants deliveries: the answer is a 2xx with the value. */
export type WebhookChallenge = { readonly id: string; readonly type: 'challenge'; readonly createdAt: number; readonly challenge: string }

/** The body of a delivery. */
export type WebhookEvent = {
  readonly id: string
  readonly type: WebhookKind | 'test'
  readonly createdAt: number
  readonly sequence: number
  readonly data: Readonly<Record<string, unknown>>
}
