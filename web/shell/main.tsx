import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { followAppearance } from '../app/appearance.ts'
import { queries } from '../app/client.ts'
import { prefetchConfig } from '../app/config.ts'
import { followActing } from '../app/firm/acting.ts'
import { keepAnswers } from '../app/kept-answers.ts'
import { takeShared } from './shared.ts'
import { followLocation } from '../app/location.ts'
import { refreshMe } from '../app/me.ts'
import { startQuotes } from '../app/quotes.ts'
import { startNotices } from './notices.ts'
import { followOtherPages } from '../app/session.ts'
import { openScreens } from './screens.ts'
import { Shell } from './shell.tsx'
import { startUserStream } from '../app/stream.ts'
import { followLanguage, startTexts } from '../app/texts.ts'
import './theme.css'

// Sockets and requests start before React, so that they run while it starts.
takeShared()
startQuotes()
prefetchConfig()
followOtherPages()
keepAnswers()
followActing()
openScreens()
followLocation()
const texts = startTexts()
followLanguage()
followAppearance()
startUserStream()
startNotices()
void refreshMe()

// Not a top-level await: the chunks of languages and screens import this one and would wait for it forever.
void texts.then(() => {
  createRoot(document.querySelector('#root') as HTMLElement).render(
    <QueryClientProvider client={queries}>
      <Shell />
    </QueryClientProvider>,
  )
  // Without a worker the page works, but can't open offline.
  setTimeout(() => void import('./update.ts').then(({ watchForUpdate }) => watchForUpdate()).catch(() => undefined), 3_000)
})
