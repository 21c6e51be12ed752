import { QueryClientProvider } from '@tanstack/react-query'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { followAppearance } from '../app/appearance.ts'
import { queries } from '../app/client.ts'
import { prefetchConfig } from '../app/config.ts'
import { followActing } from '../app/firm/acting.ts'
import { keepAnswers } from '../app/kept-answers.ts'
import { takeShared } from './shared.ts'
import { followLocation, placeOf } from '../app/location.ts'
import { refreshMe } from '../app/me.ts'
import { load, redirects } from '../app/routes.ts'
import { startQuotes } from '../app/quotes.ts'
import { startNotices } from './notices.ts'
import { followOtherPages } from '../app/session.ts'
import { openScreens } from './screens.ts'
import { Shell } from './shell.tsx'
import { startUserStream } from '../app/stream.ts'
import { followLanguage, startTexts } from '../app/texts.ts'
import './theme.css'

// A language's file comes with this one, so its texts are asked for first; sockets and requests start in a task of their own before
// the first render. Short tasks leave the phone free for a tap.
takeShared()
keepAnswers()
openScreens()
followLocation()
const texts = startTexts()
followLanguage()
followAppearance()

const outlineAfterMs = 150

/** Ends the task. What comes next runs after the taps and frames that wait. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** The screen's file comes with this one. If it is there soon, the first render shows the screen instead of its outline. */
function firstScreen(): Promise<unknown> {
  const { path } = placeOf(location.hash)
  return Promise.race([load(redirects[path] ?? path).catch(() => undefined), new Promise((resolve) => setTimeout(resolve, outlineAfterMs))])
}

async function start(): Promise<void> {
  await pause()
  startQuotes()
  prefetchConfig()
  await pause()
  followOtherPages()
  followActing()
  startUserStream()
  startNotices()
  void refreshMe()
  await texts
  await firstScreen()
  // A transition renders in pieces.
  startTransition(() =>
    createRoot(document.querySelector('#root') as HTMLElement).render(
      <QueryClientProvider client={queries}>
        <Shell />
      </QueryClientProvider>,
    ),
  )
  // Without a worker the page works, but can't open offline.
  setTimeout(() => void import('./update.ts').then(({ watchForUpdate }) => watchForUpdate()).catch(() => undefined), 3_000)
}

// Not a top-level await: the chunks of languages and screens import this one and would wait for it forever.
void start()
