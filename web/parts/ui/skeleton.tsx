/** A grey placeholder in the final size of the content. `className` sets width and height. */
export function Skeleton({ className = 'h-4 w-24' }: { readonly className?: string }) {
  return <span aria-hidden className={`skeleton block ${className}`} />
}

/** Rows of a list while it loads. */
export function RowsSkeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div aria-hidden className="flex flex-col">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex min-h-15 items-center gap-3 px-4">
          <Skeleton className="size-8 rounded-full" />
          <div className="flex flex-1 flex-col gap-1.5">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-3 w-28" />
          </div>
          <Skeleton className="h-4 w-20" />
        </div>
      ))}
    </div>
  )
}

/** A placeholder for a screen whose code is loading. */
export function ScreenSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-4 px-4 pt-4">
      <Skeleton className="h-7 w-32" />
      <Skeleton className="h-10 w-3/4" />
      <Skeleton className="h-32 w-full rounded-card" />
      <Skeleton className="h-32 w-full rounded-card" />
    </div>
  )
}
