import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../app/theme.ts'
import '../styles/all.ts'
import { queryClient } from '../app/session.ts'
import { Toasts } from '../parts/dialog.tsx'
import { router } from './router.tsx'

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    {/* The policy of the pages allows no inline styles in elements. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Toasts>
          <RouterProvider router={router} />
        </Toasts>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
