/** Where the frame of the camera view stands, and which part of the video a photo takes. */
export type Size = { readonly width: number; readonly height: number }
export type Box = Size & { readonly x: number; readonly y: number }

/** Width by height of a card, and of the photo page of a passport. */
export const cardRatio = 85.6 / 54
export const pageRatio = 125 / 88

/** The shorter side of a photo on which small print can be read, and the longer side that is sent. */
export const sideMin = 600
export const sideMax = 2_000

/** Filling the view may hide this share of the video's width. */
const hiddenMax = 0.25
/** What a photo keeps around the frame, as a share of it, so that all corners are in it. */
const around = 0.06

export type Frame = {
  readonly fit: 'cover' | 'contain'
  /** In points of the view. */
  readonly guide: Box
  /** In pixels of the video. */
  readonly crop: Box
}

/**
 * video      pixels of the camera's picture
 * view       points of the element that shows it
 * ratio      width by height of the document
 */
export function frameIn(video: Size, view: Size, ratio: number): Frame {
  const [wide, high] = [view.width / video.width, view.height / video.height]
  const shownWidth = view.width / (video.width * Math.max(wide, high))
  const fit = shownWidth >= 1 - hiddenMax ? 'cover' : 'contain'
  const scale = fit === 'cover' ? Math.max(wide, high) : Math.min(wide, high)
  const shown = { width: Math.min(view.width, video.width * scale), height: Math.min(view.height, video.height * scale) }
  const width = Math.min(0.92 * shown.width, 0.8 * shown.height * ratio)
  const guide = centred({ width, height: width / ratio }, view)
  const room = 1 + 2 * around
  const kept = {
    width: Math.min(video.width, (guide.width * room) / scale),
    height: Math.min(video.height, (guide.height * room) / scale),
  }
  // A camera with few pixels gives all of them.
  const isFine = Math.min(kept.width, kept.height) >= sideMin
  return { fit, guide, crop: centred(isFine ? kept : video, video) }
}

/** The size of a picture whose longer side is at most `sideMax`. */
export function reduced({ width, height }: Size, most = sideMax): Size {
  const scale = Math.min(1, most / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

function centred({ width, height }: Size, inside: Size): Box {
  return { x: (inside.width - width) / 2, y: (inside.height - height) / 2, width, height }
}
