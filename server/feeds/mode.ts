/** `auto`: live prices, with a simulated market while no venue answers. For the sandbox only. */
export type FeedMode = 'auto' | 'live' | 'simulated' | `replay:${string}`

/** A mode as written in the setting. Throws on anything else. */
export function feedMode(text: string): FeedMode {
  if (text === 'auto' || text === 'live' || text === 'simulated') return text
  if (text.startsWith('replay:') && text.length > 'replay:'.length) return text as FeedMode
  throw new Error(`CANDOR_FEED is auto, live, simulated or replay:FILE, not ${text}`)
}
