export type Box = { readonly top: number; readonly left: number; readonly width: number; readonly height: number }

const gap = 8
/** About the height of a card with a long text on a narrow phone. */
const cardMax = 250

/** The light around a part: a little larger than it, within the window. */
export function lightOf(part: Box, window: { readonly width: number; readonly height: number }): Box {
  const left = Math.max(gap / 2, part.left - gap)
  const top = Math.max(gap / 2, part.top - gap)
  return {
    left,
    top,
    width: Math.min(part.left + part.width + gap, window.width - gap / 2) - left,
    height: Math.min(part.top + part.height + gap, window.height - gap / 2) - top,
  }
}

/**
 * Where the card stands, as an inset: below the light or above it, where there is more room, below if there is enough. Where neither is
 * enough it stands at that end of the window, over a part of the light.
 */
export function cardPlace(light: Box, windowHeight: number): { readonly top: number } | { readonly bottom: number } {
  const end = light.top + light.height
  const below = windowHeight - end
  if (below >= cardMax) return { top: end + gap }
  if (light.top >= cardMax) return { bottom: windowHeight - light.top + gap }
  return below >= light.top ? { bottom: gap } : { top: gap }
}
