import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { followAppearance } from './appearance.ts'
import { queries } from './client.ts'
import { prefetchConfig } from './config.ts'
import { followLocation } from './location.ts'
import { refreshMe } from './me.ts'
import { startQuotes } from './quotes.ts'
import { Shell } from './shell.tsx'
import { startUserStream } from './stream.ts'
import { startTexts } from './texts.ts'
import './theme.css'
import { watchForUpdate } from './update.ts'

// Sockets and requests go out before React runs: they are on their way while it starts.
startQuotes()
prefetchConfig()
followLocation()
const texts = startTexts()
followAppearance()
startUserStream()
void refreshMe()

// Not a top-level await: the chunks of languages and screens import this one, and would wait for it for ever.
void texts.then(() => {
  createRoot(document.querySelector('#root') as HTMLElement).render(
    <QueryClientProvider client={queries}>
      <Shell />
    </QueryClientProvider>,
  )
  watchForUpdate()
})
