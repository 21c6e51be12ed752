import { encode } from 'uqr'

/** A QR code, dark on white in every theme, because not every camera reads the inverse. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-[min(12rem,24svh)] self-center rounded-control bg-white text-black"
    >
      <path d={path} fill="currentColor" />
    </svg>
  )
}
