import { first, sheet, singles } from 'virtual:coins'
import { memo } from 'react'

/** A coin's icon, or its first letter if there is none. Hidden from screen readers, because the name is next to it. `size` in px. */
export const Coin = memo(function Coin({ asset, size = 32 }: { readonly asset: string; readonly size?: number }) {
  const name = asset.toLowerCase()
  const source = first.has(name) ? `${sheet}#${name}` : singles.has(name) ? `/coins/${name}.svg` : undefined
  if (source === undefined) {
    return (
      <span
        aria-hidden
        className="inline-flex shrink-0 items-center justify-center rounded-full bg-s3 font-semibold text-fg2"
        style={{ width: size, height: size, fontSize: size * 0.42 }}
      >
        {asset.slice(0, 1)}
      </span>
    )
  }
  return <img src={source} alt="" width={size} height={size} className="shrink-0 rounded-full" style={{ width: size, height: size }} />
})
