/** The kinds of events that a webhook can receive. */
export const webhookKinds = [
  ...(['spot.fill', 'margin.fill', 'perp.fill'] as const),
  ...(['perp.liquidation', 'perp.deleverage', 'margin.liquidation'] as const),
  ...(['perp.funding', 'perp.close', 'option.settlement'] as const),
  ...(['deposit.update', 'withdrawal.update'] as const),
] as const
export type WebhookKind = (typeof webhookKinds)[number]

/** Reason why nothing is sent: the owner switched the webhook off, or nothing could be delivered for days. */
export const webhookPauses = ['owner', 'failing'] as const
export type WebhookPause = (typeof webhookPauses)[number]

/** A webhook: an address that receives events about its owner. Never shown with its secret. */
export type WireWebhook = {
  readonly id: string
  readonly url: string
  readonly kinds: readonly WebhookKind[]
  readonly createdAt: number
  /** Absent once the address has answered a challenge. Until then nothing else is sent to it. */
  readonly pending?: WirePending
  /** Absent while it is on. */
  readonly off?: { readonly at: number; readonly by: WebhookPause }
  /** Since when nothing could be delivered; absent: the last delivery arrived. */
  readonly failingSince?: number
  /** Until when deliveries are also signed with the previous secret. */
  readonly oldSecretUntil?: number
}

/**
 * State of the last challenge. `triedAt` absent: none was sent yet. `isDue`: another one is on its way. `problem` absent: it has
 * not failed.
 */
export type WirePending = {
  readonly isDue: boolean
  readonly triedAt?: number
  readonly problem?: ChallengeProblem
  readonly status?: number
  readonly answer?: string
}

/** `max`: most webhooks per account. `hasLoopback`: whether plain http to the exchange's own machine is accepted. */
export type WireWebhooks = { readonly webhooks: readonly WireWebhook[]; readonly max: number; readonly hasLoopback: boolean }

/** `password`: the login password, asked for again. */
export type WireNewWebhook = { readonly url: string; readonly kinds: readonly WebhookKind[]; readonly password: string }

/** `secret`: shown only this once. */
export type WireWebhookMade = { readonly webhook: WireWebhook; readonly secret: string }

/** Absent fields stay unchanged. An added kind counts from then on. */
export type WireWebhookChange = { readonly kinds?: readonly WebhookKind[]; readonly isOn?: boolean }

/** `waiting`: on its way, or will be tried again. `failed`: not tried again unless the owner asks. */
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Reason why an address gave no valid answer. `status`: not 2xx. `refused`: the address may not be called. */
export const deliveryProblems = ['status', 'timeout', 'connection', 'name', 'tls', 'refused', 'sealed'] as const
export type DeliveryProblem = (typeof deliveryProblems)[number]
/** `challenge`: it answered, but without the value. */
export type ChallengeProblem = DeliveryProblem | 'challenge'

/** One event on its way to one webhook. */
export type WireDelivery = {
  /** Counts from 1 per webhook, in the order of the events. */
  readonly sequence: number
  /** The same in every attempt. */
  readonly eventId: string
  readonly type: WebhookKind | 'test'
  readonly createdAt: number
  readonly state: DeliveryState
  readonly tries: number
  readonly lastTryAt?: number
  /** Time of the next attempt, while it waits. */
  readonly nextTryAt?: number
  readonly problem?: DeliveryProblem
  /** HTTP status of the last answer, and its first 200 bytes. */
  readonly status?: number
  readonly answer?: string
  readonly tookMs?: number
  /** The body of the delivery. */
  readonly body: string
}

export type WireDeliveries = { readonly deliveries: readonly WireDelivery[]; readonly next?: string }

/** Sends everything again that happened at this time (milliseconds) or later. */
export type WireReplay = { readonly since: number }
export type WireReplayed = { readonly count: number }

/** Body of the request that asks a new address whether it wants deliveries. The answer must be a 2xx with the value. */
export type WebhookChallenge = { readonly id: string; readonly type: 'challenge'; readonly createdAt: number; readonly challenge: string }

/** The body of a delivery. */
export type WebhookEvent = {
  readonly id: string
  readonly type: WebhookKind | 'test'
  readonly createdAt: number
  readonly sequence: number
  readonly data: Readonly<Record<string, unknown>>
}
