import type { Settings } from '../settings.ts'

/** Webhooks may call this machine only where nobody but its owner can create them. */
export function webhookRules({ mode, host, publicUrls }: Settings): { readonly hasLoopback: boolean } {
  const isOwn = (name: string): boolean => ['127.0.0.1', '::1', '[::1]', 'localhost'].includes(name)
  return { hasLoopback: mode === 'sandbox' && isOwn(host) && publicUrls.every((url) => isOwn(new URL(url).hostname)) }
}
