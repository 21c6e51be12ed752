import type { ButtonHTMLAttributes, ReactNode } from 'react'

export type ButtonVariant = 'primary' | 'soft' | 'ghost' | 'up' | 'down' | 'danger'
export type ButtonSize = 'large' | 'medium' | 'small'

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: 'bg-brand text-onbrand',
  soft: 'bg-s2 text-fg',
  ghost: 'text-brand',
  up: 'bg-up text-onup',
  down: 'bg-down text-ondown',
  danger: 'bg-dangertint text-danger',
}
const sizes: Readonly<Record<ButtonSize, string>> = {
  large: 'min-h-12 px-5 py-1.5 text-15 rounded-control',
  medium: 'min-h-11 px-4 py-1.5 text-15 rounded-control',
  small: 'min-h-8 px-3 text-13 rounded-chip whitespace-nowrap',
}

/** `isBusy` keeps width and focus while a request runs, and ignores further taps. */
export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly isBusy?: boolean
  readonly isWide?: boolean
}

export function Button({
  variant = 'primary',
  size = 'large',
  isBusy = false,
  isWide = false,
  className = '',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={`press relative inline-flex items-center justify-center gap-2 font-semibold select-none disabled:opacity-40 ${variants[variant]} ${sizes[size]} ${isWide ? 'w-full' : ''} ${className}`}
    >
      <span className={`inline-flex items-center gap-2 ${isBusy ? 'invisible' : ''}`}>{children}</span>
      {isBusy && <Dots />}
    </button>
  )
}

/** A link that looks like a button. `to` is a path of the app. */
export function ButtonLink({
  to,
  variant = 'primary',
  size = 'large',
  isWide = false,
  className = '',
  children,
}: {
  readonly to: string
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly isWide?: boolean
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <a
      href={`#${to}`}
      className={`press inline-flex items-center justify-center gap-2 text-center font-semibold ${variants[variant]} ${sizes[size]} ${isWide ? 'w-full' : ''} ${className}`}
    >
      {children}
    </a>
  )
}

/** A button with only an icon: 44 px to touch, with a label for screen readers. */
export function IconButton({
  label,
  className = '',
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      {...rest}
      className={`press inline-flex size-11 items-center justify-center rounded-control text-fg2 ${className}`}
    >
      {children}
    </button>
  )
}

function Dots() {
  return (
    <span aria-hidden className="absolute inset-0 flex items-center justify-center gap-1">
      {[0, 1, 2].map((dot) => (
        <span key={dot} className="size-1.5 animate-pulse rounded-full bg-current" style={{ animationDelay: `${dot * 160}ms` }} />
      ))}
    </span>
  )
}
