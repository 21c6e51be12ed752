import type { Refusal } from '@candor/core/protocol/refusal.ts'

/** Bytes of an uploaded photo. */
export const imageBytesMax = 10 * 1024 * 1024
/** Pixels that are decoded; the header says how many there are before anything else is read. */
export const imagePixelsMax = 40_000_000
/** A shorter side below this shows no small print. */
export const imageSideMin = 600
/** The longer side of the stored photo. */
export const imageSideMax = 2_000

/** All that can be wrong with a photo. */
export const imageRefusals = ['IMAGE_KIND', 'IMAGE_TOO_LARGE', 'IMAGE_TOO_SMALL', 'IMAGE_UNREADABLE'] as const satisfies Refusal[]

export type ImageAnswer =
  | { readonly id: number; readonly jpeg: Buffer; readonly width: number; readonly height: number }
  | { readonly id: number; readonly refusal: (typeof imageRefusals)[number] }
/** `mark`: the photo is one of ours, and this text is drawn over it. */
export type ImageRequest = { readonly id: number; readonly bytes: Buffer; readonly mark?: string; readonly sideMin?: number }
