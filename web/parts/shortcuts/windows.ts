/** Windows that were opened from another one follow its market: the pages of this browser tell each other over a channel. */

type Message = { readonly from: string; readonly symbol: string }

const name = 'candor market'
/** This page among all pages of the app. */
const own = Math.random().toString(36).slice(2, 10)
let channel: BroadcastChannel | undefined

/** Tells the windows that this page opened which market it shows. */
export function tellMarket(symbol: string): void {
  channel ??= new BroadcastChannel(name)
  channel.postMessage({ from: own, symbol } satisfies Message)
}

/** Calls the listener with the markets of the page that opened this window, until the returned function is called. */
export function followMarket(opener: string, listener: (symbol: string) => void): () => void {
  const following = new BroadcastChannel(name)
  following.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.from === opener) listener(data.symbol)
  }
  return () => following.close()
}

/** Opens a chart or a book in a window of its own, which follows this page. */
export function openApart(pane: 'chart' | 'book', symbol: string): void {
  const size = pane === 'chart' ? 'width=960,height=640' : 'width=360,height=720'
  open(`#/contractkline?symbol=${symbol}&pane=${pane}&of=${own}`, '_blank', `popup,${size}`)
}
