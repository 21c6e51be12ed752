import type { WirePushTarget } from '@candor/core/protocol/wire/notices.ts'
import { notices } from '../../parts/notices/notices.ts'

/** `denied`: the browser was told to ask no more. `unsupported`: it has no push messages, or not on this page. */
export type PushSupport = 'possible' | 'denied' | 'unsupported'

/** On iPhones only apps on the home screen have push messages; pages without https have none anywhere. */
export function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis)) return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'possible'
}

/** The customer said no to the browser's question. */
export class PushDenied extends Error {}

/**
 * Asks the browser for permission and subscribes it. Called by a tap only.
 *
 * throws  PushDenied; an error of the browser when its push service can't be reached
 */
export async function turnPushOn(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushDenied()
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = bytesOf(publicKey)
  // A subscription of another key, of a server that was replaced, can't be used.
  const before = await pushManager.getSubscription()
  if (before !== null && !isSame(before.options.applicationServerKey, applicationServerKey)) await before.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  await notices.subscribe(targetOf(subscription))
}

export async function turnPushOff(): Promise<void> {
  await notices.unsubscribe()
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

function targetOf(subscription: PushSubscription): WirePushTarget {
  const { keys = {} } = subscription.toJSON()
  return { endpoint: subscription.endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
}

function isSame(one: ArrayBuffer | null, other: Uint8Array): boolean {
  const bytes = new Uint8Array(one ?? new ArrayBuffer(0))
  return bytes.length === other.length && bytes.every((byte, at) => byte === other[at])
}
