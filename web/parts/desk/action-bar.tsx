import type { ReactNode } from 'react'

/**
 * A ticket's buttons, side by side. They stay above the tab bar while the rest of the ticket scrolls below them, except where the window
 * is as low as with an open keyboard: there they would cover the field.
 */
export function ActionBar({ children }: { readonly children: ReactNode }) {
  return (
    <div className="z-10 flex gap-2 bg-bg py-1.5 [@media(min-height:400px)]:sticky [@media(min-height:400px)]:bottom-[calc(43px+0.875rem+env(safe-area-inset-bottom))]">
      {children}
    </div>
  )
}

/** For the section of a ticket: what gets the focus is scrolled above the buttons. */
export const clearOfActions = '[&_input]:scroll-mb-16 [&_button]:scroll-mb-16'

/** For a button of the bar. Long texts take two lines. */
export const actionClass = 'min-w-0 flex-1 px-1.5! text-13!'
