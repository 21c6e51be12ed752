import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Grey, greyOf, isBlurred, sharpnessOf } from './sharpness.ts'

const [width, height] = [500, 315]

/** Lines like those of print on a light card, with gaps between the words. */
function printed(ink = 40): Grey {
  const bytes = new Uint8ClampedArray(width * height).fill(220)
  for (let y = 30; y < height - 30; y++) {
    if (y % 20 >= 9) continue
    for (let x = 30; x < width - 30; x++) if ((x * 7 + Math.floor(y / 20) * 13) % 11 < 4 && x % 60 < 48) bytes[y * width + x] = ink
  }
  return { bytes, width, height }
}

/** The mean of a square of `2 × radius + 1` pixels, as out of focus. */
function blurred({ bytes }: Grey, radius: number): Grey {
  const result = new Uint8ClampedArray(bytes.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let [sum, count] = [0, 0]
      for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
        for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
          sum += bytes[v * width + u]!
          count++
        }
      }
      result[y * width + x] = sum / count
    }
  }
  return { bytes: result, width, height }
}

test('UI-PAPERS-005: a photo in focus is sharp, also with pale print; one out of focus is blurred, and so is one without edges', () => {
  assert.equal(isBlurred(printed()), false)
  assert.equal(isBlurred(printed(150)), false)
  assert.equal(isBlurred(blurred(printed(), 5)), true)
  assert.equal(isBlurred({ bytes: new Uint8ClampedArray(width * height).fill(90), width, height }), true)
})

test('UI-PAPERS-005: the more blur, the less sharpness', () => {
  const steps = [0, 1, 2, 3, 4, 5, 8].map((radius) => sharpnessOf(radius === 0 ? printed() : blurred(printed(), radius)))
  for (const [at, sharpness] of steps.entries()) if (at > 0) assert.ok(sharpness < steps[at - 1]!, String(steps))
})

test('one colour has no sharpness, nor has a picture without an inside', () => {
  assert.equal(sharpnessOf({ bytes: new Uint8ClampedArray(100).fill(7), width: 10, height: 10 }), 0)
  assert.equal(sharpnessOf({ bytes: new Uint8ClampedArray(4), width: 2, height: 2 }), 0)
})

test('the copy in grey weighs green the most', () => {
  const { bytes } = greyOf(new Uint8ClampedArray([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255]), 4, 1)
  assert.deepEqual([...bytes], [76, 150, 29, 255])
})
