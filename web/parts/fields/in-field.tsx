import type { ReactNode } from 'react'

/** Small buttons for the end of a `NumberField`: one above the other, or a line of their own where the column is narrow. */
export function InField({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <div
      role={label === undefined ? undefined : 'group'}
      aria-label={label}
      className="flex w-full self-stretch @min-[11.5rem]:w-auto @min-[11.5rem]:flex-col"
    >
      {children}
    </div>
  )
}

export function InFieldButton({
  label,
  isDisabled = false,
  onClick,
  className = '',
  children,
}: {
  /** Read out. It contains the text that is shown. */
  readonly label: string
  readonly isDisabled?: boolean
  readonly onClick: () => void
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={isDisabled}
      onClick={onClick}
      className={`flex min-h-6 min-w-9 flex-1 items-center justify-center px-1.5 text-11 font-medium disabled:opacity-40 ${className}`}
    >
      {children}
    </button>
  )
}
