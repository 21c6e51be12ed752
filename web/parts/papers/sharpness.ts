/** Whether a photo is sharp enough to be read. */

/** A picture with one byte of brightness a pixel, row by row. */
export type Grey = { readonly bytes: Uint8ClampedArray; readonly width: number; readonly height: number }

/** The longer side of the copy that is measured: noise of the camera is gone there, and letters still have edges. */
export const greySide = 500

/** Photos of documents that can be read have several hundred; blurred ones have far less. */
const sharpFrom = 100

export function isBlurred(grey: Grey): boolean {
  return sharpnessOf(grey) < sharpFrom
}

/**
 * The variance of the Laplacian: edges that are steep differ strongly from what surrounds them.
 *
 *   Laplacian = 4 × pixel − left − right − above − below
 *
 * returns    0 for one colour; 0 for a picture without an inside
 */
export function sharpnessOf({ bytes, width, height }: Grey): number {
  let [sum, squares, count] = [0, 0, 0]
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x
      const edge = 4 * bytes[at]! - bytes[at - 1]! - bytes[at + 1]! - bytes[at - width]! - bytes[at + width]!
      sum += edge
      squares += edge * edge
      count++
    }
  }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2
}

/** The brightness of pixels in red, green, blue and opacity, as the eye weighs them. */
export function greyOf(pixels: Uint8ClampedArray, width: number, height: number): Grey {
  const bytes = new Uint8ClampedArray(width * height)
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = 0.299 * pixels[4 * at]! + 0.587 * pixels[4 * at + 1]! + 0.114 * pixels[4 * at + 2]!
  }
  return { bytes, width, height }
}
