import type { WirePushTarget } from '@candor/core/protocol/wire/notices.ts'

/** Stands in for the browser's push service and its question, which a browser without a screen lacks. `asked` counts questions. */
export function lendPush({ endpoint, keys }: WirePushTarget): void {
  let current: object | null = null
  const page = globalThis as unknown as { asked: number }
  page.asked = 0
  Object.defineProperty(Notification, 'permission', { get: () => (page.asked === 0 ? 'default' : 'granted') })
  Notification.requestPermission = async () => {
    page.asked++
    return 'granted'
  }
  const lent = {
    getSubscription: async () => current,
    subscribe: async (options: { readonly applicationServerKey: Uint8Array; readonly userVisibleOnly: boolean }) => {
      if (!options.userVisibleOnly) throw new DOMException('only visible messages', 'NotAllowedError')
      const unsubscribe = async () => {
        current = null
        return true
      }
      current = { endpoint, options: { applicationServerKey: options.applicationServerKey.buffer }, toJSON: () => ({ keys }), unsubscribe }
      return current
    },
  }
  Object.assign(PushManager.prototype, lent)
}
